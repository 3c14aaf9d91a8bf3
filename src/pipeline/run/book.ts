import type { AccountKey } from '../../domain/account-key.ts';
import type { AccountState } from '../../domain/account-state.ts';
import type { Fix } from '../../domain/fix.ts';
import type { Journal, SupplierOverview } from '../../journal/journal.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';

/** Accounts that are entered with one write: efficient, with little memory. */
const perWrite = 1_000;
/** The most that are held: about 20 MB. */
const mostHeld = 100_000;

interface Entry {
  readonly key: AccountKey;
  readonly from: string;
  readonly hear: (state: AccountState) => void;
}

/**
 * Records in the journal which accounts a run reads from an export, whether it runs them or not. They are the book of
 * their supplier.
 */
export class Book {
  readonly #journal: Journal;
  readonly #platform: string;
  readonly #place: string;
  /** The locations of its accounts: the export, and the `--with` directories. */
  readonly #places: ReadonlySet<string>;
  readonly #read = new IdSet();
  /** Accounts that an earlier run read, and that are no longer there. */
  left = 0;
  #entries: Entry[] = [];
  #isHolding = false;
  #hasStray = false;

  /** `place`: the location of the export. `fixes`: the locations of the `--with` directories. */
  constructor(journal: Journal, platform: string, place: string, fixes: readonly string[]) {
    this.#journal = journal;
    this.#platform = platform;
    this.#place = place;
    this.#places = new Set([place, ...fixes]);
  }

  /** Call before its accounts are opened or entered. `size`: the number of accounts of the export and its fixes. */
  async begin(size: number | undefined): Promise<void> {
    // Which of the accounts are the export's and which a fix's is not known.
    const own = this.#places.size === 1 ? size : undefined;
    for (const place of this.#places) await this.#journal.beginReading(this.#platform, place, own);
  }

  /** Accounts that are not run are only entered once `release` says so, or if there are very many: the export may be that of another book. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
  }

  /** Forgets what is held. */
  drop(): void {
    if (this.#isHolding) this.#entries = [];
  }

  /** Whether the journal may not know all accounts of the export and its fixes, by what it says of a supplier. */
  isPartlyRead({ partlyRead }: Pick<SupplierOverview, 'partlyRead'>): boolean {
    return partlyRead.some(({ place }) => this.#places.has(place));
  }

  /** The number of accounts of the export and its fixes that the journal knows. */
  known(): Promise<number> {
    return this.#journal.countFrom(this.#platform, [...this.#places]);
  }

  /** The export that the book has an account from: a fix replaces its data, not its place in the export. */
  from(fix: Fix | undefined): string {
    return fix === undefined || fix.isInExport ? this.#place : fix.place;
  }

  /** Enters an account that is run; `id` is the journal's own number of it. */
  read(accountId: number): void {
    this.#read.add(accountId);
  }

  /** An account without a supplier: its entry is unknown. */
  stray(): void {
    this.#hasStray = true;
  }

  /** Enters an account that is not run; `hear` is called with its state. Resolves when there is room for the next. */
  async enter(
    { key, fix, unchanged }: Pick<ReadyPlan, 'key' | 'fix' | 'unchanged'>,
    hear: Entry['hear'] = () => undefined,
  ): Promise<void> {
    if (unchanged?.isIn === true) {
      this.#read.add(unchanged.id);
      hear('completed');
      return;
    }
    this.#entries.push({ key, from: this.from(fix), hear });
    if (this.#entries.length >= (this.#isHolding ? mostHeld : perWrite)) await this.flush();
  }

  /** Resolves when every entry is durable, and its state reported. */
  async flush(): Promise<void> {
    while (this.#entries.length > 0) await this.#write(this.#entries.splice(0, perWrite));
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    for (const from of this.#places) {
      const own = entries.filter((entry) => entry.from === from);
      if (own.length === 0) continue;
      const keys = own.map(({ key }) => key);
      const standings = await this.#journal.enter(this.#platform, from, keys);
      standings.forEach(({ id, state }, at) => {
        this.#read.add(id);
        own[at]?.hear(state);
      });
    }
  }

  /**
   * Call when the export was read to its end. If it has no unreadable rows, accounts that it does not have become
   * absent, if they are in it by `isIn`.
   */
  async close(
    { hasUnreadable }: { readonly hasUnreadable: boolean },
    isIn: (key: AccountKey) => boolean,
  ): Promise<void> {
    await this.flush();
    // Counting is much faster than to look at each of them.
    const isComplete = this.#places.size === 1 && (await this.known()) === this.#read.size;
    if (!isComplete) await this.closePart({ hasUnreadable }, isIn);
    await this.end();
  }

  /**
   * The same for a part of it whose accounts were all read; `isIn` says which accounts belong to that.
   */
  async closePart(
    { hasUnreadable }: { readonly hasUnreadable: boolean },
    isIn: (key: AccountKey) => boolean,
  ): Promise<void> {
    await this.flush();
    if (hasUnreadable || this.#hasStray) return;
    for (const place of this.#places) await this.#markAbsent(place, isIn);
  }

  /** Every part of it was read to its end. */
  async end(): Promise<void> {
    for (const place of this.#places) await this.#journal.endReading(this.#platform, place);
  }

  async #markAbsent(place: string, isIn: (key: AccountKey) => boolean): Promise<void> {
    let absent: number[] = [];
    for await (const { id, key, isAbsent } of this.#journal.accountsFrom(this.#platform, place)) {
      if (isAbsent || this.#read.has(id) || !isIn(key)) continue;
      absent.push(id);
      this.left += 1;
      if (absent.length < perWrite) continue;
      await this.#journal.markAbsent(absent);
      absent = [];
    }
    if (absent.length > 0) await this.#journal.markAbsent(absent);
  }
}

const leastBytes = 1024;

/** A set of numbers from zero, one bit for each up to the largest: a million accounts take 125 KB. */
export class IdSet {
  #bits = new Uint8Array(leastBytes);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    if (this.has(id)) return;
    this.#size += 1;
    const at = id >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (id & 7));
  }

  has(id: number): boolean {
    return ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
}
