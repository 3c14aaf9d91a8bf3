import type { AccountCounts } from '../../domain/account-state.ts';
import type { WithoutSupplier } from '../without-supplier.ts';
import type { RunEnding } from '../ending.ts';
import type { TypedOption } from '../../domain/typed-options.ts';
import type { FailureGroup } from '../failures/failure-groups.ts';
import type { NightReason } from './night-reason.ts';

/** What the commands of an advice name. */
export interface CommandPlace {
  /** The export, as it was named; '' if that is not known. */
  readonly source: string;
  readonly supplier?: string | undefined;
  /** Those that the journal has, where none is chosen; default: one. */
  readonly among?: readonly string[] | undefined;
  /** That of the run which is continued, where none is chosen. */
  readonly ofRun?: string | undefined;
  /** Others, whose runs have work left too. */
  readonly leftToo?: readonly string[] | undefined;
  /** The flags of settings and journal, as text to append; '' if there are none. */
  readonly flags: string;
  /** Those of the last run that decide what is sent; absent if they are not known. */
  readonly options?: readonly TypedOption[] | undefined;
}

/** What is left of a book, or of the accounts that a run took. */
export interface Outstanding {
  readonly place: CommandPlace;
  readonly accounts: AccountCounts;
  /** Of the rejected accounts, those that the platform has in another form than the export has now. */
  readonly changed: number;
  /** The causes of that, as far as they are known. */
  readonly changedBy?: RunEnding['changedBy'] | undefined;
  /** Of the rejected accounts, those of which the platform has something already that it refused. */
  readonly alreadyHeld: number;
  /** Of the rejected accounts, those with a code that a code table does not have. */
  readonly unknownCodes: number;
  /** The accounts that did not arrive, rejected and failed ones above all, by their causes; absent if these are not known. */
  readonly causes?: readonly Pick<FailureGroup, 'state' | 'code' | 'accounts'>[] | undefined;
  /** Whether the platform, not a check, refused any of them or failed at it; absent if that is not known. */
  readonly isRefusedThere?: boolean | undefined;
  /** Of the skipped accounts, those that a person ruled to be somebody else's. */
  readonly ruledNotOurs: number;
  /** Accounts that arrived earlier, whose data in the export is refused now. */
  readonly refusedData: number;
  /** Faults of the export that belong to no account; null: there are some. */
  readonly faults: number | null;
  readonly withoutSupplier?: WithoutSupplier | undefined;
  /** Accounts that left the export before they were created. */
  readonly lost: number;
  /** Accounts that share a platform number. */
  readonly doubled: number;
  /** Whether a comparison since the last run found no difference; default: no. */
  readonly isProved?: boolean | undefined;
  /** Whether there was such a comparison, whatever it found; default: no. */
  readonly isCompared?: boolean | undefined;
  /** Whether an export has accounts that no run has read. */
  readonly isPartlyRead: boolean;
  /** An uncertain account, and its step if that is known. */
  readonly uncertain?: { readonly account: string; readonly step?: string } | undefined;
  /** Why the last run, or its night, was not as it should be. `detail`: a sentence, or ''. */
  readonly stop?: { readonly reason: NightReason; readonly detail: string } | undefined;
  /** A run that is under way, and what it does as the rest of a sentence. */
  readonly active?: { readonly run: number; readonly does: string } | undefined;
  /** Known only of a run that has just ended. */
  readonly run?: RunLeft;
}

/** What only the run itself knows of its end. */
interface RunLeft {
  readonly dryRun: boolean;
  readonly failingSteps: RunEnding['failingSteps'] | undefined;
  readonly pace: RunEnding['pace'];
  readonly bodyLimit: RunEnding['bodyLimit'];
  readonly knowsNotDelivered: boolean;
  /** Pending accounts of the book that it did not take. */
  readonly notTaken: number;
  /** The accounts whose rows were copied for corrections, and where to. */
  readonly copied?: { readonly accounts: number; readonly to: string } | undefined;
}

/** Accounts that wait for a run, without those that failed. */
export function unfinishedIn({ accounts }: Pick<Outstanding, 'accounts'>): number {
  const { pending, staged, scheduled, imported } = accounts;
  return pending + staged + scheduled + imported;
}

/** Rejected accounts whose data has to be corrected. */
export function toCorrect({
  accounts,
  changed,
  alreadyHeld,
  unknownCodes,
}: Pick<Outstanding, 'accounts' | 'changed' | 'alreadyHeld' | 'unknownCodes'>): number {
  return Math.max(0, accounts.rejected - changed - alreadyHeld - unknownCodes);
}
