import type { AccountCounts, RunCounts } from '../../domain/account-state.ts';
import type { ExitCode } from '../../domain/exit-codes.ts';
import type { FailingStep } from '../../domain/failing-step.ts';
import type { RunPace } from '../../domain/found-pace.ts';
import type { BodyLimit } from '../../domain/request-too-large.ts';
import type { PartlyRead } from '../../journal/journal.ts';

/** What a run counted, for all who tell of it. */
export interface RunFigures {
  /** The journal's number of the run. */
  readonly run: number;
  /** The import suppliers whose accounts it took. */
  readonly suppliers: readonly string[];
  /** The book of the suppliers: by state, every account of theirs that a run has read from an export. */
  readonly accounts: RunCounts;
  /** The exports of these suppliers that no run has read to their end: accounts of theirs may not be counted. */
  readonly partlyRead: readonly PartlyRead[];
  /** Whether the same command, run again, would find accounts to drive. What needs a fix or a ruling is none. */
  readonly workLeft: boolean;
  /** Those that this run was to take, by the state that they ended in. */
  readonly taken: AccountCounts;
  /** Of the skipped accounts, those that a person ruled to be somebody else's; absent if there are none. */
  readonly notOurs?: number;
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
  /** Accounts that an earlier run read from the export, and that this one no longer found in it; absent if there are none. */
  readonly leftExport?: number;
  /** Rows and files of the export that are faulty, and belong to no account; absent if there are none. */
  readonly faults?: number;
  /**
   * Accounts whose rows changed, those that were left alone because theirs did not, and those of which they did not and that
   * were checked again; absent if rows were not compared.
   */
  readonly rows?: { readonly changed: number; readonly unchanged: number; readonly same: number };
  /** Steps at which several accounts failed for one cause, while the platform answered others; absent if there are none. */
  readonly failingSteps?: readonly FailingStep[];
  readonly requests: number;
  /** Of the requests, those that were repeated. */
  readonly retries: number;
  /** What was refused because there was too much, and the rate that was accepted; absent if nothing was sent. */
  readonly pace?: RunPace | undefined;
  /** The largest bodies, if a gateway refused one for its size. */
  readonly bodyLimit?: BodyLimit | undefined;
  readonly durationMs: number;
  /** The earlier run that left nothing to do in the very same export, which was therefore not read again. */
  readonly unchangedSince?: number;
  /** Accounts of these suppliers that have the platform number of another account, which is not settled. */
  readonly doubled: number;
  /** What the command would exit with. */
  readonly exit: ExitCode;
}
