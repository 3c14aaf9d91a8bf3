import type { ExitCode } from '../domain/exit-codes.ts';
import type { ProblemTotals } from './problem-totals.ts';

/** The result of checking an export. */
export interface CheckEnding {
  /** The number of checked accounts. */
  readonly accounts: number;
  /** Those without an error. */
  readonly valid: number;
  /** Rows of their accounts that the mapping excludes on purpose. */
  readonly ignoredRows: number;
  readonly problems: ProblemTotals;
  /** Requests to the platform; absent if it was not asked. */
  readonly requests?: number;
  /** Why a run of this export would send nothing, and the remedy: a sentence for people. */
  readonly heldBack?: string;
  /** The exit code of the command. */
  readonly exit: ExitCode;
  /** Errors other than those of accounts, one sentence each. */
  readonly errors: readonly string[];
}
