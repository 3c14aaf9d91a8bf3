import type { AccountKey } from '../../domain/account-key.ts';
import type {
  AccountChange,
  AccountEntry,
  Intent,
  Journal,
  PartCell,
  PartRef,
  RecordedProblem,
  Settlement,
} from '../journal.ts';
import type { StatementAnswer } from './answer.ts';
import type { StoredEntry } from './rows.ts';
import type { Reads, Writes } from './statements.ts';

/**
 * What must hold of a write, else it alone is refused: `fenced` with LeaseLost unless every lease that was taken through the
 * journal is still held; `placed` with JournalGone unless the journal is in its place before the write and once it is
 * durable; `told` the same, but the write is made.
 */
export type WriteCondition = 'none' | 'fenced' | 'placed' | 'told' | 'fencedAndPlaced' | 'fencedAndTold';

export function isFenced(condition: WriteCondition): boolean {
  return condition.startsWith('fenced');
}

/** The accounts and exports that a write is about: an engine that loads them first does so for a whole batch. */
export interface Needs {
  readonly ids?: readonly number[];
  readonly keys?: readonly { readonly platform: string; readonly key: AccountKey }[];
  readonly sources?: readonly { readonly platform: string; readonly place: string }[];
}

/** The writes about single accounts, within a transaction. Each throws Misuse, as `Journal` says. */
export interface AccountWrites {
  /** Returns the entry, which is complete once the batch is stored. */
  open(platform: string, key: AccountKey, from: string | undefined): () => AccountEntry;
  change(accountId: number, change: AccountChange): void;
  intend(part: PartRef, intent: Intent): void;
  settle(part: PartRef, settlement: Settlement): void;
  recordSent(part: PartRef, intent: Intent, settlement: Settlement): void;
  setProblems(accountId: number, problems: readonly RecordedProblem[]): void;
  setPartCells(accountId: number, cells: readonly PartCell[]): void;
}

/**
 * What an engine does for a journal: it has the statements, commits writes and holds leases. What they mean is in `core`,
 * once for all engines.
 */
export interface Driver extends Pick<
  Journal,
  | 'location'
  | 'groups'
  | 'takeMark'
  | 'compareMark'
  | 'whereabouts'
  | 'takeLease'
  | 'renewLease'
  | 'releaseLease'
  | 'enter'
  | 'close'
> {
  /** Reads after everything that was gathered before is committed. */
  read<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T>;
  /** Reads what is durable now. */
  readNow<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T>;
  /** Resolves once what `work` wrote is durable. */
  write<T>(condition: WriteCondition, work: (writes: Writes) => StatementAnswer<T>): Promise<T>;
  /** The same for writes about accounts. */
  writeAccounts<T>(
    condition: WriteCondition,
    needs: Needs,
    work: (accounts: AccountWrites) => () => T,
  ): Promise<T>;
  /** An account, where nothing waits to be committed and it is read at once; else undefined. */
  findAtOnce(platform: string, key: AccountKey): StoredEntry | undefined;
  /** As `Journal.holders`: the questions of one turn of the event loop are asked together. */
  holders(platform: string, krakenAccountNumber: string): Promise<readonly StoredEntry[]>;
}
