import type { AccountCounts } from '../domain/account-state.ts';
import type { AnsweredRequests, FoundPace } from '../domain/found-pace.ts';
import type { BodyLimit } from '../domain/request-too-large.ts';
import type { RunFacts } from '../domain/run-facts.ts';
import type { SharedByFailures } from '../domain/shared-by-failures.ts';
import type { Actor } from '../domain/actor.ts';

/** A boot of a machine. If two runs give the same boot different times, the clock was set in between. */
export interface Boot {
  /** The system's id of the boot; '' if it gives none. */
  readonly id: string;
  /** The time of the boot by the run's clock; milliseconds since the epoch. */
  readonly at: number;
}

export interface RunStart {
  readonly platform: string;
  /** For people: the platform's address, or 'embedded'. */
  readonly platformLabel: string;
  /** The supplier in --supplier; absent if a run takes all. */
  readonly supplier?: string | undefined;
  readonly dryRun: boolean;
  /** Export path as the user gave it. */
  readonly export: string;
  /** The number of accounts in it, if all of them are to be taken. */
  readonly named?: number | undefined;
  readonly startedAt: number;
  /** The boot of its machine. */
  readonly boot?: Boot | undefined;
  /** Absent for runs before it was recorded. */
  readonly by?: Actor | undefined;
  /** Absent for runs before it was recorded. */
  readonly facts?: RunFacts | undefined;
}

export interface RunEnd {
  readonly endedAt: number;
  readonly exit: number;
  /** Why it ended early, such as `interrupt`; '' when it did not. */
  readonly reason: string;
  /** More about the reason, as `stopDetail` takes it; absent if there is none. */
  readonly detail?: string | undefined;
  readonly accounts: AccountCounts;
  /** The accounts that this run drove, by the state that they ended in; absent for runs before it was recorded. */
  readonly driven?: AccountCounts | undefined;
  /** Accounts that are in none of the counts, because no run has read them; null: their number is unknown. */
  readonly uncounted?: number | null | undefined;
  /**
   * Of `accounts`, those whose data names no import supplier: the journal has no entry of them. Absent if the run did not read all
   * of its export, and for runs before it was recorded.
   */
  readonly withoutSupplier?: number | undefined;
  /** What its rejected and failed accounts share, the largest group first; absent for runs before it was recorded. */
  readonly shared?: readonly SharedByFailures[] | undefined;
  readonly requests: number;
  readonly retries: number;
}

/** A run that begins no more accounts: what is under way finishes, and the rest is counted. */
export interface Stopping {
  /** As `StopReason`, or one of a later version. */
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface RunEntry extends RunStart {
  readonly id: number;
  /** How fast it runs and why, in a few words; absent before that was recorded. */
  readonly pace?: string | undefined;
  /** The rates that it found last; absent if there were none. */
  readonly found?: FoundPace | undefined;
  /** Its requests that were answered, as it noted them last. */
  readonly answered?: AnsweredRequests | undefined;
  /** The sizes of bodies that a gateway refused and took, as it found them; `none`: it took all that an earlier run found refused. */
  readonly bodyLimit?: BodyLimit | 'none' | undefined;
  /** Set once it begins no more accounts; it may have no end yet. */
  readonly stopping?: Stopping | undefined;
  /** Absent while it is running, and if it was killed. */
  readonly end?: RunEnd | undefined;
}

/** A run that left nothing to do. */
export interface Finished {
  readonly run: number;
  readonly platform: string;
  /** The suppliers of the export, each held by this run. */
  readonly suppliers: readonly string[];
  /** Identifies the export's files by their metadata, and everything that decides how they are mapped. */
  readonly fingerprint: string;
  /** Identifies the files' contents, and the same; absent if the contents were not read. */
  readonly content?: string | undefined;
}

export interface FinishedRun extends Pick<Finished, 'fingerprint' | 'content'> {
  readonly run: number;
  readonly suppliers: readonly string[];
  /** Over all accounts of the export. */
  readonly accounts: AccountCounts;
}

/** The holder of a supplier. */
export interface LeaseOwner {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid: when it started, as the system reports it. */
  readonly processStart: string;
}

/** Whether the owner of a lease is certainly gone. */
export interface IsDead {
  (owner: LeaseOwner): boolean;
  /** Asks the system of several owners at once, where that takes a second: the answers are then known. Never rejects. */
  readonly ask?: (owners: readonly LeaseOwner[]) => Promise<void>;
}
