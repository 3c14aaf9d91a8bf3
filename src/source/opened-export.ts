import { setImmediate } from 'node:timers/promises';
import { bundleOf } from './bundle.ts';
import type { Bundle, Export, ExportFault, Recognise } from './export.ts';
import type { PlacedRow } from './row.ts';
import { externalSortRefusal } from './external-sort.ts';
import { Disorder } from './merge.ts';
import type { Place } from './places/place.ts';
import { RowComparison, type ComparedAccounts, type ComparedRows } from './compared-accounts.ts';
import { PackingRows, type AccountText, type PackedRows } from './packed-rows.ts';
import { RowPrints } from './row-prints.ts';
import type { SortedRanges } from './sorted/sorted-files.ts';
import type { FileTable } from './table.ts';

/** The source of the rows, account by account. */
export interface RowsByAccount {
  /** `isForKeys`: most rows are asked for nothing but their accounts. */
  byAccount(isForKeys?: boolean): Generator<readonly PlacedRow[]> | AsyncGenerator<readonly PlacedRow[]>;
  /** The same as text, where that takes less time. */
  textsByAccount?(): Generator<AccountText>;
  /** Readings of `byAccount` that were under way have been ended. */
  close(): void;
}

/** Whether an account is to be read. */
type Wanted = (account: string) => boolean;

/** An export that was read once to its end. */
export class OpenedExport implements Export {
  readonly tables: Export['tables'];
  readonly files: readonly FileTable[];
  readonly accounts: number;
  readonly ignoredRows: number;
  readonly faults: readonly ExportFault[];
  readonly counts: Export['counts'];
  readonly isSorted: boolean;
  /** Its files for other threads, which read any of its accounts; undefined if only this one can. */
  readonly ranges: SortedRanges | undefined;
  readonly #rows: RowsByAccount;
  readonly #compared: ComparedAccounts | undefined;
  #others: Generator<ComparedRows> | undefined;
  readonly #place: Place;
  readonly #signal: AbortSignal | undefined;
  #groups: Generator | AsyncGenerator | undefined;
  #isClosed = false;
  /** Rows were found not to be where they were. */
  #isMisplaced = false;

  constructor(
    found: Pick<Export, 'tables' | 'accounts' | 'ignoredRows' | 'faults' | 'counts' | 'isSorted'> & {
      readonly files: readonly FileTable[];
      readonly rows: RowsByAccount;
      readonly compared?: ComparedAccounts | undefined;
      readonly ranges: SortedRanges | undefined;
    },
    place: Place,
    signal: AbortSignal | undefined,
  ) {
    this.#place = place;
    this.#rows = found.rows;
    this.#compared = found.compared;
    this.tables = found.tables;
    this.files = found.files;
    this.accounts = found.accounts;
    this.ignoredRows = found.ignoredRows;
    this.faults = found.faults;
    this.counts = found.counts;
    this.isSorted = found.isSorted;
    this.ranges = found.ranges;
    this.#signal = signal;
  }

  async *bundles(isWanted?: Wanted): AsyncGenerator<Bundle, void, undefined> {
    for await (const rows of this.#read(isWanted)) {
      const bundle = bundleOf(rows[0]?.account ?? '', rows, this.files);
      if (bundle !== undefined) yield bundle;
    }
  }

  /** These accounts, in any order; few of them are found without reading all rows, where that is possible. */
  async *bundlesAmong(accounts: ReadonlySet<string>): AsyncGenerator<Bundle, void, undefined> {
    const left = new Set(accounts);
    const { ranges } = this;
    if (accounts.size === 0) return;
    if (!this.#isMisplaced && ranges?.isFewOf(accounts.size) === true)
      try {
        for (const account of accounts) {
          const rows = await ranges.rowsOf(account);
          left.delete(account);
          const bundle = rows && bundleOf(account, rows, this.files);
          if (bundle !== undefined) yield bundle;
        }
        return;
      } catch (error) {
        if (!(error instanceof Disorder)) throw error;
        this.#isMisplaced = true;
        ranges.forget();
      }
    for await (const bundle of this.bundles()) {
      if (left.delete(bundle.account)) yield bundle;
      if (left.size === 0) return;
    }
  }

  /** The rows of the same accounts, for other threads, of which `bundleOf` makes the bundles. */
  async *packed(isWanted: Wanted): AsyncGenerator<PackedRows, void, undefined> {
    const packing = new PackingRows();
    const groups = () => this.#rows.textsByAccount?.() ?? this.#rows.byAccount(true);
    for await (const rows of this.#grouped<AccountText | readonly PlacedRow[]>(groups)) {
      if ('text' in rows) {
        if (isWanted(rows.account)) packing.addText(rows);
      } else if (isWanted(rows[0]?.account ?? '')) packing.add(rows);
      if (packing.isFull) yield packing.take();
    }
    if (!packing.isEmpty) yield packing.take();
  }

  async *bundlesSince(recognise: Recognise, isWanted?: Wanted): AsyncGenerator<Bundle, void, undefined> {
    if (this.#compared !== undefined) {
      yield* this.#changedSince(this.#compared, recognise, isWanted);
      return;
    }
    const comparison = new RowComparison(this.files, recognise);
    for await (const rows of this.#read(isWanted))
      yield* this.#bundlesOf((await comparison.add(rows)).others);
    yield* this.#bundlesOf((await comparison.finish()).others);
  }

  /** As the first reading found them. Accounts that are no longer known as they were then are read again. */
  async *#changedSince(
    compared: ComparedAccounts,
    recognise: Recognise,
    isWanted: Wanted = () => true,
  ): AsyncGenerator<Bundle, void, undefined> {
    const again = new Set<string>();
    let before = Promise.resolve<readonly string[]>([]);
    for (const all of compared.unchanged()) {
      const accounts = all.filter(({ account }) => isWanted(account));
      if (accounts.length === 0) continue;
      // Asked while the answer about the accounts before is under way.
      const others = recognise(accounts).then((found) =>
        accounts.flatMap(({ account }, at) => (found[at] === 'unchanged' ? [] : [account])),
      );
      others.catch(() => undefined);
      for (const account of await before) again.add(account);
      before = others;
      this.#signal?.throwIfAborted();
    }
    for (const account of await before) again.add(account);
    this.#others = compared.others();
    for (const one of this.#others) {
      if (isWanted(one.rows[0]?.account ?? '')) yield* this.#bundlesOf([one]);
      this.#signal?.throwIfAborted();
    }
    if (again.size === 0) return;
    const prints = new RowPrints(this.files);
    for await (const rows of this.#read((account) => again.has(account)))
      yield* this.#bundlesOf([{ rows, print: prints.of(rows), found: 'unknown' }]);
  }

  *#bundlesOf(others: readonly ComparedRows[]): Generator<Bundle, void, undefined> {
    for (const { rows, print, found } of others) {
      const bundle = bundleOf(rows[0]?.account ?? '', rows, this.files);
      if (bundle !== undefined) yield print === undefined ? bundle : { ...bundle, rows: { print, found } };
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#groups?.return(undefined);
    this.#others?.return(undefined);
    this.#rows.close();
    this.#compared?.close();
    this.#place.close();
  }

  /** Rows of accounts that are not wanted are read, and no more. */
  async *#read(isWanted: Wanted = () => true): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    for await (const rows of this.#grouped(() => this.#rows.byAccount()))
      if (isWanted(rows[0]?.account ?? '')) yield rows;
  }

  async *#grouped<Rows>(
    groups: () => Generator<Rows> | AsyncGenerator<Rows>,
  ): AsyncGenerator<Rows, void, undefined> {
    let given = 0;
    try {
      if (this.#isClosed) return;
      const read = groups();
      this.#groups = read;
      for await (const rows of read) {
        yield rows;
        // Reading rarely waits, so this lets signals and timers run.
        if ((given += 1) % 64 === 0) await setImmediate();
        this.#signal?.throwIfAborted();
      }
    } catch (error) {
      throw externalSortRefusal(error);
    }
  }
}
