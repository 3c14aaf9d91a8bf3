import type { AccountKey, Spelling } from '../../domain/account-key.ts';
import type { Actor } from '../../domain/actor.ts';
import type { ItemRef } from '../item-records.ts';
import type { Boot, Finished, Intent, RunStart, Settlement, Unanswered } from '../journal.ts';
import type { AccountReading, ReadingCounts } from '../read-back-records.ts';
import type { StatementAnswer } from './answer.ts';
import type { InterventionRow, PartCellRow, ProblemRow, SupersededRow, UpgradeRow } from './history-rows.ts';
import type { RowsNoteRow, RowsOfAccount } from './row-print.ts';
import type { PartRow, StoredEntry } from './rows.ts';
import type { FinishedRow, RunRow, StoredEnd } from './run-row.ts';
import type { Counts } from './tally.ts';

/** The statements that read a journal. Each sees one state of it. Pages have the sizes of `pageSizes`, and come in order. */
export interface Reads {
  readonly accounts: AccountReads;
  readonly history: HistoryReads;
  readonly runs: RunReads;
  readonly upgrades: UpgradeReads;
  readonly readBack: ReadBackReads;
  readonly items: ItemReads;
}

export interface AccountReads {
  find(platform: string, key: AccountKey): StatementAnswer<StoredEntry | undefined>;
  /** By the composed form of its number, which the key has. */
  findSpelled(platform: string, key: AccountKey): StatementAnswer<StoredEntry | undefined>;
  /** Those of a supplier whose numbers come after this one, in any of the states, which are codes. */
  page(
    platform: string,
    supplier: string,
    after: string | undefined,
    states: readonly number[],
  ): StatementAnswer<readonly StoredEntry[]>;
  /** Those of a supplier that a run found changed, whose numbers come after this one. */
  pageChanged(
    platform: string,
    supplier: string,
    run: number,
    after: string | undefined,
  ): StatementAnswer<readonly StoredEntry[]>;
  /** Those that were last read from an export, whose own numbers are greater than `after`. */
  pageFrom(platform: string, from: string, after: number): StatementAnswer<readonly BookRow[]>;
  /** How many were last read from these exports, without the absent ones. */
  countFrom(platform: string, from: readonly string[]): StatementAnswer<number>;
  /** As `Journal.unanswered`. */
  unanswered(platform: string, supplier: string): StatementAnswer<Unanswered>;
  /** The platform numbers after this one that several accounts of a platform have. */
  pageShared(platform: string, after: string): StatementAnswer<readonly string[]>;
  /** What was recorded of the rows of the accounts with these numbers, of any supplier. */
  rowsOf(
    platform: string,
    from: string,
    numbers: readonly string[],
  ): StatementAnswer<readonly RowsOfAccount[]>;
  /** All that an overview counts, of one platform or of all. */
  counts(platform: string | undefined): StatementAnswer<Counts>;
  /** Those that failed last and have not recovered, newest first: at most twenty. */
  lastTroubles(platform: string, supplier: string): StatementAnswer<readonly TroubleRow[]>;
}

/** An account of the book. */
export interface BookRow {
  readonly id: number;
  readonly supplier: string;
  readonly number: string;
  readonly state: number;
  readonly absent: number;
}

export interface TroubleRow {
  readonly number: string;
  readonly state: number;
  readonly code: string;
}

export interface HistoryReads {
  /** Oldest first; those of one part in their order even if the clock was set back between them. */
  attempts(accountId: number): StatementAnswer<readonly PartRow[]>;
  problems(accountId: number): StatementAnswer<readonly ProblemRow[]>;
  partCells(accountId: number): StatementAnswer<readonly PartCellRow[]>;
  superseded(accountId: number, hash: string): StatementAnswer<SupersededRow | undefined>;
  /** Those before this one, newest first. */
  pageInterventions(before: number | undefined): StatementAnswer<readonly InterventionRow[]>;
  /** Those that changed an account, and every restore; oldest first. */
  interventionsOn(accountId: number): StatementAnswer<readonly InterventionRow[]>;
}

export interface RunReads {
  /** Those before this one, newest first. */
  page(before: number | undefined): StatementAnswer<readonly RunRow[]>;
  recordedUntil(run: number, codes: readonly string[]): StatementAnswer<number | undefined>;
  /** The last run from `first` to before `run` that named another boot, or its time more than `grainMs` away. */
  lastOfOtherBoot(
    first: number,
    run: number,
    boot: Boot | undefined,
    grainMs: number,
  ): StatementAnswer<number | undefined>;
  finished(platform: string): StatementAnswer<readonly FinishedRow[]>;
  platforms(): StatementAnswer<{ readonly platform: string; readonly label: string }[]>;
}

export interface UpgradeReads {
  all(): StatementAnswer<readonly UpgradeRow[]>;
  /** Those after this one. */
  pageSpellings(platform: string, after: SpellingRow | undefined): StatementAnswer<readonly SpellingRow[]>;
  rules(): StatementAnswer<number | undefined>;
}

export type SpellingRow = Spelling & { readonly supplier: number };

export interface ReadBackReads {
  latest(accountId: number): StatementAnswer<AccountReading | undefined>;
  pointsSince(at: number): StatementAnswer<number | undefined>;
  counts(platform: string, supplier: string): StatementAnswer<ReadingCountsRow | undefined>;
}

export type ReadingCountsRow = Omit<ReadingCounts, 'latest'> & { readonly latest: number | null };

/** The statements that write to a journal, within a transaction. Those about single accounts are in `AccountWrites`. */
export interface Writes {
  readonly runs: RunWrites;
  readonly readings: ReadingWrites;
  readonly fixes: FixWrites;
  readonly upgrades: UpgradeWrites;
  readonly readBack: ReadBackWrites;
  readonly items: ItemWrites;
  /** Puts every account in doubt: a backup took the journal's place, and is a journal of its own from now on. */
  markRestored(at: number, by: Actor | undefined): StatementAnswer<void>;
  /** Puts every account in doubt. */
  markDoubted(at: number): StatementAnswer<void>;
}

export interface RunWrites {
  /** Returns its number. `facts`: as they are stored. */
  start(run: RunStart, facts: string | null): StatementAnswer<number>;
  notePace(run: number, stored: string): StatementAnswer<void>;
  /** Whether the run was under way. */
  end(run: number, end: StoredEnd): StatementAnswer<boolean>;
  recordFinished(finished: Finished): StatementAnswer<void>;
}

export interface ReadingWrites {
  begin(platform: string, from: string, accounts: number | undefined): StatementAnswer<void>;
  /** Also removes the readings of exports all of whose accounts a later export has. */
  end(platform: string, from: string): StatementAnswer<void>;
  markAbsent(accountIds: readonly number[]): StatementAnswer<void>;
  noteRows(notes: readonly RowsNoteRow[]): StatementAnswer<void>;
}

export interface FixWrites {
  supersede(accountId: number, hash: string, fix: Omit<SupersededRow, 'told'>): StatementAnswer<void>;
  tell(accountId: number, hash: string): StatementAnswer<void>;
}

export interface UpgradeWrites {
  setRules(rules: number): StatementAnswer<void>;
  /** An upgrade of accounts, under the schema as it is. */
  add(at: number, by: Actor | undefined, accounts: number): StatementAnswer<void>;
}

export interface ReadBackWrites {
  begin(platform: string, supplier: string, selection: string, at: number): StatementAnswer<number>;
  end(pass: number, at: number): StatementAnswer<void>;
  /** The points of a reading less than `addUpMs` before are added. */
  put(reading: AccountReading, addUpMs: number): StatementAnswer<void>;
}

/** An item of a step that a profile adds, as it is stored. */
export interface ItemRow {
  readonly platform: string;
  readonly step: string;
  readonly item: string;
  readonly state: number;
  readonly hash: string;
  readonly attempt: number;
  readonly lost: number;
  readonly run: number;
  readonly restore: number;
  readonly sent_at: number;
  readonly took: number | null;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly words: string | null;
}

/** The number of the last restore, 0 if there was none, and the item, if it was ever sent. */
export type FoundItemRow = { readonly latest: number } & (
  ItemRow | { readonly [Column in keyof ItemRow]: null }
);

export interface ItemCountRow {
  readonly platform: string;
  readonly step: string;
  readonly state: number;
  readonly items: number;
}

export interface ItemReads {
  find(ref: ItemRef): StatementAnswer<FoundItemRow | undefined>;
  /** Of one platform or of all, in the order of platforms and steps. */
  counts(platform: string | undefined): StatementAnswer<readonly ItemCountRow[]>;
  /** Those after this one that are not done. */
  page(platform: string, step: string, after: string | undefined): StatementAnswer<readonly ItemRow[]>;
}

export interface ItemWrites {
  intend(ref: ItemRef, intent: Pick<Intent, 'hash' | 'run' | 'at'>): StatementAnswer<void>;
  settle(
    ref: ItemRef,
    settlement: Omit<Settlement, 'money' | 'state'> & { readonly state: number },
  ): StatementAnswer<void>;
  /** Whether there was such an item, and it was not done. */
  rule(ref: ItemRef, state: number, at: number): StatementAnswer<boolean>;
}
