import { setImmediate } from 'node:timers/promises';
import { bundleOf } from './bundle.ts';
import type { Bundle, Export, ExportFault } from './export.ts';
import type { PlacedRow } from './row.ts';
import { externalSortRefusal } from './external-sort.ts';
import type { Place } from './places/place.ts';
import type { FileTable } from './table.ts';

/** The source of the rows, account by account. */
export interface RowsByAccount {
  byAccount(): Generator<readonly PlacedRow[]> | AsyncGenerator<readonly PlacedRow[]>;
  /** Readings of `byAccount` that were under way have been ended. */
  close(): void;
}

/** An export that was read once to its end. */
export class OpenedExport implements Export {
  readonly tables: Export['tables'];
  readonly files: readonly FileTable[];
  readonly accounts: number;
  readonly faults: readonly ExportFault[];
  readonly isSorted: boolean;
  private readonly rows: RowsByAccount;
  private readonly place: Place;
  private readonly signal: AbortSignal | undefined;
  private groups: ReturnType<RowsByAccount['byAccount']> | undefined;
  private isClosed = false;

  constructor(
    found: Pick<Export, 'tables' | 'accounts' | 'faults' | 'isSorted'> & {
      readonly files: readonly FileTable[];
      readonly rows: RowsByAccount;
    },
    place: Place,
    signal: AbortSignal | undefined,
  ) {
    this.place = place;
    this.rows = found.rows;
    this.tables = found.tables;
    this.files = found.files;
    this.accounts = found.accounts;
    this.faults = found.faults;
    this.isSorted = found.isSorted;
    this.signal = signal;
  }

  bundles(): AsyncIterable<Bundle> {
    return this.read();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    void this.groups?.return(undefined);
    this.rows.close();
    this.place.close();
  }

  private async *read(): AsyncGenerator<Bundle, void, undefined> {
    let given = 0;
    try {
      if (this.isClosed) return;
      this.groups = this.rows.byAccount();
      for await (const rows of this.groups) {
        const bundle = bundleOf(rows[0]?.account ?? '', rows, this.files);
        if (bundle === undefined) continue;
        yield bundle;
        // Reading rarely waits, so this lets signals and timers run.
        if ((given += 1) % 64 === 0) await setImmediate();
        this.signal?.throwIfAborted();
      }
    } catch (error) {
      throw externalSortRefusal(error);
    }
  }
}
