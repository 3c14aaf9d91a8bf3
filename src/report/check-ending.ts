import type { ExitCode } from '../domain/exit-codes.ts';
import type { ProblemTotals } from './problem-totals.ts';

/** What the check of an export has ended with. */
export interface CheckEnding {
  /** Those that were checked. */
  readonly accounts: number;
  /** Those without an error. */
  readonly valid: number;
  /** Rows of their accounts that the mapping leaves out on purpose. */
  readonly ignoredRows: number;
  readonly problems: ProblemTotals;
  /** Why a run of this export would send nothing as it is, and the remedy: a sentence for people. */
  readonly heldBack?: string;
  /** What the command would exit with. */
  readonly exit: ExitCode;
  /** What went wrong beside the accounts, one sentence each. */
  readonly errors: readonly string[];
}
