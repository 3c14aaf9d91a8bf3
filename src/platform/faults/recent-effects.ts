import type { AccountKey } from '../../domain/account-key.ts';
import { keyText } from '../platform-context.ts';
import { accountNotFound } from '../refusals.ts';
import type { Refused, PlatformReply } from '../reply.ts';

/** 404 of a server that does not know the staged data yet. */
const notStaged: Refused = {
  status: 404,
  code: 'import_process_does_not_exist',
  detail: 'There is no import process for this account.',
};

const ofCreation: ReadonlySet<string> = new Set(['validate', 'stage', 'process', 'transferStatus', 'token']);

/** When accounts were staged and created, and tokens issued, for servers that are behind the others. */
export class RecentEffects {
  readonly #now: () => number;
  readonly #staged = new Map<string, number>();
  readonly #created = new Map<string, number>();
  #issuedAt = -Infinity;

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes the answer to a request that was worked on. */
  keep(endpoint: string, key: AccountKey, { status }: PlatformReply): void {
    if (status !== 200 && status !== 201) return;
    if (endpoint === 'token') this.#issuedAt = this.#now();
    if (endpoint === 'stage') this.#staged.set(keyText(key), this.#now());
    if (endpoint === 'process') this.#created.set(keyText(key), this.#now());
  }

  /** What a server says that is so many ms behind; undefined if it knows as much as the others. */
  behind(endpoint: string, key: AccountKey, ms: number): Refused | undefined {
    const isBefore = (at = -Infinity): boolean => this.#now() < at + ms;
    if (endpoint === 'process') return isBefore(this.#staged.get(keyText(key))) ? notStaged : undefined;
    if (ofCreation.has(endpoint)) return undefined;
    return isBefore(this.#created.get(keyText(key))) ? accountNotFound : undefined;
  }

  /** Whether the latest token was issued less than so many ms ago. */
  isTokenNew(ms: number): boolean {
    return this.#now() < this.#issuedAt + ms;
  }
}
