import type { Clock } from '../domain/clock.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { contradicts, refusesAnother, type EchoedRequest } from '../contract/echo.ts';
import { endpoints, knownEndpoints, pathFor } from '../contract/endpoints.ts';
import type { NumberForm } from '../contract/tenancy/answered-number.ts';
import type { RefusalStatuses } from '../contract/tenancy/refusal-statuses.ts';
import type { RefusedRequest, Refusal } from '../contract/refusal.ts';
import { nothingSent, SentValues } from '../contract/sent-values.ts';
import { importProcessRecord, transferStatusAnswer, transferStatusOf } from '../contract/answers.ts';
import type { ImportKind } from '../domain/import-kind.ts';
import { wrapsPayload } from '../contract/scheduled-import.ts';
import { readTaskStatus, transferStatusOfTask } from './task-status.ts';
import { defaultTransactionsQuery, type TransactionsQuery } from '../contract/schemas/transactions.ts';
import { tokenPath } from '../contract/schemas/token.ts';
import { addedRequests } from './added-requests.ts';
import { meterPointRequests } from './meter-point-requests.ts';
import { fixedToken, type HeaderForm } from './authorization.ts';
import { addressOf, parseBaseUrl, type BaseUrl } from './base-url.ts';
import { Deadlines, type Deadline } from './deadlines.ts';
import { Freshness } from './freshness.ts';
import type { Reply, ExchangeTarget, WireRequest } from './http-exchange.ts';
import { JsonArrayScanner } from './json-array-scanner.ts';
import { classifyResponse, throttled, unreadable, type ReplyReading } from './classify-response.ts';
import type { ConnectionTimeouts, DispatcherOptions } from './open-dispatcher.ts';
import type {
  Answer,
  PlatformClient,
  PostEndpoint,
  PostOptions,
  RequestOptions,
  TaskStatusBody,
  TransferStatusBody,
} from './platform-client.ts';
import { graphqlReading } from './graphql-reading.ts';
import { readJson } from './read-json.ts';
import { readSuccess, type AcceptedAnswers } from './read-success.ts';
import { SecretFilter } from './secret-filter.ts';
import { tokenExchange, type ApiKeyCredentials } from './token-exchange.ts';
import { isNotDelivered, type NotDelivered } from './not-delivered.ts';
import { readQuotas, waitOf } from './quotas.ts';
import { openTransport, type Transport } from './transport.ts';

export interface ClientOptions
  extends Omit<DispatcherOptions, 'origin' | 'timeouts'>, Pick<ExchangeTarget, 'userAgent'> {
  /** Scheme, host and port, and a path if the interface's paths follow one. */
  readonly baseUrl: string;
  readonly credentials: ApiKeyCredentials | { readonly token: string; readonly headerForm?: HeaderForm };
  readonly clock: Clock;
  /**
   * `request`, in ms: for a whole request, with the wait for a token, however slowly its answer arrives. For a list,
   * which may be long, the time from one record to the next.
   */
  readonly timeouts: ConnectionTimeouts & { readonly request: number };
  readonly acceptedAnswers?: AcceptedAnswers;
  /** Answers of a gateway to requests that it did not deliver. */
  readonly notDelivered?: readonly NotDelivered[];
  /** What the tenancy's contract lists. */
  readonly refusalStatuses?: RefusalStatuses | undefined;
  /** The form of the platform's account numbers by the tenancy's contract. */
  readonly numberForm?: NumberForm | undefined;
  /** The longest list that is read, in bytes; a longer one counts as endless. */
  readonly longestList?: number;
  /** How accounts are imported; absent: v1. */
  readonly importKind?: ImportKind | undefined;
}

/** About 30 million accounts, in bytes. */
const mostListed = 4 * 1024 ** 3;

/** A request before it has a token and a deadline; `gotOn` restarts its time. */
interface SentRequest extends Omit<WireRequest, 'take'>, Pick<RequestOptions, 'fresh'> {
  readonly take?: (chunk: Buffer, gotOn: () => void) => boolean;
}

/**
 * A client of the platform at `baseUrl` (section 4), with kept-alive connections and one request at a time on each.
 * Throws if a request could never be right: a base URL that has more than a path, or a token that no header can carry.
 */
export function createClient(options: ClientOptions): PlatformClient {
  const base = baseOf(options.baseUrl);
  const deadlines = new Deadlines(options.timeouts.request, options.clock);
  return clientOver(openTransport({ ...options, ...base }), addressOf(base), { ...options, deadlines });
}

/** A client of the platform at `address` over a transport. */
export function clientOver(
  transport: Transport,
  address: string,
  options: Pick<
    ClientOptions,
    | 'credentials'
    | 'proxies'
    | 'acceptedAnswers'
    | 'notDelivered'
    | 'refusalStatuses'
    | 'numberForm'
    | 'longestList'
    | 'importKind'
  > & {
    readonly clock: Pick<Clock, 'now' | 'monotonic'>;
    /** Absent: the transport ends every request in time. */
    readonly deadlines?: Deadlines;
  },
): PlatformClient {
  const { credentials, clock, deadlines, acceptedAnswers = {}, longestList = mostListed } = options;
  const { refusalStatuses = {}, notDelivered = [], numberForm: isNumber, importKind = 'v1' } = options;
  const statusEndpoint = importKind === 'v2' ? knownEndpoints.scheduleStatus : endpoints.transferStatus;
  const secrets = new SecretFilter(secretsOf(options));
  const closed = new AbortController();
  const stopped = new AbortController();
  let closing: Promise<void> | undefined;
  let questions = 0;
  const freshness = new Freshness(clock, askTime);
  const authorizer =
    'token' in credentials
      ? fixedToken(credentials.token, credentials.headerForm)
      : tokenExchange(
          credentials,
          clock,
          async (path, body) => {
            const deadline = begin(closed.signal);
            const sentAt = clock.monotonic();
            try {
              const { signal } = deadline;
              const exchanged = await transport.exchange({ method: 'POST', path, body, signal }, false);
              const isStale =
                exchanged.kind === 'reply' && (await freshness.isStale(exchanged, 'POST', sentAt));
              return isStale ? { kind: 'no-reply', cause: 'stale_answer' } : exchanged;
            } finally {
              deadline.end();
            }
          },
          (text) => secrets.text(text),
          stopped.signal,
        );

  /** Of an account that nobody has, at an address that was never asked for. */
  async function askTime(): Promise<Reply | undefined> {
    questions += 1;
    const deadline = begin(closed.signal);
    const account = `migrate-asks-the-time-${clock.now()}-${questions}`;
    const path = pathFor(statusEndpoint, 'migrate', account);
    try {
      const exchanged = await transport.exchange({ method: 'GET', path, signal: deadline.signal }, false);
      return exchanged.kind === 'reply' ? exchanged : undefined;
    } finally {
      deadline.end();
    }
  }

  function begin(signal: AbortSignal | undefined): Deadline {
    return deadlines?.start(signal) ?? { signal, restart: () => undefined, end: () => undefined };
  }

  async function send<T>(
    { method, path, body, signal: given, fresh = false, take }: SentRequest,
    reading: ReplyReading<T>,
  ): Promise<Answer<T>> {
    const deadline = begin(given);
    const { signal } = deadline;
    try {
      const authorized = await authorizer.get(signal);
      if (authorized.kind !== 'ok') return authorized;
      const { header: authorization, secret } = authorized.body;
      const taking = take && ((chunk: Buffer) => take(chunk, () => deadline.restart()));
      const mostTaken = longestList;
      const request = { method, path, authorization, body, signal, take: taking, mostTaken };
      secrets.hold(secret);
      try {
        const sentAt = clock.monotonic();
        const exchanged = await transport.exchange(request, fresh);
        if (exchanged.kind === 'reply' && (await freshness.isStale(exchanged, method, sentAt)))
          return { kind: 'unknown', cause: 'stale_answer', status: exchanged.status };
        const answer = classifyResponse(secrets.exchange(exchanged), authorized.body, clock.now(), reading);
        return exchanged.kind === 'reply' ? withLimits(answer, exchanged) : answer;
      } finally {
        secrets.release(secret);
      }
    } finally {
      deadline.end();
    }
  }

  /** Adds what the answer says about limits, and whether it is known to come from before the platform. */
  function withLimits<T>(answer: Answer<T>, reply: Reply): Answer<T> {
    const quotas = reply.headers === undefined ? undefined : readQuotas(reply.headers, clock.now());
    const isUnclear = answer.kind === 'unknown' && answer.isOver !== true && reply.status >= 400;
    const isRefusal = isUnclear && isNotDelivered(notDelivered, reply);
    const said: Answer<T> = isRefusal ? throttled(reply, clock.now()) : answer;
    if (quotas === undefined) return said;
    if (said.kind !== 'throttled' && said.kind !== 'unknown') return { ...said, quotas };
    return { ...said, quotas, retryAfterMs: said.retryAfterMs ?? waitOf(quotas) };
  }

  function taskStatus(
    key: AccountKey,
    { about = nothingSent, ...options }: RequestOptions = {},
  ): Promise<Answer<TaskStatusBody>> {
    const path = pathFor(knownEndpoints.scheduleStatus, key.supplier, key.account);
    const asked: EchoedRequest = { key, isNumber, payload: () => ({}) };
    const request = { endpoint: 'scheduleStatus', payload: () => asked.payload(), sent: about } as const;
    const success = (reply: Reply) => readTaskStatus(reply, asked, about);
    const isOfAnother = (refusal: JsonValue) => refusesAnother('scheduleStatus', refusal, asked);
    return send({ method: 'GET', path, ...options }, { request, success, isOfAnother, isQuestion: true });
  }

  return {
    address,
    taskStatus,
    added: addedRequests(send),
    meterPoints: meterPointRequests(send),
    async authenticate(signal) {
      const authorized = await authorizer.get(signal);
      return authorized.kind === 'ok' ? { ...authorized, body: undefined } : authorized;
    },
    discardToken: (tokenId) => authorizer.discard(tokenId),
    post(asked, given, { query, key, krakenAccountNumber, about, signal, fresh = false } = {}) {
      // Validating is the same in both generations, but for the place of the payload.
      const isWrapped = importKind === 'v2' && asked === 'validate';
      const name = isWrapped ? 'scheduleValidate' : asked;
      const body = isWrapped
        ? Buffer.concat([Buffer.from('{"payload":'), Buffer.from(given), Buffer.from('}')])
        : given;
      const path = knownEndpoints[name].path + (name === 'transactions' ? queryOf(query) : '');
      const posted = new Posted(
        name,
        body,
        { key, krakenAccountNumber, isNumber, about },
        { accepted: acceptedAnswers, refusals: refusalStatuses[name] },
      );
      return send({ method: 'POST', path, body, signal, fresh }, posted);
    },
    async transferStatus(key, { about = nothingSent, ...options } = {}) {
      if (importKind === 'v2') return transferStatusOfTask(await taskStatus(key, { about, ...options }));
      const path = pathFor(endpoints.transferStatus, key.supplier, key.account);
      const asked: EchoedRequest = { key, isNumber, payload: () => ({}) };
      const request = { endpoint: 'transferStatus', payload: () => asked.payload(), sent: about } as const;
      const success = (reply: Reply) => readTransferStatus(reply, asked);
      const isOfAnother = (refusal: JsonValue) => refusesAnother('transferStatus', refusal, asked);
      return send({ method: 'GET', path, ...options }, { request, success, isOfAnother, isQuestion: true });
    },
    list(name, supplier, each, options = {}) {
      let records = 0;
      const scanner = new JsonArrayScanner((bytes) => {
        records += 1;
        const record = importProcessRecord.safeParse(readJson(secrets.bytes(bytes)));
        const { kraken_account_number: number } = record.data ?? {};
        const isOurs = record.success && (number == null || number === '' || isNumber?.(number) !== false);
        if (isOurs) each(record.data);
        return isOurs;
      });
      const path = pathFor(endpoints[name], supplier);
      const success = (reply: Reply) =>
        reply.fault === undefined && scanner.complete ? ok(reply, undefined) : unreadable(reply);
      const take = (chunk: Buffer, gotOn: () => void): boolean => {
        const before = records;
        const isExpected = scanner.push(chunk);
        if (records > before) gotOn();
        return isExpected;
      };
      const request = { endpoint: name, payload: () => ({}), sent: nothingSent } as const;
      return send({ method: 'GET', path, ...options, take }, { request, success, isQuestion: true });
    },
    query: (body, { path = tokenPath, signal } = {}) =>
      send({ method: 'POST', path, body, signal }, graphqlReading),
    stopWaiting: () => stopped.abort(),
    close() {
      closed.abort();
      deadlines?.close();
      return (closing ??= transport.close());
    },
  };
}

/** Secrets that must not be repeated to anybody, whatever the platform answers. */
function secretsOf({ credentials, proxies }: Pick<ClientOptions, 'credentials' | 'proxies'>): string[] {
  const own = 'token' in credentials ? credentials.token : credentials.apiKey;
  const { username, password } = new URL(proxies?.proxy ?? 'http://none');
  // A password is percent-encoded in an address.
  return [own, password, unescaped(password), password === '' ? unescaped(username) : ''];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function baseOf(baseUrl: string): BaseUrl {
  const base = parseBaseUrl(baseUrl);
  if (base !== undefined) return base;
  throw new Error(
    'The base URL must be a scheme, a host and a port, such as https://api.example.com, and may have a path.',
  );
}

function queryOf(query: TransactionsQuery = defaultTransactionsQuery): string {
  return (
    `?check_previously_added=${query.checkPreviouslyAdded}` +
    `&force_add_to_current_statement=${query.forceAddToCurrentStatement}`
  );
}

function ok<T>(reply: Reply, body: T): Answer<T> {
  return { kind: 'ok', status: reply.status, body };
}

/** A POST as its answer is compared with it. Its body is parsed only if an answer makes that necessary. */
class Posted implements EchoedRequest, RefusedRequest, ReplyReading<JsonValue | undefined> {
  readonly key: EchoedRequest['key'];
  readonly krakenAccountNumber: string | undefined;
  readonly isNumber: NumberForm | undefined;
  readonly endpoint: PostEndpoint;
  readonly #body: string | Buffer;
  readonly refusals: readonly number[] | undefined;
  readonly #accepted: AcceptedAnswers;
  readonly sent: SentValues;
  #payload: JsonObject | undefined;

  constructor(
    endpoint: PostEndpoint,
    body: string | Buffer,
    {
      key,
      krakenAccountNumber,
      isNumber,
      about,
    }: Pick<PostOptions, 'key' | 'krakenAccountNumber' | 'about'> & Pick<EchoedRequest, 'isNumber'>,
    {
      accepted,
      refusals,
    }: { readonly accepted: AcceptedAnswers; readonly refusals: readonly number[] | undefined },
  ) {
    this.refusals = refusals;
    this.endpoint = endpoint;
    this.#body = body;
    this.#accepted = accepted;
    this.sent = about ?? new SentValues(() => [body]);
    this.key = key ?? keyIn(this.payload());
    this.krakenAccountNumber = krakenAccountNumber;
    this.isNumber = isNumber;
  }

  get request(): RefusedRequest {
    return this;
  }

  payload(): JsonObject {
    return (this.#payload ??= this.#read());
  }

  #read(): JsonObject {
    const body = payloadOf(this.#body);
    const inner = wrapsPayload(this.endpoint) ? body['payload'] : body;
    return isJsonObject(inner) ? inner : {};
  }

  success(reply: Reply): Answer<JsonValue | undefined> {
    return readSuccess(this.endpoint, reply, this, this.#body, this.#accepted);
  }

  isOfAnother(words: JsonValue, refusal: Refusal | undefined): boolean {
    const isRehearsal = refusal?.wouldImport === true && this.payload()['dry_run'] !== true;
    return isRehearsal || refusesAnother(this.endpoint, words, this);
  }
}

function payloadOf(body: string | Buffer): JsonObject {
  const value = readJson(typeof body === 'string' ? Buffer.from(body) : body);
  return isJsonObject(value) ? value : {};
}

function keyIn(payload: JsonObject): EchoedRequest['key'] {
  const supplier = payload['import_supplier'] ?? payload['import_supplier_code'];
  const account = payload['external_account_number'];
  return definedFields({
    supplier: typeof supplier === 'string' ? supplier : undefined,
    account: typeof account === 'string' ? account : undefined,
  });
}

function readTransferStatus(reply: Reply, asked: EchoedRequest): Answer<TransferStatusBody> {
  const body = reply.fault === undefined && reply.status === 200 ? readJson(reply.body) : undefined;
  const answer = transferStatusAnswer.safeParse(body);
  if (body === undefined || !answer.success) return unreadable(reply);
  if (contradicts('transferStatus', body, asked))
    return { kind: 'unknown', cause: 'answer_mismatch', status: reply.status };
  // An empty string means that there is no account yet (section 2.12).
  const krakenAccountNumber = answer.data.kraken_account_number?.trim() || undefined;
  const status = transferStatusOf(answer.data.status, krakenAccountNumber !== undefined);
  return status === undefined ? unreadable(reply) : ok(reply, { status, krakenAccountNumber });
}
