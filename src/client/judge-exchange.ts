import { readRefusal, type Refusal } from '../contract/refusal.ts';
import type { Authorization } from './authorization.ts';
import type { Exchange, Reply } from './exchange.ts';
import type { Answer } from './platform-client.ts';
import { readJson } from './read-json.ts';
import { readRetryAfter } from './retry-after.ts';
import { unauthorized } from './unauthorized.ts';

/** An answer that has no result in it. */
export type Failure = Exclude<Answer<never>, { kind: 'ok' }>;

/**
 * Puts an exchange into the closed set of answers (section 7, and the states of an effect: none, or not known).
 * `success` reads the body of a 2xx; `now` is milliseconds since the epoch.
 */
export function judge<T>(
  exchange: Exchange,
  authorization: Authorization,
  now: number,
  success: (reply: Reply) => Answer<T>,
): Answer<T> {
  if (exchange.kind === 'not-sent') return exchange;
  if (exchange.kind === 'no-reply') return { kind: 'unknown', cause: exchange.cause };
  const { status } = exchange;
  if (status >= 200 && status < 300) return success(exchange);
  if (status >= 500) return { kind: 'unknown', cause: `http_${status}`, status, ...waitOf(exchange, now) };
  if (status < 400) return { kind: 'refused', status, refusal: wordless(status) };
  // These two mean the same whatever their body.
  if (status === 429) return throttled(exchange, now);
  if (status === 401 || status === 403) {
    const said = readRefusal(readJson(exchange.body))?.detail ?? '';
    return unauthorized(status, authorization.id, said, authorization.secret);
  }
  return declined(exchange);
}

/** A reply whose meaning cannot be made out, though the platform may have done what it was asked. */
export function unreadable(reply: Reply): Failure {
  return { kind: 'unknown', cause: reply.fault ?? 'unreadable_answer', status: reply.status };
}

export function throttled(reply: Reply, now: number): Failure {
  return { kind: 'throttled', status: reply.status, ...waitOf(reply, now) };
}

/** How long the platform asks to be left alone. */
function waitOf(reply: Reply, now: number): { readonly retryAfterMs?: number } {
  const retryAfterMs = readRetryAfter(reply.retryAfter, now);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** A 4xx that has no kind of its own. */
function declined(reply: Reply): Failure {
  const { status } = reply;
  if (reply.fault !== undefined) return unreadable(reply);
  const body = readJson(reply.body);
  if (body === undefined && meantAsJson(reply.body)) return unreadable(reply);
  return {
    kind: status === 404 ? 'not-found' : 'refused',
    status,
    refusal: readRefusal(body) ?? wordless(status),
  };
}

/** A refusal that says nothing in a dialect that is known. */
function wordless(status: number): Refusal {
  const detail = `The platform answered with status ${status} and no reason that can be read.`;
  return { problems: [], code: `http_${status}`, detail, wouldImport: false };
}

/** JSON that breaks off, as against a page for people. */
function meantAsJson(bytes: Buffer): boolean {
  return /^\s*[[{"]/.test(bytes.toString('latin1', 0, 1024));
}
