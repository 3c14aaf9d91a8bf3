import { readRefusal, type Refusal } from '../contract/refusal.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import type { Authorization } from './authorization.ts';
import type { HttpExchange, Reply } from './http-exchange.ts';
import type { Answer } from './platform-client.ts';
import { readJson } from './read-json.ts';
import { readRetryAfter } from './retry-after.ts';
import { unauthorized } from './unauthorized.ts';

/** An answer that has no result in it. */
export type Failure = Exclude<Answer<never>, { kind: 'ok' }>;

/** How the replies to one request are read. */
export interface Reading<T> {
  /** Reads a 2xx. */
  success(reply: Reply): Answer<T>;
  /** Whether the words of a refusal are about another request. */
  isOfAnother?(words: JsonValue, refusal: Refusal): boolean;
  /** The request has no effect, and 404 is one of its answers, in words or not (section 4, rule 4). */
  readonly isQuestion?: true;
}

/**
 * Puts an exchange into the closed set of answers (section 7, and the states of an effect: none, or not known).
 * `now` is milliseconds since the epoch.
 */
export function classifyResponse<T>(
  exchange: HttpExchange,
  authorization: Authorization,
  now: number,
  reading: Reading<T>,
): Answer<T> {
  if (exchange.kind === 'not-sent') return exchange;
  if (exchange.kind === 'no-reply') return { kind: 'unknown', cause: exchange.cause };
  const { status } = exchange;
  if (status >= 200 && status < 300) return reading.success(exchange);
  if (status >= 500) {
    const over = saysThatItFailed(exchange) ? { isOver: true as const } : {};
    return { kind: 'unknown', cause: `http_${status}`, status, ...waitOf(exchange, now), ...over };
  }
  if (status < 400) return ofGateway(status);
  // These two mean the same whatever their body.
  if (status === 429) return throttled(exchange, now);
  if (status === 401) return refusedCredentials(exchange, authorization);
  return declined(exchange, authorization, reading);
}

function refusedCredentials({ status, body }: Reply, { id, secret }: Authorization): Failure {
  return unauthorized(status, id, readRefusal(readJson(body))?.detail ?? '', secret);
}

/** A status with no words of the platform's: a proxy may have said it, before the platform or in its place. */
function ofGateway(status: number): Failure {
  return { kind: 'unknown', cause: `gateway_http_${status}`, status };
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

/** A proxy's 502 to 504, and its pages, tell nothing of a request that the platform may still be working on. */
function saysThatItFailed({ status, body, fault }: Reply): boolean {
  return status === 500 && fault === undefined && isJsonObject(readJson(body));
}

/** A 4xx that has no kind of its own. */
function declined(reply: Reply, authorization: Authorization, reading: Reading<unknown>): Failure {
  const { status } = reply;
  if (reply.fault !== undefined) return unreadable(reply);
  const body = readJson(reply.body);
  if (body === undefined && meantAsJson(reply.body)) return unreadable(reply);
  const refusal = readRefusal(body);
  if (refusal === undefined || !isThePlatforms(status, refusal))
    return status === 404 && reading.isQuestion === true
      ? { kind: 'not-found', status, refusal: wordless(status) }
      : ofGateway(status);
  if (body !== undefined && reading.isOfAnother?.(body, refusal) === true)
    return { kind: 'unknown', cause: 'answer_mismatch', status };
  if (status === 403) return refusedCredentials(reply, authorization);
  return { kind: status === 404 ? 'not-found' : 'refused', status, refusal };
}

/** A status that section 7 does not have counts only with a code or a field: gateways say `message` too. */
function isThePlatforms(status: number, { code, problems }: Refusal): boolean {
  return [400, 403, 404].includes(status) || code !== '' || problems.length > 0;
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
