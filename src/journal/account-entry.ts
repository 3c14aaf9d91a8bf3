import type { AccountKey } from '../domain/account-key.ts';
import type { AccountState } from '../domain/account-state.ts';
import type { Actor } from '../domain/actor.ts';
import type { Cell } from '../domain/cell.ts';
import type { PartState, StepState } from '../domain/step-state.ts';
import type { StepName } from '../domain/steps.ts';

/** The address of one part of one step of an account in the journal. */
export interface PartRef {
  /** The journal's own number of the account. */
  readonly accountId: number;
  readonly step: StepName;
  /** Index of the part within its step, from zero. */
  readonly part: number;
}

/** A request that is about to leave. */
export interface Intent {
  /** Hash of the body to be sent. */
  readonly hash: string;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The amounts in the request, as written by `writeMoney` (domain/money.ts); absent if there are none. */
  readonly money?: string | undefined;
  /** Fingerprints of its items, to recognise later which one changed; absent if none is. */
  readonly prints?: string | undefined;
}

/** The outcome of an attempt, for people and reports; logic depends on the part's state alone. */
export interface Settlement {
  readonly state: PartState;
  /** Kind of the answer, such as `ok`, `refused`, `unknown`; `ruling` for a person's. */
  readonly outcome: string;
  /** HTTP status, if an answer came. */
  readonly status?: number | undefined;
  /** Machine code of the first problem, or the cause of a failure, such as `connection_refused`. */
  readonly code?: string | undefined;
  /** The platform's message in a refusal, without the customer's data. */
  readonly words?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Replaces the intent's money, if the answer showed that other parts contain some of it, or that none is known. */
  readonly money?: string | undefined;
}

/** The last attempt at a part; earlier ones are in `attempts`. */
export interface PartEntry {
  readonly step: StepName;
  readonly part: number;
  readonly state: PartState;
  /** Hash of the body that was sent. */
  readonly hash: string;
  /** How often it was sent. */
  readonly attempt: number;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly answeredAt?: number | undefined;
  readonly outcome?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** The platform's message in a refusal, without the customer's data; unknown for refusals before it was recorded. */
  readonly words?: string | undefined;
  /**
   * Its amounts, as written by `writeMoney`; unknown for requests before they were recorded. Absent for earlier
   * attempts.
   */
  readonly money?: string | undefined;
  /** As in the intent; absent for earlier attempts, and unknown for requests before they were recorded. */
  readonly prints?: string | undefined;
}

export interface AccountEntry {
  readonly id: number;
  readonly key: AccountKey;
  readonly state: AccountState;
  /**
   * Why it is rejected, failed, uncertain or skipped, or, if it is completed, why its data in the export is refused now: a
   * machine code; '' otherwise.
   */
  readonly code: string;
  /**
   * Platform account number, once known. If the account's process step is uncertain, a number that the platform gave
   * and that may be another account's.
   */
  readonly krakenAccountNumber?: string | undefined;
  /** Hash of the account payload last known to be staged; absent if none is, or if that is not known. */
  readonly stagedHash?: string | undefined;
  /** Hash of the account's whole plan when it was last run to an end. */
  readonly planHash?: string | undefined;
  readonly steps: Readonly<Record<StepName, StepState>>;
  /** Every part that was ever sent. */
  readonly parts: readonly PartEntry[];
  /** Whether problems or warnings are recorded of it; as of when it was read. */
  readonly hasProblems?: true | undefined;
  /**
   * When the journal was restored from a backup, in ms since the epoch, while the account is in doubt: more may have
   * been sent of it since the backup than is recorded here. Absent otherwise.
   */
  readonly inDoubtSince?: number | undefined;
  /** The location of the export that it was last read from; absent if no run has recorded that. */
  readonly from?: string | undefined;
  /** The location of the export that the data of `planHash` came from; absent if that was not recorded. */
  readonly dataFrom?: string | undefined;
  /** Whether that export was since read to its end without it. */
  readonly isAbsent?: true | undefined;
  /** The last run that found its rows changed in the export; absent if none did. */
  readonly changedIn?: number | undefined;
  /** Whether a run recorded which rows it was read from; as of when it was read. */
  readonly hasRows?: true | undefined;
  /** The rows from which it was sent, and how they were mapped; absent if that is not certain. */
  readonly sentFrom?: Pick<ReadRows, 'print' | 'mapping'> | undefined;
}

/** An account of the book, without what was sent of it. */
export interface BookEntry extends Pick<AccountEntry, 'id' | 'key' | 'state'> {
  readonly isAbsent: boolean;
}

/** An export that no run has read to its end: the journal may not know all of its accounts. */
export interface PartlyRead {
  /** The export's location. */
  readonly place: string;
  /** The number of its accounts, of all suppliers, if that is known. */
  readonly accounts?: number;
  /** How many of those no run has read; known only if all that were read are of one supplier. */
  readonly unread?: number;
}

/** The rows of an account in an export, as they were read. */
export interface ReadRows {
  /** Their fingerprint. */
  readonly print: string;
  /** The fingerprint of everything that decides how they are mapped. */
  readonly mapping: string;
  /** How many of them the mapping excludes on purpose. */
  readonly ignoredRows: number;
}

/** The rows of an account that is looked up. */
export interface RowsAsked extends Pick<ReadRows, 'print' | 'mapping'> {
  /** External account number. */
  readonly account: string;
}

/**
 * What the journal knows of the rows of an account.
 *
 * - `unchanged`: it is completed from exactly these rows
 * - `changed`: its rows were others when they were last recorded, under the same mapping
 * - `unknown`: it has to be mapped to know
 */
export type RowsFound =
  | {
      readonly is: 'unchanged';
      readonly id: number;
      readonly supplier: string;
      readonly ignoredRows: number;
      /** Whether the journal has it from this export; otherwise `enter` it. */
      readonly isIn: boolean;
    }
  /** `wasCompleted`: present if an account with this number was completed from other rows, or from rows that were mapped otherwise. */
  | { readonly is: 'changed' | 'unknown'; readonly wasCompleted?: true };

/** What a run found of the rows of an account that it read. */
export interface RowsNote {
  readonly accountId: number;
  /**
   * `planHash`: the hash of their plan; absent if they are to be mapped again in any case. `isSentFrom`: the account was sent
   * from them, and another mapping changed it since.
   */
  readonly rows?: ReadRows & { readonly planHash?: string; readonly isSentFrom?: boolean };
  /** The run, if the rows have changed since an earlier one. */
  readonly changedIn?: number;
}

/** A change of an account's row; absent fields stay, null empties. */
export interface AccountChange {
  /** The rows that it was read from are kept; absent: they are forgotten, and mapped again by the next run. */
  readonly keepsRows?: true;
  readonly state?: AccountState;
  readonly code?: string;
  readonly krakenAccountNumber?: string | null;
  readonly stagedHash?: string | null;
  readonly planHash?: string | null;
  /** The platform and the location of the export that the data of `planHash` comes from. */
  readonly dataFrom?: { readonly platform: string; readonly place: string };
  /**
   * The account is no longer in doubt: what may have been sent since the backup is settled, or recorded as unknown.
   */
  readonly isSettled?: true;
  readonly steps?: Partial<Record<StepName, StepState>>;
  /** The person's command that makes the change. */
  readonly intervention?: AccountIntervention;
}

/** A command with which a person changed the journal's state of accounts. */
export interface Intervention {
  readonly command: 'resolve' | 'retry' | 'restore';
  /** Milliseconds since the epoch. All changes of one command have the same. */
  readonly at: number;
  /** Absent if nobody is known: before it was recorded, and for a restore that was only detected. */
  readonly by?: Actor | undefined;
}

/** A command that changes single accounts. */
export interface AccountIntervention extends Intervention {
  readonly command: 'resolve' | 'retry';
}

export interface InterventionEntry extends Intervention {
  /** The number of accounts that it changed; absent for a restore, which puts all in doubt. */
  readonly accounts?: number | undefined;
}

/** Refused data of an account that data of another export, a fix, replaced. */
export interface Superseded {
  /** The place of the account in the fix's own export. */
  readonly fix?: Cell | undefined;
  /** Whether a run has warned of it. */
  readonly isTold: boolean;
}

/** A problem in the journal: codes and places, no values and no messages. */
export interface RecordedProblem {
  readonly step?: StepName | undefined;
  readonly code: string;
  readonly path: string;
  readonly cell?: Cell | undefined;
  /** It holds nothing back. Not known of problems from before that was kept. */
  readonly isWarning?: true | undefined;
}

/** A place in the export with some of a part's data. No values. */
export interface PartCell {
  readonly step: StepName;
  /** From zero. */
  readonly part: number;
  readonly cell: Cell;
}
