import type { AccountKey } from '../domain/account-key.ts';
import type { JsonValue } from '../domain/json.ts';
import type { KnownEndpointName } from '../contract/endpoints.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { RegistrationEndpointName } from '../contract/registration.ts';
import type { SentValues } from '../contract/sent-values.ts';
import type { ImportProcessRecord, TransferStatus } from '../contract/answers.ts';
import type { Quota } from './quotas.ts';
import type { TransactionsQuery } from '../contract/schemas/transactions.ts';

export type { Quota } from './quotas.ts';

/**
 * The outcome of one request: a closed set. The client never retries and never decides.
 *
 * - `ok`: status and body are as in the interface (section 4), and the answer names nothing but what was asked
 * - `refused`: the platform refused (a 4xx) in its own format; nothing was done
 * - `not-found`: 404 (section 7)
 * - `throttled`: 429 (section 8), the token mutation was asked too often, or a gateway did not deliver it (its status is a
 *   5xx then); nothing was done
 * - `unauthorized`: 401, 403 in the platform's format, or the token mutation refused the key (section 5); nothing
 *   was done
 * - `not-sent`: the request never left: DNS, connection refused, connect timeout, TLS
 * - `unknown`: it left, and its effect is not known: a timeout, a reset, a 5xx, a proxy's page, an answer about
 *   something else (`answer_mismatch`) or that is not of the interface (`unrecognised_answer`)
 */
export type Answer<T> = Announced &
  (
    | { readonly kind: 'ok'; readonly status: number; readonly body: T }
    | { readonly kind: 'refused'; readonly status: number; readonly refusal: Refusal }
    | { readonly kind: 'not-found'; readonly status: number; readonly refusal: Refusal }
    | {
        readonly kind: 'throttled';
        readonly status: number;
        readonly retryAfterMs?: number | undefined;
        /** The platform's, where it is not the status that says so. */
        readonly code?: string;
      }
    | {
        readonly kind: 'unauthorized';
        readonly status: number;
        /** Identifies the token for discardToken; 0 if the key was refused and there is none. */
        readonly tokenId: number;
        readonly detail: string;
      }
    | { readonly kind: 'not-sent'; readonly cause: string }
    | {
        readonly kind: 'unknown';
        readonly cause: string;
        readonly status?: number;
        readonly retryAfterMs?: number | undefined;
        /**
         * Whether the platform itself answered (500, in JSON): the request is no longer under way, whatever its effect.
         */
        readonly isOver?: true | undefined;
        /** Where a redirect leads, without its query. */
        readonly target?: string | undefined;
        /** For a 2xx that is not of the interface: its status and the form of its body, without values. */
        readonly looks?: string;
      }
  );

interface Announced {
  /** The limits that came with it. */
  readonly quotas?: readonly Quota[] | undefined;
}

export interface TransferStatusBody {
  readonly status: TransferStatus;
  /** Absent if no account exists (section 2.12). */
  readonly krakenAccountNumber?: string | undefined;
}

/** What the platform says of the latest task of an account (import v2). */
export interface TaskStatusBody {
  /** As the platform spells it. */
  readonly status: string;
  readonly krakenAccountNumber?: string | undefined;
  readonly error?: { readonly code: string; readonly detail: string } | undefined;
}

export type PostEndpoint = Exclude<
  KnownEndpointName,
  | 'scheduleStatus'
  | 'transferStatus'
  | 'allProcesses'
  | 'pendingProcesses'
  | 'importedProcesses'
  | RegistrationEndpointName
>;

/** How one request is sent. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Use a separate connection that is opened for the request and closed after it. For an answer that decides
   * something irrevocable and does not identify its request.
   */
  readonly fresh?: boolean;
  /** What the platform is sent about the account, if that is not the body alone. */
  readonly about?: SentValues | undefined;
}

export interface PostOptions extends RequestOptions {
  readonly query?: TransactionsQuery | undefined;
  /** The account of the request; read from the body if it is not given. */
  readonly key?: AccountKey | undefined;
  /** The account's platform number, if it is known: an answer with another number is not ours. */
  readonly krakenAccountNumber?: string | undefined;
}

/** What identifies an item of a step that a profile adds: a field and its value there. */
export interface AddedItem {
  readonly field: string;
  readonly value: string;
}

/** How a request of such a step is sent; `about`: what the platform is sent about the item. */
export interface AddedOptions {
  readonly signal?: AbortSignal | undefined;
  readonly about: SentValues;
}

/** The requests of steps that a profile adds; bodies are serialised JSON. */
export interface AddedClient {
  /** Sends an item. A success is 200 or 201 with an empty body, `{}` or JSON that names the item. */
  post(path: string, body: string, item: AddedItem, options: AddedOptions): Promise<Answer<void>>;
  /** The same where nothing is created: any JSON with 2xx that names no other item is a success. */
  check(path: string, body: string, item: AddedItem, options: AddedOptions): Promise<Answer<void>>;
  /** Whether the platform has the item: 200 with JSON that names it, or 404 with JSON. */
  ask(path: string, item: AddedItem, options: AddedOptions): Promise<Answer<boolean>>;
}

/** A meter point of an account, by its identifier in the market; the status is the platform's own word. */
export interface MeterPoint {
  readonly mpxn: string;
  readonly status: string;
}

/** What registration has made of a meter point: marked, or an error. */
export interface RegisteredMeterPoint {
  readonly mpxn: string;
  readonly isRegistered: boolean;
}

/** The requests about the meter points of an account that exists; a tenancy may lack them. */
export interface MeterPointClient {
  /** Their statuses; none if the platform says that the account has none. */
  statuses(key: AccountKey, options?: Pick<RequestOptions, 'signal'>): Promise<Answer<readonly MeterPoint[]>>;
  /** Marks all of them for registration. A success is 200 with JSON that names the account and its meter points. */
  register(
    key: AccountKey,
    options?: Pick<RequestOptions, 'signal'>,
  ): Promise<Answer<readonly RegisteredMeterPoint[]>>;
}

export interface PlatformClient {
  /** The base address that requests go to, without a slash at its end. */
  readonly address: string;
  /** Ensures that there is a token, without any other request: shows early that a key is refused. */
  authenticate(signal?: AbortSignal): Promise<Answer<void>>;
  /**
   * Drops the token that an `unauthorized` answer names; the next request obtains a new one, once for all requests.
   */
  discardToken(tokenId: number): void;
  /**
   * Sends one POST; `body` is serialised JSON, as text or in UTF-8. Query parameters for endpoint 9 are always sent
   * explicitly. The body of a success is absent if it is empty, repeats the request, or is the tenancy's own.
   */
  post(
    endpoint: PostEndpoint,
    body: string | Buffer,
    options?: PostOptions,
  ): Promise<Answer<JsonValue | undefined>>;
  readonly added: AddedClient;
  readonly meterPoints: MeterPointClient;
  /** Endpoint 4. */
  transferStatus(key: AccountKey, options?: RequestOptions): Promise<Answer<TransferStatusBody>>;
  /** The status of the account's latest task (import v2). */
  taskStatus(key: AccountKey, options?: RequestOptions): Promise<Answer<TaskStatusBody>>;
  /**
   * Endpoints 5 to 7, streamed: `each` is called for every record as it arrives. An incomplete list is `unknown`,
   * however much of it was passed on.
   */
  list(
    endpoint: 'allProcesses' | 'pendingProcesses' | 'importedProcesses',
    supplier: string,
    each: (record: ImportProcessRecord) => void,
    options?: RequestOptions,
  ): Promise<Answer<void>>;
  /**
   * Sends one GraphQL request, which must be a query: it is treated as having no effect. The body of an answer in JSON is
   * returned whatever it says, also of a 4xx: GraphQL has its errors in it. `path`: absent for the usual one.
   */
  query(
    body: string,
    options?: Pick<RequestOptions, 'signal'> & { readonly path?: string | undefined },
  ): Promise<Answer<JsonValue>>;
  /** From now on no request waits for a token: one that has none is `not-sent`. */
  stopWaiting?(): void;
  /** Ends all requests under way, and every connection. */
  close(): Promise<void>;
}
