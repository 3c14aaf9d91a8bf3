import { readRefusal, type Refusal } from '../contract/refusal.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import type { Authorization } from './authorization.ts';
import type { HttpExchange, Reply } from './http-exchange.ts';
import type { Answer } from './platform-client.ts';
import { readJson } from './read-json.ts';
import { hiddenSecret } from './secret-filter.ts';

/** An answer without a result. */
export type Failure = Exclude<Answer<never>, { kind: 'ok' }>;

/** How the replies to one request are read. */
export interface Reading<T> {
  /** Reads a 2xx. */
  success(reply: Reply): Answer<T>;
  /** Whether the message of a refusal is about another request. */
  isOfAnother?(words: JsonValue, refusal: Refusal): boolean;
  /**
   * Whether the request has no effect and 404 is one of its answers, with or without a message (section 4, rule 4).
   */
  readonly isQuestion?: true;
}

/**
 * Classifies an exchange as one of the closed set of answers (section 7, and the states of an effect: none, or not
 * known). `now` is milliseconds since the epoch.
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
    const retryAfterMs = readRetryAfter(exchange.retryAfter, now);
    return {
      kind: 'unknown',
      cause: `http_${status}`,
      status,
      retryAfterMs,
      isOver: saysThatItFailed(exchange) || undefined,
    };
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

/** A status without a message of the platform: a proxy may have sent it, before the platform or instead of it. */
function ofGateway(status: number): Failure {
  return { kind: 'unknown', cause: `gateway_http_${status}`, status };
}

/** A reply whose meaning is unknown, although the platform may have executed the request. */
export function unreadable(reply: Reply): Failure {
  return { kind: 'unknown', cause: reply.fault ?? 'unreadable_answer', status: reply.status };
}

export function throttled(reply: Reply, now: number): Extract<Failure, { kind: 'throttled' }> {
  return { kind: 'throttled', status: reply.status, retryAfterMs: readRetryAfter(reply.retryAfter, now) };
}

/** A proxy's 502 to 504, and its pages, say nothing about a request that the platform may still be executing. */
function saysThatItFailed({ status, body, fault }: Reply): boolean {
  return status === 500 && fault === undefined && isJsonObject(readJson(body));
}

/** A 4xx without a class of its own. */
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

/** A status that section 7 does not have counts only with a code or a field: gateways also send `message`. */
function isThePlatforms(status: number, { code, problems }: Refusal): boolean {
  return [400, 403, 404].includes(status) || code !== '' || problems.length > 0;
}

/** A refusal without anything in a known dialect. */
function wordless(status: number): Refusal {
  const detail = `The platform answered with status ${status} and no readable reason.`;
  return { problems: [], code: `http_${status}`, detail, wouldImport: false };
}

/** JSON that breaks off, as opposed to a page for people. */
function meantAsJson(bytes: Buffer): boolean {
  return /^\s*[[{"]/.test(bytes.toString('latin1', 0, 1024));
}

const httpDate = /^[A-Z][a-z]+, .+ GMT$/;

/**
 * Parses a Retry-After header, whole seconds or an HTTP date, as milliseconds from `now` (milliseconds since the
 * epoch); never negative. Undefined if there is none, or it cannot be parsed.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

type Unauthorized = Extract<Answer<never>, { kind: 'unauthorized' }>;

/**
 * An answer that refuses the credentials. Platforms echo what they were sent, especially in GraphQL errors, so the
 * message is passed on only if it contains no secret. `code` is the platform's, if it gave one.
 */
export function unauthorized(
  status: number,
  tokenId: number,
  said: string,
  secret: string,
  code = '',
): Unauthorized {
  const isHidden = (text: string): boolean =>
    text === '' || text.includes(secret) || text.includes(hiddenSecret);
  const told = isHidden(said) ? `The platform refused the credentials (status ${status}).` : said;
  return { kind: 'unauthorized', status, tokenId, detail: isHidden(code) ? told : `${told} (${code})` };
}
