import type { CodeTableFound, ExportCounts } from '../../domain/run-facts.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { ExportFault, Recognise } from '../../source/export.ts';
import type { CopySource } from './copy-rows.ts';
import type { PlansPart } from './elsewhere.ts';

/** An export with its mapping: the accounts as plans, pulled one by one. */
export interface Plans {
  /** The number of accounts in the export. */
  readonly total: number;
  /** Rows that cannot be attributed to an account. */
  readonly faults: readonly ExportFault[];
  /** Rows that the mapping leaves out, without those that are left out of their accounts. */
  readonly ignoredRows: number;
  /** The size of the export's files, without those of `--with` directories. */
  readonly counts: ExportCounts;
  /** What was found of each code table of the mapping, by its path. */
  readonly codeTables: ReadonlyMap<string, CodeTableFound>;
  /** All of them; may be iterated again. */
  readonly plans: AsyncIterable<AccountPlan>;
  /** The selected ones, by their external account numbers. */
  plansOf(isWanted: (account: string) => boolean): AsyncIterable<AccountPlan>;
  /** These ones, in any order: few are found without reading the whole export, where that is possible. */
  plansAmong(accounts: ReadonlySet<string>): AsyncIterable<AccountPlan>;
  /**
   * The selected ones, with the fingerprints of their rows, and without accounts whose fingerprints are
   * unchanged. Absent if fixes replace accounts.
   */
  readonly plansSince?: (
    recognise: Recognise,
    isWanted: (account: string) => boolean,
  ) => AsyncIterable<AccountPlan>;
  /** The selected ones in the same order: those of the export, and of each `--with` directory. */
  partsOf(isWanted: (account: string) => boolean): readonly PlansPart[];
  /** The numbers of all accounts, without a mapping; throws the signal's reason. */
  numbers(signal: AbortSignal): AsyncIterable<string>;
  /** What `copyRows` copies from: the export, and each `--with` directory. */
  readonly sources: readonly CopySource[];
  close(): void;
}
