import type { AccountKey } from '../domain/account-key.ts';
import type { RunEntry, Trouble } from '../journal/journal.ts';
import type { AccountHistory } from '../report/account-history.ts';
import type { GivenFlags } from '../report/command-line.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import type { Survey } from '../report/html-report/survey.ts';
import type { LastReconciled } from '../report/reconciliation/last-reconciled.ts';
import type { SupplierStatus } from '../report/status-table.ts';

/** An account that failed last, with the places of its faulty cells. */
export interface FailedAccount extends Trouble {
  readonly places: readonly string[];
}

export interface WatchedSupplier {
  readonly status: SupplierStatus;
  /** Newest first. */
  readonly failures: readonly FailedAccount[];
  /** What needs every account to be read; absent until it is done for the first time. */
  readonly counted?: CountedBook | undefined;
  /** How many accounts were read so far, while that is under way. */
  readonly reading?: number | undefined;
  /** The last comparison with the export; absent: none is known. */
  readonly reconciled?: LastReconciled | undefined;
  /** That of its amounts, such as GBP; absent: not known. */
  readonly currency?: string | undefined;
}

/** What all accounts of a supplier were read for, some time ago. */
export interface CountedBook {
  /** When the reading began, in ms since the epoch. */
  readonly at: number;
  /** Whether the book has not changed since. */
  readonly isCurrent: boolean;
  readonly survey: Survey;
}

/** The journal's state at one moment. Its size does not depend on the number of accounts. */
export interface Night {
  readonly suppliers: readonly WatchedSupplier[];
  /** Why there are no suppliers; default: `new`. */
  readonly empty?: EmptyJournal;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** The ids of the runs of living processes. */
  readonly running: ReadonlySet<number>;
  /** The flags of settings and journal that suggested commands have; default: none. */
  readonly given?: GivenFlags;
  /** Warnings about the journal. */
  readonly warnings: readonly string[];
  /** What each problem code means, in a sentence; default: nothing is said. */
  readonly sentences?: ReadonlyMap<string, string>;
}

/** Where the dashboard reads. Each call reads the journal as it is then. */
export interface NightSource {
  /** Rejects with an error whose message is for people if the journal cannot be read. */
  look(): Promise<Night>;
  /** The account with this number, once for each supplier and platform that has it. */
  find(account: string, supplier: string | undefined): Promise<readonly AccountHistory[]>;
}

/** Selects one supplier of several. */
export type SupplierChoice = Pick<AccountKey, 'supplier'> & { readonly platform: string };
