import type { AccountKey } from '../domain/account-key.ts';
import type { RunEntry, Trouble } from '../journal/journal.ts';
import type { AccountHistory } from '../report/account-history.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import type { SupplierStatus } from '../report/status-table.ts';

/** An account that failed last, with the places of its faulty cells. */
export interface FailedAccount extends Trouble {
  readonly places: readonly string[];
}

export interface WatchedSupplier {
  readonly status: SupplierStatus;
  /** Newest first. */
  readonly failures: readonly FailedAccount[];
  /** How many completed accounts have warnings; absent if they were not counted. */
  readonly warned?: number;
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
  /** The flags of settings and journal, as text to append to a suggested command; default: none. */
  readonly flags?: string;
  /** Warnings about the journal. */
  readonly warnings: readonly string[];
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
