import { setImmediate } from 'node:timers/promises';
import { refusalOf } from '../sqlite/open-database.ts';
import { bundleOf, groupByAccount } from './bundle.ts';
import type { Bundle, Export, ExportFault } from './export.ts';
import type { StagedRow, Staging } from './staging.ts';
import type { FileTable } from './table.ts';

/** An export whose rows are all in the staging. */
export class StagedExport implements Export {
  readonly tables: readonly FileTable[];
  readonly files: readonly FileTable[];
  readonly accounts: number;
  readonly faults: readonly ExportFault[];
  private readonly staging: Staging;
  private readonly signal: AbortSignal | undefined;
  private groups: Generator<readonly StagedRow[], void, undefined> | undefined;
  private isClosed = false;

  constructor(
    staging: Staging,
    found: Pick<StagedExport, 'tables' | 'files' | 'accounts' | 'faults'>,
    signal: AbortSignal | undefined,
  ) {
    this.staging = staging;
    this.tables = found.tables;
    this.files = found.files;
    this.accounts = found.accounts;
    this.faults = found.faults;
    this.signal = signal;
  }

  bundles(): AsyncIterable<Bundle> {
    return this.read();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.groups?.return();
    this.staging.close();
  }

  private async *read(): AsyncGenerator<Bundle, void, undefined> {
    let given = 0;
    try {
      if (this.isClosed) return;
      this.groups = groupByAccount(this.staging.byAccount());
      for (const rows of this.groups) {
        const bundle = bundleOf(rows[0]?.account ?? '', rows, this.files);
        if (bundle === undefined) continue;
        yield bundle;
        // Reading never waits by itself: let signals and timers have their turn.
        if ((given += 1) % 64 === 0) await setImmediate();
        this.signal?.throwIfAborted();
      }
    } catch (error) {
      throw stagingRefusal(error);
    }
  }
}

/** The refusal that an error of the staging's database stands for; any other error as it is. */
export function stagingRefusal(error: unknown): unknown {
  return refusalOf(error, 'in the temporary directory (TMPDIR)', { what: 'staging of the export' });
}
