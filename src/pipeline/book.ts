import type { AccountKey } from '../domain/account-key.ts';
import type { AccountState } from '../domain/account-state.ts';
import type { Journal } from '../journal/journal.ts';
import { IdSet } from './id-set.ts';

/** Accounts that are entered with one write: enough to be cheap, and little memory. */
const perWrite = 1_000;

interface Entry {
  readonly key: AccountKey;
  readonly hear: (state: AccountState) => void;
}

/**
 * Records in the journal which accounts a run reads from an export, whether it drives them or not. They are the book of
 * their supplier.
 */
export class Book {
  readonly #journal: Journal;
  readonly #platform: string;
  readonly #from: string;
  readonly #read = new IdSet();
  #entries: Entry[] = [];
  #hasStray = false;

  /** `from`: where the export lies. */
  constructor(journal: Journal, platform: string, from: string) {
    this.#journal = journal;
    this.#platform = platform;
    this.#from = from;
  }

  /** An account that is driven, and has its entry: the journal's own number of it. */
  read(accountId: number): void {
    this.#read.add(accountId);
  }

  /** An account without a supplier: which entry is meant cannot be told. */
  stray(): void {
    this.#hasStray = true;
  }

  /** An account that is not driven; `hear` is told how it stands. Resolves when there is room for the next. */
  async enter(key: AccountKey, hear: Entry['hear'] = () => undefined): Promise<void> {
    this.#entries.push({ key, hear });
    if (this.#entries.length >= perWrite) await this.flush();
  }

  /** Resolves when everything that was entered is durable, and told. */
  async flush(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    if (entries.length === 0) return;
    const keys = entries.map(({ key }) => key);
    const standings = await this.#journal.enter(this.#platform, this.#from, keys);
    standings.forEach(({ id, state }, at) => {
      this.#read.add(id);
      entries[at]?.hear(state);
    });
  }

  /** Call when the export was read to its end, and nothing in it was unreadable: what it does not have is absent. */
  async close(): Promise<void> {
    await this.flush();
    if (this.#hasStray) return;
    let absent: number[] = [];
    for await (const { id, isAbsent } of this.#journal.accountsFrom(this.#platform, this.#from)) {
      if (isAbsent || this.#read.has(id)) continue;
      absent.push(id);
      if (absent.length < perWrite) continue;
      await this.#journal.markAbsent(absent);
      absent = [];
    }
    if (absent.length > 0) await this.#journal.markAbsent(absent);
  }
}
