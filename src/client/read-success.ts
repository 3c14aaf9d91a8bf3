import { answers } from '../contract/answers.ts';
import { contradicts, echoes, repeatsPayload, type EchoedRequest } from '../contract/echo.ts';
import { knownEndpoints, successesOf, type Endpoint } from '../contract/endpoints.ts';
import { foreignMediaType, foreignName } from '../contract/foreign-names.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import type { RefusedRequest } from '../contract/refusal.ts';
import type { SentValues } from '../contract/sent-values.ts';
import type { Reply } from './http-exchange.ts';
import { unreadable } from './classify-response.ts';
import type { Answer, PostEndpoint } from './platform-client.ts';
import { readJson, unreadableCause } from './read-json.ts';

/** Statuses that mean success in a tenancy besides 200 and 201, with any JSON. */
export type AcceptedAnswers = Partial<Readonly<Record<PostEndpoint, readonly number[]>>>;

/**
 * Reads the reply to a POST with a 2xx status. It is a success if status, media type and body are those of section 4
 * for the endpoint, or the tenancy lists the status, and if nothing in it contradicts the request. Anything else may
 * be a proxy's: its effect is unknown. The body is returned if the step has to read it.
 */
export function readSuccess(
  name: PostEndpoint,
  reply: Reply,
  asked: EchoedRequest & Pick<RefusedRequest, 'sent'>,
  posted: string | Buffer,
  accepted: AcceptedAnswers,
): Answer<JsonValue | undefined> {
  const endpoint: Endpoint = knownEndpoints[name];
  const { status, body: bytes } = reply;
  const ok = (body: JsonValue | undefined) => ({ kind: 'ok', status, body }) as const;
  if (reply.fault !== undefined) return unreadable(reply);
  const isAccepted = accepted[name]?.includes(status) ?? false;
  if (!isAccepted && !successesOf(endpoint).includes(status)) return unrecognised(reply, asked);
  if (bytes.length === 0)
    return isAccepted || endpoint.mayBeEmpty === true ? ok(undefined) : unrecognised(reply, asked);
  if (!isJsonMedia(reply.mediaType)) return unrecognised(reply, asked);
  // The validated data as it was sent, as in most answers to endpoints 1 and 12: nothing is left to compare.
  if (answers[name] === undefined && isSame(bytes, posted)) return ok(undefined);
  const body = readJson(bytes);
  if (body === undefined) return unrecognised(reply, asked);
  if (contradicts(name, body, asked)) return { kind: 'unknown', cause: 'answer_mismatch', status };
  // Validate's answer again: an answer that was sent twice on a connection arrives as the answer to the next request.
  const isValidates = name === 'stage' && status === 200 && repeatsPayload(body, asked);
  if (!isValidates && isOwnShape(name, body, asked)) return ok(body);
  return isAccepted ? ok(undefined) : unrecognised(reply, asked);
}

/** `application/json` and similar; a reply without a media type is judged by its body alone. */
export function isJsonMedia(mediaType: string | undefined): boolean {
  return mediaType === undefined || /[/+]json\b/i.test(mediaType);
}

function isOwnShape(name: PostEndpoint, body: JsonValue, asked: EchoedRequest): boolean {
  const endpoint: Endpoint = knownEndpoints[name];
  const isEmpty = isJsonObject(body) && Object.keys(body).length === 0;
  if (isEmpty) return endpoint.mayBeEmpty === true;
  if (endpoint.mayBeEmpty === true) return echoes(body, asked);
  return answers[name]?.safeParse(body).success ?? true;
}

function isSame(bytes: Buffer, sent: string | Buffer): boolean {
  return bytes.equals(typeof sent === 'string' ? Buffer.from(sent) : sent);
}

/** An answer that is not of the interface, with its form: the status, and the kind of body. */
function unrecognised(reply: Reply, { sent }: Pick<RefusedRequest, 'sent'>): Answer<never> {
  const { status, body: bytes } = reply;
  const body = bytes.length === 0 ? undefined : readJson(bytes);
  const looks = [String(status), looksOf(body, reply, sent)].join(' ');
  const isUnreadable = bytes.length > 0 && body === undefined;
  const cause = isUnreadable ? unreadableCause(bytes, reply.mediaType) : 'unrecognised_answer';
  return { kind: 'unknown', cause, status, looks };
}

/** Names of the first fields, never values, and nothing that repeats the request. */
function looksOf(body: JsonValue | undefined, { body: bytes, mediaType }: Reply, sent: SentValues): string {
  if (bytes.length === 0) return 'without a body';
  if (body === undefined || !isJsonMedia(mediaType))
    return `with a body of ${mediaType === undefined ? 'no media type' : foreignMediaType(mediaType, sent)}`;
  if (!isJsonObject(body)) return Array.isArray(body) ? 'with a JSON array' : 'with a JSON value';
  const names = Object.keys(body).slice(0, 5);
  return `with JSON {${names.map((name) => foreignName(name, sent)).join(', ')}}`.slice(0, 80);
}
