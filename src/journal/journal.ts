import type { AccountKey } from '../domain/account-key.ts';
import type { AccountCounts, AccountState } from '../domain/account-state.ts';
import type { Actor } from '../domain/actor.ts';
import type { Cell } from '../domain/cell.ts';
import type { PartState } from '../domain/part-state.ts';
import type { StepState } from '../domain/step-state.ts';
import type { StepName } from '../domain/steps.ts';

/** One part of one step of an account, as the journal addresses it. */
export interface PartRef {
  /** The journal's own number of the account. */
  readonly accountId: number;
  readonly step: StepName;
  /** Position of the part within its step, from zero. */
  readonly part: number;
}

/** A request that is about to leave. */
export interface Intent {
  /** Hash of the body to be sent. */
  readonly hash: string;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the request carries, as `writeMoney` has it (domain/money.ts); absent where it carries none. */
  readonly money?: string | undefined;
  /** Prints of its items, by which one that changed is known later; absent where none is. */
  readonly prints?: string | undefined;
}

/** What became of an attempt, for people and reports; logic depends on the part's state alone. */
export interface Settlement {
  readonly state: PartState;
  /** Kind of the answer, such as `ok`, `refused`, `unknown`; `ruling` for a person's. */
  readonly outcome: string;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** Machine code of the first problem, or the cause of a failure, such as `connection_refused`. */
  readonly code?: string;
  /** What the platform said in a refusal, without the customer's data. */
  readonly words?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Takes the place of the intent's, where the answer told that other parts carry some of it, or that none is known. */
  readonly money?: string | undefined;
}

/** The last attempt at a part; earlier ones are in `attempts`. */
export interface PartEntry {
  readonly step: StepName;
  readonly part: number;
  readonly state: PartState;
  /** Hash of the body that was sent. */
  readonly hash: string;
  /** How many times it was sent. */
  readonly attempt: number;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly answeredAt?: number;
  readonly outcome?: string;
  readonly status?: number;
  readonly code?: string;
  /** What the platform said in a refusal, without the customer's data; unknown of refusals from before that was kept. */
  readonly words?: string;
  /** What it carried, as `writeMoney` has it; unknown for what was sent before that was kept. Not told of earlier attempts. */
  readonly money?: string;
  /** As the intent gave them; not told of earlier attempts, nor known of what was sent before they were kept. */
  readonly prints?: string;
}

export interface AccountEntry {
  readonly id: number;
  readonly key: AccountKey;
  readonly state: AccountState;
  /** Why it is rejected, failed, uncertain or skipped: a machine code; '' otherwise. */
  readonly code: string;
  /**
   * Platform account number, once known. Of an account whose process step is uncertain, one that the platform gave and
   * that may be another's.
   */
  readonly krakenAccountNumber?: string;
  /** Hash of the account payload last known to be staged; absent when none is, or when that is not known. */
  readonly stagedHash?: string;
  /** Hash of everything the account's plan held when it was last driven to an end. */
  readonly planHash?: string;
  readonly steps: Readonly<Record<StepName, StepState>>;
  /** Every part that was ever sent. */
  readonly parts: readonly PartEntry[];
  /**
   * When the journal was put back from a backup, in ms since the epoch, while the account is in doubt: more may have
   * been sent of it since the backup than is recorded here. Absent otherwise.
   */
  readonly inDoubtSince?: number;
  /** Where the export lies that had it when it was read last; absent where no run has read it since that is kept. */
  readonly from?: string;
  /** Where the export lies that the data of `planHash` came from; absent where that was not kept. */
  readonly dataFrom?: string;
  /** That export was since read to its end, and did not have it. */
  readonly isAbsent?: true;
}

/** An account as the book has it, without what was sent of it. */
export interface BookEntry extends Pick<AccountEntry, 'id' | 'key' | 'state'> {
  readonly isAbsent: boolean;
}

/** A change of an account's row; what is absent stays as it is, null empties. */
export interface AccountChange {
  readonly state?: AccountState;
  readonly code?: string;
  readonly krakenAccountNumber?: string | null;
  readonly stagedHash?: string | null;
  readonly planHash?: string | null;
  /** The platform, and where the export lies, that the data of `planHash` comes from. */
  readonly dataFrom?: { readonly platform: string; readonly place: string };
  /** The account is in doubt no longer: what may have been sent since the backup is settled, or recorded as unknown. */
  readonly isSettled?: true;
  readonly steps?: Partial<Record<StepName, StepState>>;
  /** What a person did that makes the change. */
  readonly intervention?: AccountIntervention;
}

/** A command by which a person changed what the journal says of accounts. */
export interface Intervention {
  readonly command: 'resolve' | 'retry' | 'restore';
  /** Milliseconds since the epoch. One command gives all its changes the same. */
  readonly at: number;
  /** Absent where nobody is known: before that was kept, and of a restore that was only found out. */
  readonly by?: Actor;
}

/** One that changes single accounts. */
export interface AccountIntervention extends Intervention {
  readonly command: 'resolve' | 'retry';
}

export interface InterventionEntry extends Intervention {
  /** How many accounts it changed; absent of a restore, which puts all in doubt. */
  readonly accounts?: number;
}

/** Refused data of an account that data of another export, a fix, replaced. */
export interface Superseded {
  /** Where the fix has the account, within its own export. */
  readonly fix?: Cell;
  /** A run has warned of it. */
  readonly isTold: boolean;
}

/** A problem as the journal keeps it: codes and places, no values and no wording. */
export interface RecordedProblem {
  readonly step?: StepName;
  readonly code: string;
  readonly path: string;
  readonly cell?: Cell;
}

/** A place in the export that holds some of what a part sent. No values. */
export interface PartCell {
  readonly step: StepName;
  /** From zero. */
  readonly part: number;
  readonly cell: Cell;
}

/** A start of a machine. The same moment by another clock says that the clock was set in between. */
export interface Boot {
  /** As the system names it; '' where it does not. */
  readonly id: string;
  /** When that was, by the clock of the run; milliseconds since the epoch. */
  readonly at: number;
}

export interface RunStart {
  readonly platform: string;
  /** For people: the platform's address, or 'embedded'. */
  readonly platformLabel: string;
  /** The supplier that --supplier names; absent when a run takes all. */
  readonly supplier?: string;
  readonly dryRun: boolean;
  /** Export path as the user gave it. */
  readonly export: string;
  /** How many accounts it names, where all of them are to be taken. */
  readonly named?: number;
  readonly startedAt: number;
  /** The start of its machine. */
  readonly boot?: Boot;
  /** Absent of runs from before that was kept. */
  readonly by?: Actor;
}

export interface RunEnd {
  readonly endedAt: number;
  readonly exit: number;
  /** Why it ended early, such as `interrupt`; '' when it did not. */
  readonly reason: string;
  readonly accounts: AccountCounts;
  readonly requests: number;
  readonly retries: number;
}

export interface RunEntry extends RunStart {
  readonly id: number;
  /** How fast it goes and why, in a few words; absent before that was noted. */
  readonly pace?: string;
  /** Absent when it is running, or was killed. */
  readonly end?: RunEnd;
}

/** A run that left nothing to do. */
export interface Finished {
  readonly run: number;
  readonly platform: string;
  /** Those of the export, each held by this run. */
  readonly suppliers: readonly string[];
  /** Names the export's files as they were, and all that decides what is made of them. */
  readonly fingerprint: string;
  /** Names what they held, and the same; absent where that was not looked at. */
  readonly content?: string;
}

export interface FinishedRun extends Pick<Finished, 'fingerprint' | 'content'> {
  readonly run: number;
  readonly suppliers: readonly string[];
  /** Over all that the export names. */
  readonly accounts: AccountCounts;
}

/** A platform account number that several accounts have: one of them is another's. */
export interface SharedNumber {
  readonly krakenAccountNumber: string;
  /** The first ten of them, of whatever import supplier. */
  readonly accounts: readonly AccountKey[];
}

/** An account that is rejected, failed or uncertain. */
export interface Trouble {
  /** External account number. */
  readonly account: string;
  readonly state: AccountState;
  /** Why: a machine code. */
  readonly code: string;
}

/** Who holds a supplier. */
export interface LeaseOwner {
  readonly host: string;
  readonly pid: number;
  /** Tells one process from a later one with the same pid: when it started, as the system reports it. */
  readonly processStart: string;
}

export interface LeaseHeld {
  readonly held: true;
  readonly owner: LeaseOwner;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly expiresAt: number;
}

export interface LeaseTaken {
  readonly held: false;
  /** Grows with every taking: a renewal or release by an earlier epoch is refused. */
  readonly epoch: number;
}

/** A write was refused because another run has taken the supplier over: what this one knows is out of date. */
export class LeaseLost extends Error {
  /** Import supplier code. */
  readonly supplier: string;

  constructor(supplier: string) {
    super(`Another run has taken over ${supplier}.`);
    this.name = 'LeaseLost';
    this.supplier = supplier;
  }
}

/** What was intended may not be sent: the journal is not at its place any more, so nobody would find it there. */
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
 * How a journal stands against the mark that is kept outside of it.
 *
 * - `current`: it has all that it ever had
 * - `new`: nothing was recorded yet, and there is no mark
 * - `began-anew`: nothing was recorded yet, and the mark is another journal's, which is gone
 * - `missing`: there is no mark: the journal was copied here, or is of a version that made none
 * - `went-back`: it had more once: an older copy was put in its place, or a power loss took its last records
 * - `replaced`: the mark is another journal's, so that one was used here last
 */
export type MarkFinding = 'current' | 'new' | 'began-anew' | 'missing' | 'went-back' | 'replaced';

/** Where a journal's records are that is not at its place any more. */
export interface Whereabouts {
  /** It was moved here. */
  readonly movedTo?: string;
  /** It was saved here. */
  readonly savedAs?: string;
}

export type StepCounts = Record<'done' | 'failed' | 'uncertain' | 'pending', number>;

export interface SupplierOverview {
  readonly platform: string;
  readonly platformLabel: string;
  readonly supplier: string;
  /** The book: every account that a run has read from an export, without those in `absent`. */
  readonly accounts: AccountCounts;
  /** Accounts that were not created, and that the last complete reading of their export did not have. */
  readonly absent: number;
  /** Of the `pending` accounts, those whose data a dry run staged on the platform. */
  readonly stagedByDryRun: number;
  /** `failed` holds what was refused too; `pending` is planned and not done. */
  readonly steps: Record<StepName, StepCounts>;
}

/**
 * The record of what was intended, sent and answered. Writes are gathered and committed together without a fixed
 * delay, in the order in which they were given; a write's promise resolves when it is durable, so waiting for the
 * last of several waits for all. A commit that fails refuses its writes and every later one. Reads see what was written
 * before them. A bug of the caller rejects that call alone. Nothing in this interface shows how an engine stores it.
 *
 * The leases that were taken through a journal fence its writes about accounts until they are given back: each looks,
 * in the transaction that it is part of, whether every one of them still has its epoch, and rejects with LeaseLost
 * where one has not.
 *
 * Before an intent counts as durable, the journal looks whether it is still at its place: where it was moved, replaced
 * or deleted, intents (and what else comes before a request) reject with JournalGone. What came of requests under way
 * is still taken, and kept wherever the journal's records are; giving a lease back tells of it, too.
 */
export interface Journal {
  /** Where it is kept, for messages. */
  readonly location: string;

  /**
   * Compares the journal with the mark that is kept outside of it. To be called by whoever is about to change anything,
   * before any request: from then on the mark goes forward with each commit, after the commit and before its writes
   * resolve. A journal that `went-back`, or was `replaced`, is marked as restored `at` (ms since the epoch), in the same
   * transaction; a mark that is missing is made anew. A crash at any moment leaves a journal that is `current`.
   */
  takeMark(at: number): Promise<MarkFinding>;
  /** The same comparison; changes nothing. */
  compareMark(): Promise<MarkFinding>;
  /**
   * After JournalGone, when nothing more is to be recorded: where the records are. Saves them beside the journal's
   * place where they would be lost. `at`: ms since the epoch.
   */
  whereabouts(at: number): Promise<Whereabouts>;

  startRun(start: RunStart): Promise<number>;
  /** Replaces what is known of how fast a run goes. */
  notePace(run: number, words: string): Promise<void>;
  finishRun(run: number, end: RunEnd): Promise<void>;
  /** Records that the run left nothing to do. Requires the run's leases. */
  recordFinished(finished: Finished): Promise<void>;
  /**
   * The runs that left nothing to do, newest first: at most one for each supplier. Not those of which a lease of a
   * supplier was taken since, and none from before the journal was put back from a backup.
   */
  finishedRuns(platform: string): Promise<readonly FinishedRun[]>;
  /** Newest first. */
  runs(limit?: number): AsyncIterable<RunEntry>;
  /**
   * The oldest run since which every run named this start of the machine, at most `grainMs` apart, or all named none. Looks at the
   * 1,000 runs before `run` at most; gives `run` where the one before it names another.
   */
  sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number>;

  /**
   * Takes, atomically, the lease on one supplier of one platform, until `expiresAt`. A lease that has expired, or
   * whose owner `isDead`, is taken over.
   */
  takeLease(
    lease: { readonly platform: string; readonly supplier: string; readonly owner: LeaseOwner },
    now: number,
    expiresAt: number,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<LeaseTaken | LeaseHeld>;
  /** Extends a lease, also one that expired and that nobody has taken; false when it was lost to another epoch. */
  renewLease(platform: string, supplier: string, epoch: number, expiresAt: number): Promise<boolean>;
  releaseLease(platform: string, supplier: string, epoch: number): Promise<void>;

  /** The account with all its parts; undefined when the journal has never seen it on this platform. */
  find(platform: string, key: AccountKey): Promise<AccountEntry | undefined>;
  /** The same; makes a `pending` entry where there is none. `from`: where the export lies that it is read from. */
  open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry>;
  /**
   * Enters accounts that an export has, and that are not driven now: `pending` where there is no entry. Gives what there
   * is of each, in their order. Cheapest by the thousand.
   */
  enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]>;
  /** The accounts that this export had when they were read last, ordered by `id`, streamed. */
  accountsFrom(platform: string, from: string): AsyncIterable<BookEntry>;
  /** Records that the export of these accounts was read to its end without them. Reading one again takes that back. */
  markAbsent(accountIds: readonly number[]): Promise<void>;

  /** Records that a request is about to leave: the part is `sent`. Keeps what was there as an earlier attempt. */
  intend(part: PartRef, intent: Intent): Promise<void>;
  /**
   * Records what came of it. A second settlement of one attempt (a status that was asked for, a ruling) keeps the first
   * as an earlier attempt of the same number. Settling what was never intended is a bug.
   */
  settle(part: PartRef, settlement: Settlement): Promise<void>;
  /** Both in one write, of a request that may be recorded when what came of it is known. */
  recordSent(part: PartRef, intent: Intent, settlement: Settlement): Promise<void>;
  /** A state that the account may not go to from its own is a bug. */
  change(accountId: number, change: AccountChange): Promise<void>;
  /** Replaces what is known to be wrong with an account. */
  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void>;
  /** Replaces what is known of where an account's uncertain parts came from. */
  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void>;

  /** Records that a fix replaces the refused data with this plan hash. */
  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void>;
  /** What is recorded of data with this plan hash; undefined where no fix replaced it. */
  superseded(accountId: number, hash: string): Promise<Superseded | undefined>;
  /** Records that a run warned of it. */
  noteSupersededTold(accountId: number, hash: string): Promise<void>;

  /**
   * Takes down that this journal was just put back from a backup: every account that it has, and every one that it
   * will ever open, is in doubt until it is settled. `at`: milliseconds since the epoch.
   */
  markRestored(at: number, by?: Actor): Promise<void>;

  /**
   * The accounts of a platform, of whatever import supplier, that have this number on it: more than one only where a
   * number was told wrongly. The first ten. Looks at what is durable: a change that nobody has waited for may be missing.
   */
  holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]>;
  /** Every number that more than one account of a platform has, streamed. Reads an index of all numbers, no accounts. */
  sharedNumbers(platform: string): AsyncIterable<SharedNumber>;

  /** Earlier and last attempts of an account, oldest first. */
  attempts(accountId: number): AsyncIterable<PartEntry>;
  problems(accountId: number): AsyncIterable<RecordedProblem>;
  /** In the order in which they were given. */
  partCells(accountId: number): AsyncIterable<PartCell>;
  /** Rulings, retries and restores, newest first. */
  interventions(): AsyncIterable<InterventionEntry>;
  /** Those that changed this account, and every restore; oldest first. */
  interventionsOn(accountId: number): AsyncIterable<Intervention>;
  /** Suppliers with their counts, of one platform or of all. Does not grow with the number of accounts. */
  overview(platform?: string): Promise<SupplierOverview[]>;
  /** The accounts that got into trouble last and still are in it, newest first: twenty at most. */
  lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]>;
  /** Accounts of one supplier, ordered by external account number, streamed. */
  accounts(platform: string, supplier: string, states?: readonly AccountState[]): AsyncIterable<AccountEntry>;
  /** Platforms that the journal has runs of, newest first. */
  platforms(): Promise<{ readonly platform: string; readonly label: string }[]>;

  /** Commits what is gathered and closes. */
  close(): Promise<void>;
}
