import type { Reply } from './http-exchange.ts';

/** An answer of a gateway that means that the request did not reach the platform. All that is given must agree. */
export interface NotDelivered {
  readonly status: number;
  /** A header, and text that its value contains. */
  readonly header?: { readonly name: string; readonly value: string } | undefined;
  /** Text that the body contains. */
  readonly body?: string | undefined;
}

/** How much of a body is looked through, in bytes. */
const mostSearched = 65_536;

/** Whether one of the rules is about this answer. Case does not matter. */
export function isNotDelivered(rules: readonly NotDelivered[], reply: Reply): boolean {
  return rules.some(({ status, header, body }) => {
    if (status !== reply.status) return false;
    if (
      header !== undefined &&
      !contains(String(reply.headers?.[header.name.toLowerCase()] ?? ''), header.value)
    )
      return false;
    return body === undefined || contains(reply.body.toString('utf8', 0, mostSearched), body);
  });
}

function contains(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}
