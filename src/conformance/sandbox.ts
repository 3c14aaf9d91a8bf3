import { fixedToken, type Authorizer } from '../client/authorization.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { ClientOptions } from '../client/create-client.ts';
import { JsonArrayScanner } from '../client/json-array-scanner.ts';
import type { PostEndpoint } from '../client/platform-client.ts';
import { readJson } from '../client/read-json.ts';
import { readRetryAfter } from '../client/classify-response.ts';
import { tokenExchange } from '../client/token-exchange.ts';
import { openTransport, type Transport } from '../client/transport.ts';
import { endpoints, pathFor, type EndpointName, knownEndpoints } from '../contract/endpoints.ts';
import { readRefusal } from '../contract/refusal.ts';
import type { Clock } from '../domain/clock.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';

/** What the platform answered; 0 is no answer at all. */
export interface Answered {
  readonly status: number;
  /** Why there is no complete answer; '' if there is one. */
  readonly cause: string;
  /** Undefined if the body is empty or no JSON. */
  readonly body: JsonValue | undefined;
  readonly isEmpty: boolean;
}

/** The records of a list that are about accounts of this run. */
export interface Listed extends Answered {
  readonly records: readonly JsonObject[];
}

/** The platform cannot be asked, or refuses to be asked. */
export class CannotAsk extends Error {
  override readonly name = 'CannotAsk';
  readonly reason: 'unavailable' | 'credentials';

  constructor(reason: 'unavailable' | 'credentials', detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Another authorization than the platform's own token. */
export type Wrong = 'none' | 'invalid';

/** How long a request is repeated after 429 (section 8), in ms. */
const patienceMs = 300_000;
const waitMs = 1000;
const longestWaitMs = 60_000;

/** The platform under test: sends single requests, and waits when it has to (429). */
export class Sandbox {
  readonly supplier: string;
  requests = 0;
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #authorizer: Authorizer;
  readonly #prefix: string;
  #accounts = 0;

  /** `run`: letters and digits that no other run has. */
  constructor(
    options: ClientOptions,
    { supplier, run }: { readonly supplier: string; readonly run: string },
  ) {
    const { credentials, clock } = options;
    this.supplier = supplier;
    this.#options = options;
    this.#clock = clock;
    this.#prefix = `CONF-${run}-`;
    const base = parseBaseUrl(options.baseUrl);
    if (base === undefined) throw new Error('the address of the platform is not checked');
    this.#transport = openTransport({ ...options, ...base });
    this.#authorizer =
      'token' in credentials
        ? fixedToken(credentials.token, credentials.headerForm)
        : tokenExchange(credentials, clock, (path, body) =>
            this.#transport.exchange({ method: 'POST', path, body }, false),
          );
  }

  /** External account numbers of this run begin so. */
  get prefix(): string {
    return this.#prefix;
  }

  /** An external account number that no run has used. */
  newAccount(): string {
    this.#accounts += 1;
    return `${this.#prefix}${this.#accounts}`;
  }

  get today(): number {
    return this.#clock.now();
  }

  /** Time that has passed, in ms. */
  get monotonic(): number {
    return this.#clock.monotonic();
  }

  pause(ms: number): Promise<void> {
    return this.#clock.sleep(ms);
  }

  post(endpoint: PostEndpoint, payload: JsonValue, query = '', wrong?: Wrong): Promise<Answered> {
    return this.#send('POST', `${knownEndpoints[endpoint].path}${query}`, stringifyJson(payload), wrong);
  }

  status(account: string, wrong?: Wrong, supplier = this.supplier): Promise<Answered> {
    return this.#send('GET', pathFor(endpoints.transferStatus, supplier, account), undefined, wrong);
  }

  /** A request to a path that only a tenancy has. */
  send(method: 'GET' | 'POST', path: string, payload?: JsonValue): Promise<Answered> {
    return this.#send(method, path, payload === undefined ? undefined : stringifyJson(payload));
  }

  /** The status of a task (v2). */
  taskStatus(account: string): Promise<Answered> {
    return this.#send('GET', pathFor(knownEndpoints.scheduleStatus, this.supplier, account), undefined);
  }

  /** ms since the epoch. */
  get now(): number {
    return this.#clock.now();
  }

  /** A list (section 2.5), reduced to the records of this run. */
  async list(endpoint: Extract<EndpointName, `${string}Processes`>, wrong?: Wrong): Promise<Listed> {
    const records: JsonObject[] = [];
    const scanner = new JsonArrayScanner((bytes) => {
      const record = readJson(bytes);
      if (!isJsonObject(record)) return false;
      const { external_account_number: account } = record;
      if (typeof account === 'string' && account.startsWith(this.#prefix)) records.push(record);
      return true;
    });
    const path = pathFor(endpoints[endpoint], this.supplier);
    const answered = await this.#send('GET', path, undefined, wrong, (chunk) => scanner.push(chunk));
    const isBroken = answered.status === 200 && !scanner.complete;
    return { ...answered, records, ...(isBroken && { cause: 'the body is not a JSON array of objects' }) };
  }

  /** What the token mutation answers to a key that nobody issued; undefined if a token is configured. */
  async askWithWrongKey(): Promise<string | undefined> {
    const { credentials } = this.#options;
    if ('token' in credentials) return undefined;
    const wrong = tokenExchange({ ...credentials, apiKey: 'not-an-api-key' }, this.#clock, (path, body) =>
      this.#transport.exchange({ method: 'POST', path, body }, false),
    );
    this.requests += 1;
    return (await wrong.get(undefined)).kind;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    wrong?: Wrong,
    take?: (chunk: Buffer) => boolean,
  ): Promise<Answered> {
    const until = this.#clock.monotonic() + patienceMs;
    for (let renewed = false; ;) {
      const authorization = wrong === undefined ? await this.#authorization(until) : wrongly(wrong);
      this.requests += 1;
      const { header, id } = authorization;
      const exchanged = await this.#transport.exchange(
        { method, path, body, take, authorization: header },
        false,
      );
      if (exchanged.kind !== 'reply')
        return { status: 0, cause: exchanged.cause, body: undefined, isEmpty: true };
      const { status, body: bytes, fault = '', retryAfter } = exchanged;
      if (status === 429 && this.#clock.monotonic() < until) {
        await this.#clock.sleep(waitFor(readRetryAfter(retryAfter, this.#clock.now())));
        continue;
      }
      if (status === 401 && wrong === undefined) {
        if (renewed) throw new CannotAsk('credentials', 'status 401');
        renewed = true;
        this.#authorizer.discard(id);
        continue;
      }
      return { status, cause: fault, body: readJson(bytes), isEmpty: bytes.length === 0 };
    }
  }

  async #authorization(until: number): Promise<{ readonly header: string; readonly id: number }> {
    for (;;) {
      const answer = await this.#authorizer.get(undefined);
      switch (answer.kind) {
        case 'ok':
          return answer.body;
        case 'throttled':
          if (this.#clock.monotonic() >= until) throw new CannotAsk('unavailable', 'throttled');
          await this.#clock.sleep(waitFor(answer.retryAfterMs));
          break;
        case 'unauthorized':
          throw new CannotAsk('credentials', answer.detail);
        case 'refused':
        case 'not-found':
          throw new CannotAsk('credentials', `status ${answer.status}`);
        default:
          throw new CannotAsk('unavailable', answer.cause);
      }
    }
  }
}

function waitFor(asked = waitMs): number {
  return Math.min(asked, longestWaitMs);
}

function wrongly(wrong: Wrong): { readonly header: string | undefined; readonly id: number } {
  return { header: wrong === 'none' ? undefined : 'Token not-a-token', id: 0 };
}

/** The answer in a few words, with the platform's own reason. */
export function inWords({ status, cause, body, isEmpty }: Answered): string {
  if (status === 0) return `no answer (${cause})`;
  const refusal = status >= 400 ? readRefusal(body) : undefined;
  const said = refusal?.problems.map(({ code, path, detail }) => `${path} ${code}: ${detail}`.trim()) ?? [];
  const words = [cause, refusal?.code ?? '', refusal?.detail ?? '', ...said].filter((one) => one !== '');
  if (words.length > 0) return `${status} (${words.slice(0, 3).join('; ')})`;
  if (isEmpty) return `${status} without a body`;
  if (body === undefined) return `${status} with a body that is not JSON`;
  return `${status} with ${stringifyJson(body).slice(0, 160)}`;
}
