import { knownEndpoints } from '../contract/endpoints.ts';
import { readRefusal, type RefusedRequest, type Refusal } from '../contract/refusal.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import type { Authorization } from './authorization.ts';
import type { Cause } from './failure-cause.ts';
import type { HttpExchange, Reply } from './http-exchange.ts';
import type { Answer } from './platform-client.ts';
import { readJson, unreadableCause } from './read-json.ts';
import { redirectTarget } from './redirect-target.ts';
import { hiddenSecret } from './secret-filter.ts';

/** An answer without a result. */
export type Failure = Exclude<Answer<never>, { kind: 'ok' }>;

/** How the replies to one request are read. */
export interface ReplyReading<T> {
  /** The request, whose endpoint has statuses and forms of refusals of its own. */
  readonly request: RefusedRequest;
  /** Reads a 2xx. */
  success(reply: Reply): Answer<T>;
  /** Reads an answer with another status, before that decides; undefined leaves it to the status. */
  readonly anyway?: (reply: Reply) => Answer<T> | undefined;
  /** Whether the message of a refusal is about another request. */
  isOfAnother?(words: JsonValue, refusal: Refusal | undefined): boolean;
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
  reading: ReplyReading<T>,
): Answer<T> {
  if (exchange.kind === 'not-sent') return exchange;
  if (exchange.kind === 'no-reply') return { kind: 'unknown', cause: exchange.cause };
  const { status } = exchange;
  if (status >= 200 && status < 300) return reading.success(exchange);
  const read = reading.anyway?.(exchange);
  if (read !== undefined) return read;
  if (status >= 500) {
    const retryAfterMs = readRetryAfter(exchange.retryAfter, now);
    return {
      kind: 'unknown',
      cause: `http_${status}`,
      status,
      retryAfterMs,
      isOver: saysThatItFailed(exchange, reading.request) || undefined,
    };
  }
  if (status < 400)
    return {
      ...ofGateway(status),
      target: redirectTarget(
        exchange.location,
        reading.isQuestion === true ? undefined : reading.request.sent,
      ),
    };
  // These two mean the same whatever their body.
  if (status === 429) return throttled(exchange, now);
  if (status === 401) return refusedCredentials(exchange, authorization, reading.request);
  if (status === 403 && isAccessDenied(exchange))
    return refusedCredentials(exchange, authorization, reading.request);
  return declined(exchange, reading);
}

/** The message is repeated only if it repeats nothing of the request. */
function refusedCredentials(
  { status, body }: Reply,
  { id, secret }: Authorization,
  request: RefusedRequest,
): Failure {
  const words = readJson(body);
  const detail = isJsonObject(words) ? words['detail'] : undefined;
  const said = typeof detail === 'string' && !request.sent.repeatedIn(detail) ? detail : '';
  return unauthorized(status, id, said, secret);
}

/** The members of an error about access; a firewall, which may also hold back an answer, writes others. */
const accessKeys: ReadonlySet<string> = new Set(['detail', 'code', 'domain', 'errors', 'messages']);

function isAccessDenied({ body, fault }: Reply): boolean {
  const words = fault === undefined ? readJson(body) : undefined;
  return (
    isJsonObject(words) &&
    typeof words['detail'] === 'string' &&
    Object.keys(words).every((key) => accessKeys.has(key))
  );
}

/** A status without a message of the platform: a proxy may have sent it, before the platform or instead of it. */
function ofGateway(status: number): Extract<Failure, { kind: 'unknown' }> {
  return { kind: 'unknown', cause: `gateway_http_${status}`, status };
}

/** A reply whose meaning is unknown, although the platform may have executed the request. */
export function unreadable(reply: Reply): Failure {
  const cause = reply.fault ?? unreadableCause(reply.body, reply.mediaType);
  return { kind: 'unknown', cause, status: reply.status };
}

export function throttled(reply: Reply, now: number): Extract<Failure, { kind: 'throttled' }> {
  return { kind: 'throttled', status: reply.status, retryAfterMs: readRetryAfter(reply.retryAfter, now) };
}

/** A gateway's 5xx says nothing about a request that the platform may still be executing. */
function saysThatItFailed({ status, body, fault }: Reply, request: RefusedRequest): boolean {
  return status === 500 && fault === undefined && readRefusal(readJson(body), request) !== undefined;
}

/** A 4xx without a class of its own: a refusal has a status of the endpoint and a form of the platform's. */
function declined(reply: Reply, reading: ReplyReading<unknown>): Failure {
  const { request, isQuestion } = reading;
  const { status } = reply;
  const statuses: readonly number[] = [
    ...knownEndpoints[request.endpoint].refusals,
    ...(request.refusals ?? []),
  ];
  const wanted = certificateWanted(reply);
  if (wanted !== undefined) return { kind: 'unknown', cause: wanted, status };
  if (!statuses.includes(status)) return ofGateway(status);
  if (reply.fault !== undefined) return unreadable(reply);
  const body = readJson(reply.body);
  if (body === undefined && meantAsJson(reply.body)) return unreadable(reply);
  const refusal = readRefusal(body, request);
  if (body !== undefined && reading.isOfAnother?.(body, refusal) === true)
    return { kind: 'unknown', cause: 'answer_mismatch', status };
  if (refusal === undefined)
    return status === 404 && isQuestion === true
      ? { kind: 'not-found', status, refusal: wordless(status) }
      : ofGateway(status);
  return { kind: status === 404 ? 'not-found' : 'refused', status, refusal };
}

/** A refusal without anything in a known dialect. */
function wordless(status: number): Refusal {
  const detail = `The platform answered with status ${status} and no readable reason.`;
  return { problems: [], code: `http_${status}`, detail, wouldImport: false };
}

/** nginx accepts a connection without the client's certificate, and answers each request with a page about it. */
function certificateWanted({ status, body }: Reply): Cause | undefined {
  if (status !== 400) return undefined;
  const page = body.toString('latin1', 0, 1024);
  if (page.includes('No required SSL certificate was sent')) return 'client_certificate_required';
  return page.includes('The SSL certificate error') ? 'client_certificate_refused' : undefined;
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
