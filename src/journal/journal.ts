import type { AccountKey } from '../domain/account-key.ts';
import type { AccountCounts, AccountState } from '../domain/account-state.ts';
import type { Actor } from '../domain/actor.ts';
import type { Cell } from '../domain/cell.ts';
import type { StepName } from '../domain/steps.ts';
import type {
  AccountChange,
  AccountEntry,
  BookEntry,
  Intent,
  Intervention,
  InterventionEntry,
  PartCell,
  PartEntry,
  PartRef,
  PartlyRead,
  RecordedProblem,
  RowsAsked,
  RowsFound,
  RowsNote,
  Settlement,
  Superseded,
} from './account-entry.ts';
import type { NotedPace } from './core/noted-pace.ts';
import type {
  Boot,
  Finished,
  FinishedRun,
  IsDead,
  LeaseOwner,
  RunEnd,
  RunEntry,
  RunStart,
} from './run-entry.ts';
import type { RunGroups } from './run-groups.ts';
import type { ItemRecords } from './item-records.ts';
import type { ReadBackRecords } from './read-back-records.ts';
import type { UpgradeRecords } from './safety/upgrade-records.ts';

export type * from './account-entry.ts';
export type * from './item-records.ts';
export type * from './run-entry.ts';
export type * from './safety/upgrade-records.ts';

/** A platform account number of several accounts: it belongs to only one of them. */
export interface SharedNumber {
  readonly krakenAccountNumber: string;
  /** The first ten of them, of any import supplier. */
  readonly accounts: readonly AccountKey[];
}

/** An account that is rejected, failed or uncertain. */
export interface Trouble {
  /** External account number. */
  readonly account: string;
  readonly state: AccountState;
  /** The reason: a machine code. */
  readonly code: string;
}

export interface LeaseHeld {
  readonly held: true;
  readonly owner: LeaseOwner;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly expiresAt: number;
  /** The number of other runs that share the holder's book; absent if it shares none. */
  readonly sharedWith?: number | undefined;
}

export interface LeaseTaken {
  readonly held: false;
  /** Grows each time the lease is taken: a renewal or release with an earlier epoch is refused. */
  readonly epoch: number;
}

/** A write was refused because another run has taken over the supplier: this run's knowledge is out of date. */
export class LeaseLost extends Error {
  /** Import supplier code; '' if the work of a whole run was taken over. */
  readonly supplier: string;

  constructor(supplier: string) {
    super(`Another run has taken over ${supplier === '' ? 'the work of this one' : supplier}.`);
    this.name = 'LeaseLost';
    this.supplier = supplier;
  }
}

/** The intent must not be sent: the journal is no longer in its place, so nobody would find the intent. */
export class JournalGone extends Error {
  /** The journal's place. */
  readonly location: string;

  constructor(location: string) {
    super(`The journal ${location} was moved, replaced or deleted while it was in use.`);
    this.name = 'JournalGone';
    this.location = location;
  }
}

/**
 * The result of comparing a journal with the mark beside it.
 *
 * - `current`: it has everything that it ever had
 * - `new`: nothing was recorded yet, and there is no mark
 * - `began-anew`: nothing was recorded yet, and the mark belongs to another journal, which is gone
 * - `unmarked`: there is no mark, because only a version without marks has written to it
 * - `missing`: there is no mark, though there was one: it is a copy, which may be older than the original
 * - `went-back`: it once had more: an older copy was put in its place, or a power loss took its last records
 * - `replaced`: the mark belongs to another journal, which was last used here
 * - `elsewhere`: it is on another server, timeline or database than at its last use, and may lack its last records
 */
export type MarkFinding =
  'current' | 'new' | 'began-anew' | 'unmarked' | 'missing' | 'went-back' | 'replaced' | 'elsewhere';

/** The location of a journal's records if it is no longer in its place. */
export interface Whereabouts {
  /** It was moved here. */
  readonly movedTo?: string;
  /** It was saved here. */
  readonly savedAs?: string;
}

/** Requests that were sent and have no outcome. */
export interface Unanswered {
  readonly requests: number;
  /** Of these, those of accounts that their export does not have any more: no run takes them up. */
  readonly gone: number;
}

export type StepCounts = Record<'done' | 'failed' | 'uncertain' | 'pending', number>;

export interface SupplierOverview {
  readonly platform: string;
  readonly platformLabel: string;
  readonly supplier: string;
  /** The book: every account that a run has read from an export, except those in `absent`. */
  readonly accounts: AccountCounts;
  /** Accounts that were not created, and that the last complete reading of their export did not contain. */
  readonly absent: number;
  /** Of the `pending` accounts, those whose data a dry run staged on the platform. */
  readonly stagedByDryRun: number;
  /** Of the `rejected` accounts, those that changed after they were imported. */
  readonly changedAfterImport: number;
  /** Of the `rejected` accounts, those of which the platform has something already that it refused; see `alreadyHeldCodes`. */
  readonly alreadyHeld: number;
  /** Of the `completed` accounts, those whose data in the export is refused now. */
  readonly refusedData: number;
  /** Accounts that are not completed, and in doubt since the journal was restored; see `AccountEntry.inDoubtSince`. */
  readonly inDoubt: number;
  /** The exports of its accounts that may have more of them: those are not counted. */
  readonly partlyRead: readonly PartlyRead[];
  /** `failed` includes refused parts; `pending` is planned and not done. */
  readonly steps: Record<StepName, StepCounts>;
}

/**
 * The record of what was intended, sent and answered. Writes are collected and committed together without a fixed
 * delay, in order; a write's promise resolves when it is durable, so waiting for the last of several waits for all. A
 * commit that fails rejects its writes and every later one. Reads see earlier writes. A bug of the caller rejects
 * that call alone. This interface does not show how an engine stores the data.
 *
 * Leases that were taken through a journal fence its writes about accounts until they are released: each write
 * checks, in its own transaction, that every lease still has its epoch, and otherwise rejects with LeaseLost.
 *
 * Before an intent counts as durable, the journal checks that it is still in its place: if it was moved, replaced or
 * deleted, intents (and other writes that precede a request) reject with JournalGone. Outcomes of requests under way
 * are still recorded, wherever the journal's records are; releasing a lease reports this too.
 */
export interface Journal {
  /** Its location, for messages. */
  readonly location: string;

  readonly upgrades: UpgradeRecords;

  readonly readBack: ReadBackRecords;

  /** The items of steps that a profile adds. */
  readonly items: ItemRecords;

  /** Shares a book's work among runs; absent if only one run at a time can hold a supplier. */
  readonly groups?: RunGroups;

  /**
   * Compares the journal with the mark beside it. Call this before any change and before any request: from then on
   * the mark advances with each commit, after the commit and before its writes resolve. A journal that `went-back`,
   * was `replaced` or is `elsewhere` is recorded as restored `at` (ms since the epoch), in the same transaction; a missing mark is
   * created. A crash at any moment leaves a journal that is `current`.
   */
  takeMark(at: number): Promise<MarkFinding>;
  /** The same comparison, without any change. */
  compareMark(): Promise<MarkFinding>;
  /**
   * Call after JournalGone, when nothing more is to be recorded: returns the location of the records. Saves them
   * beside the journal's place if they would be lost. `at`: ms since the epoch.
   */
  whereabouts(at: number): Promise<Whereabouts>;

  /**
   * Returns the run's number. What was recorded under the platform's label, before the platform was known, is from now
   * on recorded under its identity: unless something was sent, a run goes on, or the identity has records already.
   */
  startRun(start: RunStart): Promise<number>;
  /** Replaces what is known of how fast a run goes. */
  notePace(run: number, pace: NotedPace): Promise<void>;
  /**
   * Until when the journal is known to be complete before a run, in ms since the epoch: when the last process request left by which an
   * earlier run created an account; what runs created since one that recorded these codes does not count. If there is nothing, when the
   * first run began, those aside that could not start; undefined if there was none. Examines all parts and attempts.
   */
  recordedUntil(run: number, codes: readonly string[]): Promise<number | undefined>;
  finishRun(run: number, end: RunEnd): Promise<void>;
  /** Records that the run left nothing to do. Requires the run's leases. */
  recordFinished(finished: Finished): Promise<void>;
  /**
   * The runs that left nothing to do, newest first: at most one for each supplier. Excludes those for which a
   * supplier's lease was taken since, and all from before the journal was restored from a backup.
   */
  finishedRuns(platform: string): Promise<readonly FinishedRun[]>;
  /** Newest first. */
  runs(limit?: number): AsyncIterable<RunEntry>;
  /**
   * The oldest run since which every run named this boot, with times at most `grainMs` apart, or all named none.
   * Examines at most the 1,000 runs before `run`; returns `run` if the one before it names another boot.
   */
  sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number>;

  /**
   * Takes, atomically, the lease on one supplier of one platform, until `expiresAt`. A lease that has expired, or
   * whose owner `isDead`, is taken over. With `group`, the group of runs takes it, for as long as one of them lives:
   * it is not renewed, and the last run that leaves the group releases it.
   */
  takeLease(
    lease: {
      readonly platform: string;
      readonly supplier: string;
      readonly owner: LeaseOwner;
      readonly group?: number | undefined;
    },
    now: number,
    expiresAt: number,
    isDead: IsDead,
  ): Promise<LeaseTaken | LeaseHeld>;
  /** Extends a lease, even an expired one that nobody has taken; false if it was lost to another epoch. */
  renewLease(
    platform: string,
    supplier: string,
    epoch: number,
    now: number,
    expiresAt: number,
  ): Promise<boolean>;
  releaseLease(platform: string, supplier: string, epoch: number): Promise<void>;

  /** The account with all its parts, by any spelling of its number; undefined if the journal does not have it on this platform. */
  find(platform: string, key: AccountKey): Promise<AccountEntry | undefined>;
  /** The same; creates a `pending` entry if there is none. `from`: the location of the export that it is read from. */
  open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry>;
  /**
   * Enters accounts that an export has and that are not run now: `pending` if there is no entry. Returns the entry of
   * each, in their order. Most efficient in thousands.
   */
  enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]>;
  /**
   * Call before accounts of an export are opened or entered: until `endReading`, the journal may not know all of them.
   * An export that was read to its end before, and has as many accounts now, stays known. `accounts`: their number, if
   * that is known.
   */
  beginReading(platform: string, from: string, accounts?: number): Promise<void>;
  /** Records that every account of the export was opened or entered. */
  endReading(platform: string, from: string): Promise<void>;
  /** The number of accounts that were last read from these exports, and are not absent. Examines all accounts. */
  countFrom(platform: string, from: readonly string[]): Promise<number>;
  /**
   * Requests of a supplier that were sent and have no outcome: under way now, or lost. Without those of uncertain accounts, and those
   * that the platform has acknowledged as a task (import v2). Examines all accounts that are not done.
   */
  unanswered(platform: string, supplier: string): Promise<Unanswered>;
  /** The accounts that were last read from this export, ordered by `id`, streamed. */
  accountsFrom(platform: string, from: string): AsyncIterable<BookEntry>;
  /**
   * Finds what is known of accounts of an export by their rows, in their order. Reads durable data. Most efficient in
   * hundreds.
   */
  recognise(platform: string, from: string, accounts: readonly RowsAsked[]): Promise<readonly RowsFound[]>;
  /**
   * Records the rows that accounts were read from, until they are changed. Those of a completed account are kept only if its
   * plan is the one that they were mapped to.
   */
  noteRows(notes: readonly RowsNote[]): Promise<void>;
  /** The accounts of a supplier whose rows this run found changed, in the order of their numbers, streamed. */
  accountsChangedIn(platform: string, supplier: string, run: number): AsyncIterable<AccountEntry>;
  /**
   * Records that the export of these accounts was read to its end without them. Reading an account again reverses
   * that.
   */
  markAbsent(accountIds: readonly number[]): Promise<void>;

  /** Records that a request is about to leave: the part is `sent`. Keeps the previous entry as an earlier attempt. */
  intend(part: PartRef, intent: Intent): Promise<void>;
  /**
   * Records the outcome. A second settlement of one attempt (a status that was asked for, a ruling) keeps the first
   * as an earlier attempt of the same number. Settling something that was never intended is a bug.
   */
  settle(part: PartRef, settlement: Settlement): Promise<void>;
  /** Both in one write, for a request that may be recorded when its outcome is known. */
  recordSent(part: PartRef, intent: Intent, settlement: Settlement): Promise<void>;
  /** Changing the account to a state that it may not enter from its own is a bug. */
  change(accountId: number, change: AccountChange): Promise<void>;
  /** Replaces the known problems of an account. */
  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void>;
  /** Replaces the known sources of an account's uncertain parts. */
  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void>;

  /** Records that a fix replaces the refused data with this plan hash. */
  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void>;
  /** The record for data with this plan hash; undefined if no fix replaced it. */
  superseded(accountId: number, hash: string): Promise<Superseded | undefined>;
  /** Records that a run warned of it. */
  noteSupersededTold(accountId: number, hash: string): Promise<void>;

  /**
   * Records that this journal was just restored from a backup: every account in it, and every one that it will ever
   * open, is in doubt until it is settled. `at`: milliseconds since the epoch.
   */
  markRestored(at: number, by?: Actor): Promise<void>;
  /** The same during a run, which goes on with this journal: it lacks what was sent, and no other has taken its place. */
  markDoubted(at: number): Promise<void>;

  /**
   * The accounts of a platform, of any import supplier, with this number: several only if a number was reported
   * wrongly. The first ten. Reads durable data: a change that nobody has waited for may be missing.
   */
  holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]>;
  /**
   * Every number that more than one account of a platform has, streamed. Reads an index of all numbers, no accounts.
   */
  sharedNumbers(platform: string): AsyncIterable<SharedNumber>;

  /** Earlier and last attempts of an account, oldest first. */
  attempts(accountId: number): AsyncIterable<PartEntry>;
  problems(accountId: number): AsyncIterable<RecordedProblem>;
  /** In the order in which they were reported. */
  partCells(accountId: number): AsyncIterable<PartCell>;
  /** Rulings, retries and restores, newest first. */
  interventions(): AsyncIterable<InterventionEntry>;
  /** The commands that changed this account, and every restore; oldest first. */
  interventionsOn(accountId: number): AsyncIterable<Intervention>;
  /** Suppliers with their counts, of one platform or of all. Independent of the number of accounts. */
  overview(platform?: string): Promise<SupplierOverview[]>;
  /** The accounts that failed last and have not recovered, newest first: at most twenty. */
  lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]>;
  /** Accounts of one supplier, ordered by external account number, streamed. */
  accounts(platform: string, supplier: string, states?: readonly AccountState[]): AsyncIterable<AccountEntry>;
  /** Platforms that the journal has runs of, newest first. */
  platforms(): Promise<{ readonly platform: string; readonly label: string }[]>;

  /** Commits the collected writes, and closes. */
  close(): Promise<void>;
}
