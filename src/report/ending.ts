import type { RunPace } from '../domain/found-pace.ts';
import type { AccountCounts, AccountState, RunCounts } from '../domain/account-state.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import type { PartlyRead } from '../journal/journal.ts';
import type { FailingStep } from '../domain/failing-step.ts';
import type { BodyLimit } from '../domain/request-too-large.ts';
import type { ChangeCause } from '../domain/change-cause.ts';
import type { StopReason } from '../pipeline/run/run-events.ts';

/** What a run has ended with. */
export interface RunEnding {
  /** The journal's number of the run. */
  readonly run: number;
  /** The platform's address, or `embedded`. */
  readonly platform: string;
  readonly profile: string | null;
  /** Whether no platform was configured. */
  readonly rehearsal: boolean;
  /** The import suppliers whose accounts it took. */
  readonly suppliers: readonly string[];
  readonly dryRun: boolean;
  /** The book of the suppliers: by state, every account of theirs that a run has read from an export. */
  readonly accounts: RunCounts;
  /** The exports of these suppliers that no run has read to their end: accounts of theirs may not be counted. */
  readonly partlyRead: readonly PartlyRead[];
  /** Those that this run was to take, by the state that they ended in. */
  readonly taken: AccountCounts;
  /** Accounts that a dry run found would import. */
  readonly wouldImport: number;
  /** Of the pending accounts of the book, those whose data a dry run staged. */
  readonly stagedByDryRun: number;
  /** Of the rejected accounts of the book, those that the platform has in another form than the export has now. */
  readonly changedInBook: number;
  /** Of the completed accounts of the book, those whose data in the export is refused now. */
  readonly refusedInBook: number;
  /** Accounts whose state stays, and whose data in the export is refused now; absent if there are none. */
  readonly refusedData?: number;
  /** Accounts whose rows were copied for corrections (`--rejects`); absent if none were. */
  readonly rejectedRows?: number;
  /** Whether other runs may have driven accounts of the same book, whose problems only they printed. */
  readonly isShared?: boolean;
  /** Accounts that an earlier run read from the export, and that this one no longer found in it; absent if there are none. */
  readonly leftExport?: number;
  /** Rows and files of the export that are faulty, and belong to no account; absent if there are none. */
  readonly faults?: number;
  /** Accounts whose rows changed, and those that were left alone because theirs did not; absent if rows were not compared. */
  readonly rows?: { readonly changed: number; readonly unchanged: number; readonly same: number };
  /** Of the skipped accounts, those that a person ruled to be somebody else's; absent if there are none. */
  readonly notOurs?: number;
  /** Steps at which several accounts failed for one cause, while the platform answered others; absent if there are none. */
  readonly failingSteps?: readonly FailingStep[];
  /** Accounts of these suppliers that share a platform number with another one. */
  readonly doubled?: number;
  readonly requests: number;
  /** Of the requests, those that were repeated. */
  readonly retries: number;
  /** What was refused because there was too much, and the rate that was accepted; absent if nothing was sent. */
  readonly pace?: RunPace | undefined;
  /** The largest bodies, if a gateway refused one for its size. */
  readonly bodyLimit?: BodyLimit | undefined;
  /** Whether the profile says which answers of a gateway mean that it did not deliver a request. */
  readonly knowsNotDelivered?: boolean;
  readonly durationMs: number;
  /** The run that left nothing to do in the very same export, which was therefore not read again. */
  readonly unchangedSince?: number;
  readonly problems: ProblemTotals;
  /** The first account that ended in each state, to be named in commands. */
  readonly examples?: Readonly<Partial<Record<AccountState, string>>>;
  /** Of those that this run was to take, the rejected accounts that the platform has in another form than the export has now. */
  readonly changedAfterImport?: number;
  /** Of those that this run was to take, the rejected accounts of which the platform has something already; absent if none is. */
  readonly alreadyHeld?: number;
  /** Of those, the rejected accounts with a code that a code table does not have; absent if there are none. */
  readonly unknownCodes?: number;
  /** The causes for which they differ, each with the number of accounts, as far as that is certain; absent if none is. */
  readonly changedBy?: readonly { readonly cause: ChangeCause; readonly accounts: number }[];
  /** Rows that the mapping leaves out on purpose, of the accounts that were read; null if the export was not read again. */
  readonly ignoredRows: number | null;
  /** Why it ended before its work was done; `detail` is a sentence for people. */
  readonly stopped?: { readonly reason: StopReason; readonly detail: string };
  /** Whether the same command, run again, would find accounts to drive. What needs a fix or a ruling is none. */
  readonly workLeft: boolean;
  /** What the command would exit with. */
  readonly exit: ExitCode;
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
