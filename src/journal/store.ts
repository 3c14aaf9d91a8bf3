import type { Actor } from '../domain/actor.ts';
import type { Journal, LeaseHeld, LeaseOwner } from './journal.ts';
import type { RecordSource, RecordTarget } from './safety/records.ts';

export interface JournalOptions {
  /** If there is none: create it, or refuse with `missing`. */
  readonly create: boolean;
  /**
   * Checks the whole journal first if the last run did not end, and refuses it if it is damaged. After a run that ended,
   * the journal opens at once, whatever its size.
   */
  readonly checkAfterCrash?: boolean;
  /** It is only read: one of an earlier version is refused as `outdated`, and stays as it is. */
  readonly reading?: boolean;
  /** How one of an earlier version is upgraded; absent: without a word and a backup. */
  readonly upgrade?: UpgradeOptions;
  /** Called when the server of the journal is lost, and when it is back. */
  readonly warn?: (message: string) => void;
  /** The command is to end: a server that does not answer is no longer awaited. */
  readonly stop?: AbortSignal;
}

/** How a journal of an earlier version is upgraded. */
export interface UpgradeOptions {
  /** The time in ms since the epoch. */
  readonly now: number;
  readonly isDead: (owner: LeaseOwner) => boolean;
  /** This process. */
  readonly owner: LeaseOwner;
  readonly by: Actor;
  /** Waits. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells people what happens, each a sentence or two. */
  readonly tell: (message: string) => void;
  /** Shows on a terminal what is done now, until the next call; '' when all is done. */
  readonly phase?: (text: string) => void;
  /** For tests: called within the transaction, before each version of the schema. */
  readonly step?: (version: number) => void;
}

/** What an upgrade did. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** Where the journal as it was is kept; absent where its server keeps backups. */
  readonly backup?: string;
}

/** How a run waits for its journal. */
export interface Awaiting {
  /** Called when the wait begins, and when it ends well. */
  readonly warn: (message: string) => void;
  /** Gives the wait up: the promise rejects with its reason. */
  readonly signal: AbortSignal;
}

/** The time in ms since the epoch, and whether a lease's owner is known to be dead. */
export interface LeaseMoment {
  readonly now: number;
  readonly isDead: (owner: LeaseOwner) => boolean;
}

/** A supplier that a living process holds, with the journal's key of its platform. */
export interface Holder {
  readonly platform: string;
  readonly supplier: string;
}

/** A supplier and the run that holds it. */
export interface HeldSupplier {
  readonly supplier: string;
  readonly held: LeaseHeld;
}

/** What a run is going to take: a supplier by its name, else those of an export. */
export interface Wanted {
  readonly platform: string;
  readonly supplier?: string | undefined;
  /** Export path as the user gives it. */
  readonly export: string;
  /** The fingerprint of its book, if the run can share it: who works on the same book does not hold it. */
  readonly book?: string | undefined;
}

/** An error in a journal. */
export interface JournalFault {
  /** Machine-readable: `damaged_file`, `broken_reference`, `wrong_structure`, `wrong_tally`, or a rule's name. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  readonly supplier?: string;
  readonly account?: string;
}

/** What a journal has beyond a backup, and the age of both. */
export interface RestoreLoss {
  /** When the journal last recorded anything, in ms since the epoch; absent if it never did. */
  readonly journalAt?: number | undefined;
  /** The same for the backup. */
  readonly backupAt?: number | undefined;
  /** Runs that the backup does not have, or has unfinished. */
  readonly runs: number;
  /** Accounts that differ in the backup, or are missing from it. */
  readonly accounts: number;
  /** Rulings and retries that the backup does not have. */
  readonly rulings: number;
}

export interface RestoreMoment extends LeaseMoment {
  /** Who restores. */
  readonly by?: Actor;
  /** Called before anything is replaced that has more than the backup; throws to cancel. */
  readonly approve?: (loss: RestoreLoss) => Promise<void>;
}

export type Restored =
  /**
   * `kept`: the new path of the previous journal; absent if there was none. `loss`: what it has beyond the backup;
   * absent if it could not be read.
   */
  | { readonly kind: 'restored'; readonly kept?: string | undefined; readonly loss?: RestoreLoss | undefined }
  /** A run holds a supplier: nothing was touched. */
  | { readonly kind: 'held'; readonly by: HeldSupplier };

/** The room that a journal has to grow. */
export type JournalRoom =
  | { readonly kind: 'unwritable'; readonly place: string; readonly isReadOnly?: boolean }
  /** `free`: bytes; absent if the journal is on another machine. */
  | { readonly kind: 'writable'; readonly free?: number };

/**
 * The place of a journal, and what can be done to it as a whole. One implementation for each engine. Every method
 * throws DatabaseRefused, whose message names the journal and the remedy.
 */
export interface JournalStore {
  /** The journal's name, for messages. */
  readonly location: string;
  /** Whether runs on several machines may share a book in it. */
  readonly isShared: boolean;
  /**
   * Waits for a server that cannot be reached at the moment, if its journal was used from this machine before: otherwise its
   * address may be wrong, and this refuses at once. A file is there, or not.
   */
  awaited(awaiting: Awaiting): Promise<void>;
  /** Whether there is a journal. */
  exists(): Promise<boolean>;
  /** Whether a journal was used here, and none is here now. */
  isGone(): Promise<boolean>;
  /** Several processes may have it open; each write waits its turn. */
  open(options: JournalOptions): Promise<Journal>;
  /** Upgrades a journal of an earlier version, while no run holds it; undefined if there is nothing to upgrade. */
  upgrade(options: UpgradeOptions): Promise<Upgraded | undefined>;
  /**
   * The holder of the supplier that a run is going to take, if the journal shows it before the export is
   * read: the named one, or the only one of the platform, if a run has taken this export already. Also
   * undefined if the journal cannot be read: the run itself reports why.
   */
  heldSupplier(wanted: Wanted, moment: LeaseMoment): Promise<HeldSupplier | undefined>;
  /** The suppliers that are held by an owner that is not known to be dead. */
  holders(moment: LeaseMoment): Promise<readonly Holder[]>;
  /** Whether it can be written, or created, and has room. */
  room(): Promise<JournalRoom>;
  /** Does in its place what a run needs there, and leaves nothing behind. A server is tried by each command that opens its journal. */
  tryPlace(): Promise<void>;
  /** Checks the journal, and returns its errors: first its integrity and, if that is given, its consistency. */
  faults(): AsyncIterable<JournalFault>;
  /**
   * Copies the journal as it is now, even while a run writes to it. Returns where the file that was in the target's place is kept,
   * if that is a backup of another journal.
   */
  backUp(target: string, options: { readonly replace: boolean }): Promise<string | undefined>;
  /**
   * Checks a backup, then puts it in the journal's place. What is not done in it may have been done since it was made,
   * so every account of it is in doubt. The previous journal is kept.
   */
  restore(backup: string, moment: RestoreMoment): Promise<Restored>;
  /** The journal's records, to move them elsewhere. */
  source(): Promise<RecordSource>;
  /** This place, to move another journal's records to. Refused if it has a journal. */
  target(): Promise<RecordTarget>;
}
