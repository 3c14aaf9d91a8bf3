import type { AccountState } from '../domain/account-state.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import type { ChangeCause } from '../domain/change-cause.ts';
import type { RunFigures } from '../pipeline/run/run-figures.ts';
import type { FailureGroup } from './failures/failure-groups.ts';
import type { StopReason } from '../pipeline/run/run-events.ts';

/** What a run has ended with. */
export interface RunEnding extends RunFigures {
  /** The platform's address, or `embedded`. */
  readonly platform: string;
  readonly profile: string | null;
  /** Whether no platform was configured. */
  readonly rehearsal: boolean;
  readonly dryRun: boolean;
  /** Accounts whose rows were copied for corrections (`--rejects`); absent if none were. */
  readonly rejectedRows?: number;
  /** Whether other runs may have driven accounts of the same book, whose problems only they printed. */
  readonly isShared?: boolean;
  /** Whether the profile says which answers of a gateway mean that it did not deliver a request. */
  readonly knowsNotDelivered?: boolean;
  readonly problems: ProblemTotals;
  /** The first account that ended in each state, to be named in commands. */
  readonly examples?: Readonly<Partial<Record<AccountState, string>>>;
  /** Of those that this run was to take, the rejected accounts that the platform has in another form than the export has now. */
  readonly changedAfterImport?: number;
  /** Of those that this run was to take, the rejected accounts of which the platform has something already; absent if none is. */
  readonly alreadyHeld?: number;
  /** The rejected and failed accounts by their first codes; absent if they are not known. */
  readonly failures?: readonly Pick<FailureGroup, 'state' | 'code' | 'accounts'>[];
  /** Whether the platform refused a request, or rejected accounts were left alone; absent if that is not known. */
  readonly isRefusedThere?: boolean;
  /** Of those, the rejected accounts with a code that a code table does not have; absent if there are none. */
  readonly unknownCodes?: number;
  /** The causes for which they differ, each with the number of accounts, as far as that is certain; absent if none is. */
  readonly changedBy?: readonly { readonly cause: ChangeCause; readonly accounts: number }[];
  /** Rows that the mapping leaves out on purpose, of the accounts that were read; null if the export was not read again. */
  readonly ignoredRows: number | null;
  /** Why it ended before its work was done; `detail` is a sentence for people. */
  readonly stopped?: { readonly reason: StopReason; readonly detail: string };
  /** What `migrate morning` says of the night, in a run that nobody attends; absent if it does not know, or the night goes on. */
  readonly night?: { readonly good: boolean; readonly reason: string };
  /** What went wrong beside the accounts, one sentence each. */
  readonly errors: readonly string[];
}

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
  /** Accounts whose rows were copied for corrections (`--rejects`); absent if none were. */
  readonly rejectedRows?: number;
  /** The exit code of the command. */
  readonly exit: ExitCode;
  /** Errors other than those of accounts, one sentence each. */
  readonly errors: readonly string[];
}

/** A problem that is shown. */
export type ShownProblem = Problem & {
  /** The number of problems that it represents, which have the same value. */
  readonly times?: number;
};

/** Problems counted, with the worst of them. */
export interface ProblemTotals {
  /** Errors and warnings. */
  readonly problems: number;
  readonly warnings: number;
  /** Errors and warnings by code, most frequent first. */
  readonly byCode: Readonly<Record<string, number>>;
  /** Twenty at most: errors before warnings, then as the files have them. */
  readonly worst: readonly ShownProblem[];
  /** The file that all of them were written to (`--problems`). */
  readonly file?: string;
}
