import type { AccountCounts } from '../../domain/account-state.ts';
import type { ExitCode } from '../../domain/exit-codes.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import type { NightReason } from '../advice/night-reason.ts';
import type { FailureGroup } from '../failures/failure-groups.ts';
import type { WarnedAccounts } from '../failures/warned-accounts.ts';
import type { LackOfRoom } from '../journal-room.ts';
import type { Differences } from '../last-run/compare-runs.ts';
import type { WithoutSupplier } from '../without-supplier.ts';
import type { OlderExport } from './older-export.ts';
import type { NightPace } from './pace-of-nights.ts';

/** What the journal says of the nights of a book. */
export interface NightFacts {
  /** Newest first, without those of other suppliers. */
  readonly runs: readonly RunEntry[];
  /** The runs of living processes. */
  readonly running: ReadonlySet<number>;
  /** The books that the last runs worked on. */
  readonly suppliers: readonly SupplierOverview[];
  /** Whether the journal has suppliers that are not judged: runs that chose none may have driven theirs; default: no. */
  readonly hasOthers?: boolean;
  /** Those of the same suppliers on other platforms. */
  readonly elsewhere: readonly SupplierOverview[];
  /** Requests of these accounts that were sent and have no outcome, on any of these platforms. */
  readonly unanswered: number;
  /** Of these, those of accounts that left the export: no run takes them up; default: none. */
  readonly unansweredGone?: number;
  /** Accounts that share a platform number with another, on any of these platforms. */
  readonly doubled: number;
  /** Bytes that the disk of the journal has left now; absent if it is on another machine. */
  readonly free?: number | undefined;
  /** Skipped accounts that a person ruled to be somebody else's. */
  readonly ruledNotOurs: number;
  /** When somebody last ruled on an account, in ms since the epoch; absent if nobody did. */
  readonly ruledAt?: number | undefined;
  /** When somebody last ruled, had something sent again, or restored the journal, in ms since the epoch; absent if nobody did. */
  readonly intervenedAt?: number | undefined;
  /** When each of these books was compared with its export last, without a difference; absent if one never was. */
  readonly provedAt?: number | undefined;
  /** The same, whatever the comparison found. */
  readonly comparedAt?: number | undefined;
  readonly warned: WarnedAccounts | undefined;
  /** Of the rejected and failed accounts. */
  readonly failures: readonly FailureGroup[];
  /** The time in ms since the epoch. */
  readonly now: number;
}

export interface NightVerdict {
  readonly good: boolean;
  readonly reason: NightReason;
  /** More about it, as the run recorded it. */
  readonly detail: string;
  readonly exit: ExitCode;
  /** The run that the verdict is about. */
  readonly run?: RunEntry | undefined;
  readonly book: AccountCounts;
  /** Accounts of exports that no run has read to their end; null: their number is not known. */
  readonly uncounted: number | null;
  /** Accounts whose data names no import supplier: they are in none of the counts. */
  readonly withoutSupplier?: WithoutSupplier | undefined;
  /** Of the rejected accounts, those that the platform has in another form than the export has now. */
  readonly changed: number;
  /** Of the rejected accounts, those of which the platform has something already that it refused. */
  readonly alreadyHeld: number;
  /** Accounts that arrived earlier, whose data in the export is refused now. */
  readonly refusedData: number;
  /** Whether the platform refused anything of the accounts, or failed at it. */
  readonly isRefusedThere: boolean;
  /** Accounts that left the export before they were created; this and the next two are of all platforms of the suppliers. */
  readonly lost: number;
  readonly doubled: number;
  readonly uncertain: number;
  /** Requests that were sent and have no outcome: of a run under way, or of one that ended without it. */
  readonly unanswered: number;
  /** Of these, those of accounts that left the export: no run takes them up. */
  readonly unansweredGone: number;
  /** Rows of the export that belong to none of its accounts, as the last run that counted them found; 0 if none did. */
  readonly strayRows: number;
  /** Of the skipped accounts, those that a person ruled to be somebody else's. */
  readonly ruledNotOurs: number;
  readonly pace?: NightPace;
  readonly isRehearsal: boolean;
  /** The suppliers of the books. */
  readonly suppliers: readonly string[];
  /** The run that the next one continues: the last one, or that of another supplier where only this has work left. */
  readonly continues?: RunEntry | undefined;
  /** Suppliers with runs of their own and work left, beside that of the continued run. */
  readonly leftToo: readonly string[];
  /** Whether a comparison since the last run, ruling and restore found no difference. */
  readonly isProved: boolean;
  /** Whether there was such a comparison, whatever it found. */
  readonly isCompared: boolean;
  /** Books of the same suppliers on other platforms, where something is left or the night before went. */
  readonly elsewhere: readonly SupplierOverview[];
  /** Present if the export of the night is an earlier one than that of the night before. */
  readonly older?: OlderExport | undefined;
  /** The run before if it began later, by its clock, or the run itself if it began later than now: a clock was set back. */
  readonly ahead?: RunEntry | undefined;
  /** The run before, if the night is the first on another platform. */
  readonly before?: RunEntry | undefined;
  /** Present if the disk of the journal will fill before the book is finished. */
  readonly lackOfRoom?: LackOfRoom | undefined;
  /** Completed accounts with warnings. */
  readonly warned: WarnedAccounts | undefined;
  /** Whether the book was never sent to another platform than the embedded one. */
  readonly isRehearsedOnly: boolean;
  /** The rejected and failed accounts by what they share, the largest group first. */
  readonly failures: readonly FailureGroup[];
  /** Where suppliers have runs of their own: the night that decides. The counts are those of all suppliers. */
  readonly of?: SupplierNight | undefined;
  /** The nights of the others. */
  readonly others?: readonly SupplierNight[];
  /** How what the run was given differs from what the run before it was given; absent if that is not known. */
  readonly differences?: Differences | undefined;
}

/** The last night of one supplier of several. */
export interface SupplierNight {
  readonly supplier: string;
  readonly verdict: NightVerdict;
}
