import { writeRefusal, type Dialect } from '../../../src/platform/dialect.ts';
import type { HttpExchange } from '../../../src/client/http-exchange.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';

/** A reply as it goes over the wire. */
export interface HttpReply {
  readonly status: number;
  readonly mediaType?: string;
  /** '' where it has none. */
  readonly body: string;
}

/** The headers that say when a reply was made. */
export interface Made {
  readonly age?: string;
  readonly date?: string;
}

export function empty(status: number): HttpReply {
  return { status, body: '' };
}

export function json(status: number, body: JsonValue): HttpReply {
  return { status, mediaType: 'application/json', body: stringifyJson(body) };
}

/** A page for people, as a proxy shows it. */
export function html(status: number): HttpReply {
  return { status, mediaType: 'text/html', body: `<html><body><h1>${status}</h1></body></html>` };
}

/** What the platform refuses, in one of the two dialects (section 7). */
export interface Refused {
  readonly status?: number;
  readonly code: string;
  readonly path?: string;
  readonly more?: JsonObject;
}

export function refusal({ status = 400, code, path = '', more = {} }: Refused, dialect: Dialect): HttpReply {
  const problems = [{ code, path, detail: 'No.', severity: 'error' as const }];
  // In the second dialect a field's message has no code of its own.
  const top = dialect === 'fields' && path !== '' ? { code } : {};
  const refused = { status, code: 'account_failed_validation', detail: 'No.', problems };
  const { body = '' } = writeRefusal({ ...refused, more: { ...top, ...more } }, dialect);
  return { status, mediaType: 'application/json', body };
}

/** A reply as the client's exchange gives it; `fault`: it breaks off. */
export function exchanged(
  { status, mediaType, body }: HttpReply,
  more: { readonly fault?: 'connection_reset'; readonly retryAfter?: string } & Made = {},
): HttpExchange {
  const type = mediaType === undefined ? {} : { mediaType };
  return { kind: 'reply', status, body: Buffer.from(body), ...type, ...more };
}
