import type { AccountKey } from '../../domain/account-key.ts';
import {
  accountStates,
  uncountedOf,
  withTotal,
  zeroCounts,
  type AccountCounts,
  type AccountState,
} from '../../domain/account-state.ts';
import { notOurs } from '../../domain/shared-codes.ts';
import type { AccountEntry, Journal, PartlyRead, SupplierOverview } from '../../journal/journal.ts';
import { isTaken, type AccountFilter } from './account-filter.ts';
import { Book } from './book.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { AccountEnded, AccountRestated } from './run-events.ts';
import type { RunInput } from './run-input.ts';
import { SharedCounts, sumOf } from './shared-counts.ts';

/** The most suppliers that a message names. */
const mostMet = 100;

/**
 * Counts the accounts that a run takes from an export, and enters in the journal all that it reads: the book of their
 * suppliers.
 */
export class BookCounts {
  /** What the filters take. */
  readonly taken = zeroCounts();
  /** All accounts of the suppliers that are taken; filled in at the end. */
  readonly book = zeroCounts();
  /** False if the run was ended before it reached the last account. */
  isAllCounted = false;
  /** Accounts of the export that neither this run nor an earlier one has read; null if their number is unknown. */
  unread: number | null = 0;
  partlyRead: readonly PartlyRead[] = [];
  /** The suppliers of the accounts that the filters take. */
  readonly suppliers = new Set<string>();
  wouldImport = 0;
  /** Of the pending accounts of the book. */
  stagedByDryRun = 0;
  changedInBook = 0;
  refusedInBook = 0;
  /** Accounts whose state stays, and whose current data was refused here or replaced by a fix that is not complete. */
  refused = 0;
  /** Of the skipped accounts that the filters take, those that a person ruled to be somebody else's. */
  ruled = 0;
  /**
   * The suppliers whose book this run reports: with `--accounts`, this includes those without an account in
   * the list.
   */
  readonly #booked = new Set<string>();
  /** A few of the suppliers that the export has. */
  readonly #met = new Set<string>();
  /** Accounts without a supplier; the journal records nothing about them. */
  readonly #strays = zeroCounts();
  /** The journal's states of the accounts that a dry run took. */
  readonly #before = zeroCounts();
  readonly #input: RunInput;
  readonly #journal: Journal;
  readonly #entries: Book;
  readonly #restated: Restated;
  /** Absent if this run alone drives the book. */
  readonly #shared: SharedCounts | undefined;

  constructor(input: RunInput, journal: Journal, isShared: boolean) {
    this.#input = input;
    this.#journal = journal;
    this.#entries = new Book(journal, input.platform, input.place, input.fixes ?? []);
    this.#restated = new Restated(input);
    this.#shared = isShared ? new SharedCounts() : undefined;
  }

  /** Call before the first account. */
  async begin(): Promise<void> {
    await this.#entries.begin(this.#input.size);
    // A shared book is entered before all of it is known.
    if (this.#input.supplier !== undefined && this.#shared === undefined) this.#entries.hold();
  }

  /** Accounts of the export that neither this run nor, perhaps, an earlier one has read; null if unknown. */
  get uncounted(): number | null {
    // Another export of these suppliers may have accounts that no run has read: how many is not known.
    return this.unread === 0 ? uncountedOf(this.partlyRead) : this.unread;
  }

  /** Accounts of the export whose data names no import supplier; undefined if the run did not read all of it. */
  get withoutSupplier(): number | undefined {
    const { settings, accounts } = this.#input;
    const isWhole = this.isAllCounted && !settings.dryRun && accounts === undefined;
    return isWhole ? withTotal(this.#strays).total : undefined;
  }

  /** Accounts that an earlier run read from the export, and that are no longer in it. */
  get left(): number {
    return this.#entries.left;
  }

  /** The suppliers of the export if it was read to its end and has no account of the requested one. */
  get otherSuppliers(): readonly string[] | undefined {
    const isMissed = this.isAllCounted && this.#input.supplier !== undefined && this.#booked.size === 0;
    return isMissed && this.#met.size > 0 ? [...this.#met].sort() : undefined;
  }

  /** An account is read from the export: whether the run takes it. The book has it either way. */
  async meet(plan: ReadyPlan): Promise<boolean> {
    if (this.#takes(plan.key)) return true;
    if (plan.key.supplier !== '') await this.#entries.enter(plan);
    return false;
  }

  /** The same for an account that the journal has as it is in the export; false if it is to be met. */
  passOver({ key, unchanged }: ReadyPlan): boolean {
    if (unchanged?.isIn !== true || !isTaken(key, this.#input)) return false;
    this.#takes(key);
    this.#entries.read(unchanged.id);
    this.taken.completed += 1;
    this.#before.completed += 1;
    const counted = this.#shared?.of(key.account);
    if (counted === undefined) return true;
    counted.suppliers.add(key.supplier);
    counted.taken.completed += 1;
    return true;
  }

  /** Notes the supplier of an account, and whether the account is taken. */
  #takes(key: AccountKey): boolean {
    const { supplier } = key;
    const { supplier: wanted } = this.#input;
    if (supplier === '') this.#entries.stray();
    else if (this.#met.size < mostMet) this.#met.add(supplier);
    if (supplier !== '' && (wanted === undefined || supplier === wanted)) {
      this.#booked.add(supplier);
      this.#entries.release();
    }
    if (!isTaken(key, this.#input)) return false;
    if (supplier !== '') this.suppliers.add(supplier);
    this.#restated.comesUp(key);
    return true;
  }

  /** The entry of an account that is run. */
  async open({ key, fix }: ReadyPlan): Promise<AccountEntry> {
    const entry = await this.#journal.open(this.#input.platform, key, this.#entries.from(fix));
    this.#entries.read(entry.id);
    this.#before[entry.state] += 1;
    return entry;
  }

  /** An account that was run has ended. */
  count(ended: AccountEnded): void {
    this.taken[ended.state] += 1;
    if (ended.isRefused === true) this.refused += 1;
    if (isRuled(ended)) this.ruled += 1;
    if (ended.supplier === '') this.#strays[ended.state] += 1;
    if (this.#shared !== undefined) {
      const counted = this.#shared.of(ended.account);
      counted.taken[ended.state] += 1;
      if (ended.isRefused === true) counted.refused += 1;
      if (isRuled(ended)) counted.ruled += 1;
      if (ended.supplier === '') counted.strays[ended.state] += 1;
      else counted.suppliers.add(ended.supplier);
    }
    if (ended.wouldImport) this.wouldImport += 1;
  }

  /** An account that a stopped run did not reach is counted by its state in the journal. */
  async countUntouched(plan: ReadyPlan): Promise<void> {
    const { account, supplier } = plan.key;
    const counted = this.#shared?.of(account);
    if (supplier === '') {
      this.taken.pending += 1;
      this.#strays.pending += 1;
      if (counted !== undefined) counted.taken.pending += 1;
      if (counted !== undefined) counted.strays.pending += 1;
      return;
    }
    counted?.suppliers.add(supplier);
    await this.#entries.enter(plan, (state) => {
      this.taken[state] += 1;
      this.#before[state] += 1;
      if (counted !== undefined) counted.taken[state] += 1;
    });
  }

  /** An account that this run began, and can record nothing more of, is counted as the journal last knew it. */
  async countAsRecorded(key: AccountKey): Promise<void> {
    const entry = await this.#journal.find(this.#input.platform, key);
    this.taken[entry?.state ?? 'pending'] += 1;
  }

  restated(event: AccountRestated): void {
    this.#restated.note(event);
  }

  /** Every account has ended: those with later findings are counted again. */
  correct(): void {
    this.#restated.correct(this.taken, this.suppliers);
  }

  /** A pass over partitions of a shared book begins. */
  beginPass(): void {
    this.#shared?.clear();
    this.isAllCounted = false;
  }

  /** Every account of a part of the book was read; `isIn` says which accounts belong to it. */
  async closePart(isIn: (account: string) => boolean): Promise<void> {
    await this.#entries.closePart(
      { hasUnreadable: this.#input.faults > 0 },
      (key) => isIn(key.account) && this.#isRead(key),
    );
  }

  /** Every account of a shared book was read by one run or another. */
  async endReading(): Promise<void> {
    await this.#entries.end();
  }

  /** Takes out what the pass counted in a partition, as JSON. */
  takeOut(partition: number): string {
    return this.#shared?.takeOut(partition) ?? '';
  }

  /** Accounts that the pass has gone through in those partitions, except in those that were taken out. */
  passedIn(isIn: (partition: number) => boolean): number {
    return this.#shared?.total(isIn) ?? 0;
  }

  /** Counts a book as all its runs do; `results` is what they wrote of its partitions. */
  async sumUp(results: readonly string[], isDone: boolean): Promise<void> {
    this.isAllCounted = isDone;
    const { taken, strays, refused, ruled, suppliers } = sumOf(results);
    for (const supplier of suppliers) {
      this.suppliers.add(supplier);
      this.#booked.add(supplier);
    }
    if (!isDone) return;
    Object.assign(this.taken, taken);
    Object.assign(this.#strays, strays);
    this.refused = refused;
    this.ruled = ruled;
    await this.endReading();
  }

  /** Resolves when everything that was read is durable. */
  flush(): Promise<void> {
    return this.#entries.flush();
  }

  /** The journal has everything that was read, and its counts are reported. */
  async close(): Promise<void> {
    const { platform, faults, settings } = this.#input;
    const isOfOthers = this.otherSuppliers !== undefined;
    if (isOfOthers) this.#entries.drop();
    // An export that was read for another supplier says nothing: neither what it lacks, nor that its book is known.
    if (this.isAllCounted && this.#shared === undefined && !isOfOthers)
      await this.#entries.close({ hasUnreadable: faults > 0 }, this.#isRead);
    else await this.#entries.flush();
    const overviews = await this.#journal.overview(platform);
    const books = overviews.filter((overview) => this.#isBooked(overview));
    this.partlyRead = partlyReadOf(books);
    if (!this.isAllCounted) this.unread = await this.#countUnread(overviews);
    for (const state of accountStates) {
      const inJournal = books.reduce((sum, { accounts }) => sum + accounts[state], 0);
      const more = settings.dryRun ? this.taken[state] - this.#before[state] : this.#strays[state];
      this.book[state] = inJournal + more;
    }
    this.stagedByDryRun = books.reduce((sum, { stagedByDryRun: staged }) => sum + staged, 0);
    this.changedInBook = books.reduce((sum, { changedAfterImport: changed }) => sum + changed, 0);
    this.refusedInBook = books.reduce((sum, { refusedData: refused }) => sum + refused, 0);
  }

  /** Whether every account that was taken is done, or not for this run to do. */
  get isFinished(): boolean {
    const { completed: _done, skipped: _left, ...unfinished } = this.taken;
    return this.refused === 0 && Object.values(unfinished).every((count) => count === 0);
  }

  #isBooked(overview: SupplierOverview): boolean {
    const { supplier } = this.#input;
    // A run that is cut short does not meet every supplier that an earlier one met.
    const isOfExport = supplier === undefined && this.#entries.isPartlyRead(overview);
    const isMissed = overview.supplier === supplier && this.otherSuppliers !== undefined;
    return this.#booked.has(overview.supplier) || isOfExport || isMissed;
  }

  /**
   * Whether an account that the export does not have has left it: to a run of one supplier, an export without any account of a supplier
   * is that of another one, and says nothing of those that it lacks.
   */
  readonly #isRead = ({ supplier }: AccountKey): boolean =>
    this.#input.supplier === undefined || this.#met.size >= mostMet || this.#met.has(supplier);

  async #countUnread(overviews: readonly SupplierOverview[]): Promise<number | null> {
    const { size, supplier } = this.#input;
    if (size === undefined || supplier !== undefined) {
      const isKnown =
        this.#booked.size > 0 && !overviews.some((overview) => this.#entries.isPartlyRead(overview));
      return isKnown ? 0 : null;
    }
    const strays = Object.values(this.#strays).reduce((sum, count) => sum + count, 0);
    return Math.max(0, size - strays - (await this.#entries.known()));
  }
}

function isRuled({ state, code }: AccountEnded): boolean {
  return state === 'skipped' && code === notOurs;
}

/** The exports of several suppliers that no run has read to their end, each once. */
export function partlyReadOf(overviews: readonly SupplierOverview[]): readonly PartlyRead[] {
  const byPlace = new Map<string, PartlyRead>(
    overviews.flatMap(({ partlyRead }) => partlyRead.map((read) => [read.place, read] as const)),
  );
  return [...byPlace.values()];
}

/** Accounts about which something was found out after they ended: a run that counted them counts them again. */
class Restated {
  readonly #filter: AccountFilter;
  readonly #changes = new Map<string, { key: AccountKey; from: AccountState; state: AccountState }>();

  constructor(filter: AccountFilter) {
    this.#filter = filter;
  }

  note({ supplier, account, from, state }: AccountRestated): void {
    const key = { supplier, account };
    const first = this.#changes.get(nameOf(key))?.from ?? from;
    this.#changes.set(nameOf(key), { key, from: first, state });
  }

  /** It is counted from now on as it is by then. */
  comesUp(key: AccountKey): void {
    if (this.#changes.size > 0) this.#changes.delete(nameOf(key));
  }

  correct(counts: AccountCounts, suppliers: ReadonlySet<string>): void {
    for (const { key, from, state } of this.#changes.values()) {
      if (!suppliers.has(key.supplier) || !isTaken(key, this.#filter) || counts[from] === 0) continue;
      counts[from] -= 1;
      counts[state] += 1;
    }
  }
}

const nameOf = ({ supplier, account }: AccountKey): string => JSON.stringify([supplier, account]);
