import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import { foreignCode } from '../contract/foreign-names.ts';
import { nothingSent } from '../contract/sent-values.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import {
  graphqlAnswer,
  tokenMutation,
  tokenPath,
  tokenResultPath,
  tooManyRequestsCode,
} from '../contract/schemas/token.ts';
import {
  authorizationOf,
  isToken,
  type Authorization,
  type Authorizer,
  type HeaderForm,
} from './authorization.ts';
import { abortCause, type HttpExchange, type Reply } from './http-exchange.ts';
import { throttled, unauthorized } from './classify-response.ts';
import type { Answer } from './platform-client.ts';
import { readJson } from './read-json.ts';
import { forget, whenAborted } from './when-aborted.ts';

/** An API key, and the mutation that exchanges it for a token (section 5; the tenancy defines its form). */
export interface ApiKeyCredentials {
  readonly apiKey: string;
  /** Path of the mutation on the platform's origin. */
  readonly path?: string | undefined;
  /** Text of the mutation. */
  readonly mutation?: string | undefined;
  /** Its variables; every string `{apiKey}` in them, at any depth, is replaced by the key. */
  readonly variables?: JsonObject | undefined;
  /** Dotted path of the token in the answer; the payload with its expiry is searched beside it. */
  readonly resultPath?: string | undefined;
  readonly headerForm?: HeaderForm;
}

/** A token is renewed this long before it expires (ms), but never in the first nine tenths of its life. */
const renewAhead = 60_000;

/**
 * Obtains a token with the API key when one is first needed, and again shortly before it expires or after it is
 * discarded. Requests that need one in the meantime wait for the same mutation. `send` posts the mutation, without
 * authorization; `hide` removes secrets from the platform's answers. Aborting `stopped` ends every wait for a token.
 *
 * If the mutation has no clear answer, the request that needed the token gets `not-sent` with the mutation's cause:
 * whatever the effect of the mutation, that request never left.
 */
export function tokenExchange(
  credentials: ApiKeyCredentials,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  send: (path: string, body: string) => Promise<HttpExchange>,
  hide: (text: string) => string = (text) => text,
  stopped?: AbortSignal,
): Authorizer {
  const { apiKey, path = tokenPath, mutation = tokenMutation, headerForm } = credentials;
  if (!path.startsWith('/'))
    throw new Error(
      "The token mutation's path must begin with /; it is relative to the origin of the base URL.",
    );
  const resultPath = (credentials.resultPath ?? tokenResultPath).split('.');
  const variables = withKey(credentials.variables ?? { apiKey: placeholder }, apiKey);
  const request = stringifyJson({ query: mutation, variables });

  let lastId = 0;
  let current:
    { readonly answer: Answer<Authorization>; readonly id: number; readonly renewAt: number } | undefined;
  let underWay: Promise<Answer<Authorization>> | undefined;

  // No token was refused, so there is none to discard: 0 names none.
  const refused = (status: number, said: string, code?: string): Answer<never> =>
    unauthorized(status, 0, hide(said), apiKey, code);

  async function obtain(): Promise<Answer<Authorization>> {
    const exchange = await send(path, request);
    if (exchange.kind !== 'reply') return { kind: 'not-sent', cause: exchange.cause };
    const { status } = exchange;
    if (status === 429) return throttled(exchange, clock.now());
    if (status >= 500) return { kind: 'not-sent', cause: `http_${status}` };
    if (status < 300) return accept(exchange);
    const said = `The token address answered with status ${status}. Check the API key, the base URL and the token's path.`;
    const answer = graphqlAnswer.safeParse(readJson(exchange.body));
    const problem = answer.success ? declined(exchange, answer.data, said) : undefined;
    if (problem !== undefined) return problem;
    // A redirect, a 404 and a firewall's 403 say nothing about the key.
    return status === 401 ? refused(status, said) : { kind: 'not-sent', cause: `token_http_${status}` };
  }

  /**
   * What the errors of a GraphQL answer say; undefined if it has none. `said` stands for the message of the first. Only
   * an error with a code is the platform's word on the key.
   */
  function declined(
    reply: Reply,
    { errors = [] }: z.infer<typeof graphqlAnswer>,
    said = errors[0]?.message,
  ): Answer<never> | undefined {
    if (said === undefined || errors.length === 0) return undefined;
    const codes = errors.flatMap(({ extensions }) => extensions?.errorCode ?? extensions?.code ?? []);
    if (codes.includes(tooManyRequestsCode))
      return { ...throttled(reply, clock.now()), code: tooManyRequestsCode };
    const isDown = errors.some(({ extensions }) => extensions?.errorType === 'SERVICE_AVAILABILITY');
    if (codes[0] === undefined || isDown) return { kind: 'not-sent', cause: 'token_error' };
    return refused(reply.status, said, foreignCode(codes[0], nothingSent));
  }

  function accept(reply: Reply): Answer<Authorization> {
    const body = reply.fault === undefined ? readJson(reply.body) : undefined;
    const answer = graphqlAnswer.safeParse(body);
    if (!answer.success) return { kind: 'not-sent', cause: reply.fault ?? 'unreadable_answer' };
    const problem = declined(reply, answer.data);
    if (problem !== undefined) return problem;
    const token = valueAt(body, resultPath);
    if (typeof token !== 'string' || !isToken(token))
      return refused(
        reply.status,
        `The token mutation answered without a token at ${resultPath.join('.')}. Check the token's result path.`,
      );
    const id = ++lastId;
    const accepted = {
      kind: 'ok',
      status: reply.status,
      body: authorizationOf(id, token, headerForm),
    } as const;
    const expiry = valueAt(body, [...resultPath.slice(0, -1), 'payload', 'exp']);
    current = { answer: accepted, id, renewAt: clock.monotonic() + lifeOf(expiry, clock.now()) };
    return accepted;
  }

  return {
    get(signal) {
      if (current !== undefined && clock.monotonic() < current.renewAt)
        return Promise.resolve(current.answer);
      // A request that waits for a token has not left, so nothing of it needs to be finished.
      if (stopped?.aborted === true) return Promise.resolve({ kind: 'not-sent', cause: 'aborted' });
      underWay ??= obtain().finally(() => (underWay = undefined));
      return unlessAborted(unlessAborted(underWay, stopped), signal);
    },
    discard(id) {
      if (current?.id === id) current = undefined;
    },
  };
}

const placeholder = '{apiKey}';

function withKey(value: JsonValue, apiKey: string): JsonValue {
  if (value === placeholder) return apiKey;
  if (Array.isArray(value)) return value.map((item) => withKey(item, apiKey));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withKey(inner, apiKey)]));
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}

/**
 * How long to use a token that arrives `now` (ms since the epoch), in ms; `expiry` in seconds since the epoch. A
 * token that seems expired on arrival means that the clocks differ: it is used until the platform refuses it.
 */
function lifeOf(expiry: JsonValue | undefined, now: number): number {
  if (typeof expiry !== 'number') return Infinity;
  const life = expiry * 1000 - now;
  return life <= 0 ? Infinity : life - Math.min(renewAhead, life / 10);
}

/** The caller that gives up does not wait; the others still wait for the token. */
function unlessAborted<T>(answer: Promise<Answer<T>>, signal: AbortSignal | undefined): Promise<Answer<T>> {
  if (signal === undefined) return answer;
  const aborted = () => ({ kind: 'not-sent', cause: abortCause(signal) }) as const;
  if (signal.aborted) return Promise.resolve(aborted());
  return new Promise((resolve, reject) => {
    const waiting = { stop: () => resolve(aborted()) };
    whenAborted(signal, waiting);
    void answer.then(resolve, reject).finally(() => forget(signal, waiting));
  });
}
