import type { AccountKey } from '../../domain/account-key.ts';
import type { Actor } from '../../domain/actor.ts';
import type { AccountEntry, PartEntry } from '../journal.ts';
import type { ChangedColumns } from './account-change.ts';
import { accountStates, partStates, steps, unpackSteps } from './codes.ts';
import { rowsSentFrom } from './row-print.ts';

/** A part as it is stored. */
export interface PartRow {
  readonly step: number;
  readonly part: number;
  readonly state: number;
  readonly hash: string;
  readonly attempt: number;
  readonly run: number;
  readonly sent_at: number;
  readonly took: number | null;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly words: string | null;
  readonly money: string | null;
  readonly prints: string | null;
}

/** An account as it is stored. */
export interface AccountColumns extends ChangedColumns {
  readonly id: number;
  readonly number: string;
  /** The export that it was last read from. */
  readonly source: number | null;
  readonly absent: number;
  readonly changed: number | null;
  readonly row_print: string | null;
  /** 1 if it has problems. */
  readonly problems: number;
}

/** The same with the names of its supplier and its exports. */
export interface JournalAccountRow extends AccountColumns {
  readonly supplier_code: string;
  readonly from_place: string | null;
  readonly data_place: string | null;
}

/** An account of which nothing is known yet. */
export function pendingRow({
  id,
  supplier,
  key,
  source,
  from,
}: {
  readonly id: number;
  readonly supplier: number;
  readonly key: AccountKey;
  readonly source: number | null;
  readonly from: string | undefined;
}): JournalAccountRow {
  return {
    ...{ id, supplier, supplier_code: key.supplier, number: key.account },
    ...{ state: accountStates.of.pending, steps: 0, code: '', kraken_account_number: null },
    ...{ staged_hash: null, plan_hash: null, restore: 0, source, absent: 0, data: null },
    ...{ changed: null, row_print: null, problems: 0, from_place: from ?? null, data_place: null },
  };
}

/** The last restore of the journal. */
export interface Restore {
  readonly id: number;
  readonly at: number;
}

/** An account with its parts, in the order of their steps. */
export interface StoredEntry {
  readonly row: JournalAccountRow;
  readonly parts: readonly PartRow[];
  /** The last restore of the journal, if it was ever restored. */
  readonly latest: Restore | undefined;
}

export function entryOf({ row, parts, latest }: StoredEntry): AccountEntry {
  const state = accountStates.name(row.state);
  return {
    id: row.id,
    key: { supplier: row.supplier_code, account: row.number },
    state,
    code: row.code,
    krakenAccountNumber: row.kraken_account_number ?? undefined,
    stagedHash: row.staged_hash ?? undefined,
    planHash: row.plan_hash ?? undefined,
    steps: unpackSteps(row.steps),
    parts: parts.map(partEntryOf),
    inDoubtSince: latest !== undefined && row.restore < latest.id ? latest.at : undefined,
    from: row.from_place ?? undefined,
    dataFrom: row.data_place ?? undefined,
    isAbsent: row.absent === 1 || undefined,
    changedIn: row.changed ?? undefined,
    sentFrom: rowsSentFrom(row.row_print, { state, code: row.code }),
    hasRows: row.row_print === null ? undefined : true,
    hasProblems: row.problems === 1 || undefined,
  };
}

export function partEntryOf(row: PartRow): PartEntry {
  return {
    step: steps.name(row.step),
    part: row.part,
    state: partStates.name(row.state),
    hash: row.hash,
    attempt: row.attempt,
    run: row.run,
    sentAt: row.sent_at,
    answeredAt: row.took === null ? undefined : row.sent_at + row.took,
    outcome: row.outcome ?? undefined,
    status: row.status ?? undefined,
    code: row.code ?? undefined,
    words: row.words ?? undefined,
    money: row.money ?? undefined,
    prints: row.prints ?? undefined,
  };
}

/** Who gave a command, as a row has it. */
export interface ActorRow {
  readonly login: string | null;
  readonly host: string | null;
  readonly version: string | null;
}

export function byOf({ login, host, version }: ActorRow): Actor | undefined {
  return login === null || host === null || version === null ? undefined : { user: login, host, version };
}
