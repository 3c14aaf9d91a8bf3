import type {
  Answer,
  PlatformClient,
  PostEndpoint,
  TransferStatusBody,
} from '../../src/client/platform-client.ts';
import type { Refusal } from '../../src/contract/refusal.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';

type AnyAnswer = Answer<JsonValue | undefined>;
type Asked = PostEndpoint | 'transferStatus' | 'taskStatus';

export const ok = (body?: JsonValue, status = 201): AnyAnswer => ({ kind: 'ok', status, body });
export const lost = (cause = 'connection_reset'): AnyAnswer => ({ kind: 'unknown', cause });
/** The platform's own. */
export const serverError: AnyAnswer = { kind: 'unknown', cause: 'http_500', status: 500, isOver: true };
/** A gateway's. */
export const tooLarge: AnyAnswer = { kind: 'unknown', cause: 'gateway_http_413', status: 413 };
export const notSent: AnyAnswer = { kind: 'not-sent', cause: 'connection_refused' };
export const throttled = (retryAfterMs?: number): AnyAnswer => ({
  kind: 'throttled',
  status: 429,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
export const unauthorized: AnyAnswer = {
  kind: 'unauthorized',
  status: 401,
  tokenId: 1,
  detail: 'Invalid token.',
};

export function refused(code: string, path = '', more: { krakenAccountNumber?: string } = {}): AnyAnswer {
  const problems = [{ code, path, detail: 'No.', severity: 'error' as const }];
  return {
    kind: 'refused',
    status: 400,
    refusal: { problems, code: '', detail: '', wouldImport: false, ...more },
  };
}

export const dryRunSuccess: AnyAnswer = {
  kind: 'refused',
  status: 400,
  refusal: { problems: [], code: '', detail: 'Account would successfully import.', wouldImport: true },
};

/** A platform whose next answers a test writes down; without a script it does what was asked. */
export class ScriptedPlatform {
  readonly asked: { readonly endpoint: Asked; readonly body: JsonObject }[] = [];
  /** Requests that the gateway refused. */
  readonly tooLarge: { readonly endpoint: Asked; readonly bytes: number }[] = [];
  readonly discarded: number[] = [];
  /** Status questions that were asked over a connection of their own, by account. */
  readonly askedFreshly: string[] = [];
  /** Requests that were sent over a connection of their own, by endpoint. */
  readonly sentFreshly: PostEndpoint[] = [];
  /** What the status of an account is while no answer is written down. */
  readonly statuses = new Map<string, AnyAnswer>();
  /** The list of imported accounts; absent: it is not given. */
  listed:
    | readonly {
        readonly external_account_number: string;
        readonly kraken_account_number?: string;
        readonly account_created_at?: string;
      }[]
    | undefined;
  readonly listsAsked: string[] = [];
  /** Whose requests are never answered. */
  readonly hanging = new Set<Asked>();
  /** A gateway that refuses larger bodies, in bytes; `delivers`: only after the platform has done what they ask for. */
  gateway:
    { readonly mostBytes: number; readonly delivers?: boolean; readonly answer?: AnyAnswer } | undefined;
  /** The answer to everything, while there is nobody to answer. */
  gone: AnyAnswer | undefined;
  /** Called before each answer, with what was asked. */
  onRequest: (endpoint: Asked) => void = () => undefined;
  readonly #scripts = new Map<Asked, AnyAnswer[]>();

  /** The next answers of an endpoint; afterwards it says yes again. */
  answers(endpoint: Asked, ...answers: AnyAnswer[]): this {
    this.#scripts.set(endpoint, [...(this.#scripts.get(endpoint) ?? []), ...answers]);
    return this;
  }

  /** Forgets the answers that are left. */
  clear(endpoint: Asked): void {
    this.#scripts.delete(endpoint);
  }

  times(endpoint: Asked): number {
    return this.asked.filter((request) => request.endpoint === endpoint).length;
  }

  bodies(endpoint: Asked): JsonObject[] {
    return this.asked.filter((request) => request.endpoint === endpoint).map((request) => request.body);
  }

  client(): PlatformClient {
    return {
      address: 'https://platform.example',
      authenticate: () => Promise.resolve({ kind: 'ok', status: 200, body: undefined }),
      query: () => Promise.resolve({ kind: 'unknown', cause: 'no_graphql' }),
      discardToken: (id) => void this.discarded.push(id),
      added: {
        post: () => Promise.resolve({ kind: 'unknown', cause: 'no_added_steps' }),
        check: () => Promise.resolve({ kind: 'unknown', cause: 'no_added_steps' }),
        ask: () => Promise.resolve({ kind: 'unknown', cause: 'no_added_steps' }),
      },
      meterPoints: {
        statuses: () => Promise.resolve({ kind: 'unknown', cause: 'no_registration' }),
        register: () => Promise.resolve({ kind: 'unknown', cause: 'no_registration' }),
      },
      post: (endpoint, body, { signal, fresh } = {}) => {
        if (fresh === true) this.sentFreshly.push(endpoint);
        const { mostBytes = Infinity, delivers, answer = tooLarge } = this.gateway ?? {};
        if (Buffer.byteLength(body) > mostBytes) {
          this.tooLarge.push({ endpoint, bytes: Buffer.byteLength(body) });
          if (delivers === true)
            this.asked.push({ endpoint, body: JSON.parse(body.toString()) as JsonObject });
          return Promise.resolve(answer);
        }
        return this.#answer(endpoint, JSON.parse(body.toString()) as JsonObject, signal);
      },
      transferStatus: (key, { signal, fresh } = {}) => {
        if (fresh === true) this.askedFreshly.push(key.account);
        const answer = this.#answer('transferStatus', { ...key }, signal);
        return answer as unknown as Promise<Answer<TransferStatusBody>>;
      },
      taskStatus: (key, { signal } = {}) =>
        this.#answer('taskStatus', { ...key }, signal) as Promise<Answer<never>>,
      list: (endpoint, supplier, each) => {
        this.listsAsked.push(`${endpoint} ${supplier}`);
        if (this.listed === undefined)
          return Promise.resolve({ kind: 'not-found', status: 404, refusal: noWords(404) });
        this.listed.forEach(each);
        return Promise.resolve({ kind: 'ok', status: 200, body: undefined });
      },
      close: () => Promise.resolve(),
    };
  }

  #agree(endpoint: Asked, body: JsonObject): AnyAnswer {
    const { account } = body;
    const status =
      endpoint === 'transferStatus' && typeof account === 'string' ? this.statuses.get(account) : undefined;
    return status ?? agree(endpoint, body);
  }

  #answer(endpoint: Asked, body: JsonObject, signal: AbortSignal | undefined): Promise<AnyAnswer> {
    if (signal?.aborted === true) return Promise.resolve({ kind: 'not-sent', cause: 'aborted' });
    this.onRequest(endpoint);
    this.asked.push({ endpoint, body });
    if (this.hanging.has(endpoint))
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(lost('aborted'))));
    return Promise.resolve(this.gone ?? this.#scripts.get(endpoint)?.shift() ?? this.#agree(endpoint, body));
  }
}

const noWords = (status: number): Refusal => ({
  problems: [],
  code: `http_${status}`,
  detail: '',
  wouldImport: false,
});

function agree(endpoint: Asked, body: JsonObject): AnyAnswer {
  const number = body['external_account_number'];
  const account = typeof number === 'string' ? number : '';
  if (endpoint === 'process')
    return body['dry_run'] === true ? dryRunSuccess : ok({ kraken_account_number: `A-${account}` });
  if (endpoint === 'transferStatus') return ok({ status: 'UNKNOWN' }, 200);
  if (endpoint === 'taskStatus') return lost('no_task');
  if (endpoint === 'notes')
    return ok((body['notes'] as JsonObject[]).map((note) => ({ ...note, status: 'NOTE_CREATION_SUCCESS' })));
  if (endpoint === 'transactions') {
    const results = (body['transactions'] as JsonObject[]).map((transaction) => ({
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: transaction,
    }));
    return ok({ results });
  }
  return ok({});
}
