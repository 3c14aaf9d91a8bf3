import type { AccountPlan } from '../../mapping/plan.ts';
import type { AccountRange } from '../../source/sorted/account-range.ts';
import type { Recognise } from '../../source/export.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import type { SortedFiles } from '../../source/sorted/sorted-files.ts';
import type { FileTable } from '../../source/table.ts';
import type { Binding } from './bind-mapping.ts';

/** Accounts of one export, which other threads may make plans of. */
export interface PlansPart {
  /** At most so many. */
  readonly accounts: number;
  readonly plans: AsyncIterable<AccountPlan>;
  /** As in Plans. */
  readonly plansSince?: ((recognise: Recognise) => AsyncIterable<AccountPlan>) | undefined;
  /** The fix that an account of this part comes from; absent if this part is no fix. */
  readonly fixOf?: (account: string) => Pick<AccountPlan, 'fix'>;
  /** What other threads need for the same plans; undefined if they might make others of the same rows. */
  elsewhere(): Promise<RowsElsewhere | undefined>;
}

/** The rows of accounts for other threads, and what these bind the mapping to. */
export interface RowsElsewhere {
  readonly binding: Binding;
  /** Where the other threads can read the rows by themselves; undefined: `packed` gives them. */
  readonly ranges: RangesElsewhere | undefined;
  readonly packed: () => AsyncIterable<PackedRows>;
}

/** The accounts of sorted files, in ranges in their order. */
export interface RangesElsewhere {
  readonly files: SortedFiles;
  readonly ranges: readonly AccountRange[];
  /** Ranges have the accounts of all, of which only these are asked for. */
  readonly isWanted: (account: string) => boolean;
  /** Call this if their rows are not where they were found: `packed` gives them then. */
  readonly forget: () => void;
}

/** The table without what another thread neither needs nor can be given: its rows were selected and named before. */
export function asData({ ignore: _ignore, spellings: _spellings, ...file }: FileTable): FileTable {
  return file;
}

/** Whether another thread can be given it. */
export function isData(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
