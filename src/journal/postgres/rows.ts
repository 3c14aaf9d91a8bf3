import type { Actor } from '../../domain/actor.ts';
import { accountStates, partStates, steps, unpackSteps } from '../core/codes.ts';
import type { AccountEntry, PartEntry } from '../journal.ts';
import { rowsSentFrom } from '../core/row-print.ts';

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

/** A stored account, with its numbers translated. */
export interface AccountRow {
  readonly id: number;
  readonly supplier: number;
  readonly supplier_code: string;
  readonly number: string;
  readonly state: number;
  readonly steps: number;
  readonly code: string;
  readonly kraken_account_number: string | null;
  readonly staged_hash: string | null;
  readonly plan_hash: string | null;
  readonly restore: number;
  readonly source: number | null;
  readonly absent: number;
  readonly data: number | null;
  readonly changed: number | null;
  readonly row_print: string | null;
  readonly problems: boolean;
  readonly from_place: string | null;
  readonly data_place: string | null;
}

/** The last restore of the journal. */
export interface Restore {
  readonly id: number;
  readonly at: number;
}

/** An account and one of its parts, or an account without any. */
export type JoinedRow = AccountRow & {
  readonly restore_id: number | null;
  readonly restore_at: number | null;
  readonly p_step: number | null;
} & {
  readonly [Name in Exclude<keyof PartRow, 'step'> as `p_${Name}`]: PartRow[Name];
};

const partColumns = [
  ...['step', 'part', 'state', 'hash', 'attempt', 'run', 'sent_at', 'took', 'outcome', 'status', 'code'],
  ...['words', 'money', 'prints'],
];

/** Selects the accounts whose `id` a table `wanted` has, in the order of its `place`. */
export const selectWanted = `
  SELECT a.id, a.supplier, s.code AS supplier_code, a.number, a.state, a.steps, a.code, a.kraken_account_number,
    a.staged_hash, a.plan_hash, a.restore, a.source, a.absent, a.data, a.changed, a.row_print, f.place AS from_place, d.place AS data_place,
    EXISTS (SELECT FROM problem WHERE problem.account = a.id) AS problems,
    r.id AS restore_id, r.at AS restore_at, ${partColumns.map((name) => `p.${name} AS p_${name}`).join(', ')}
  FROM wanted w JOIN account a ON a.id = w.id JOIN supplier s ON s.id = a.supplier
    LEFT JOIN source f ON f.id = a.source LEFT JOIN source d ON d.id = a.data
    LEFT JOIN (SELECT id, at FROM restore ORDER BY id DESC LIMIT 1) r ON true
    LEFT JOIN part p ON p.account = a.id
  ORDER BY w.place, a.id, p.step, p.part`;

/** The accounts of joined rows, each with its parts, in their order. */
export function groupedRows(
  rows: readonly JoinedRow[],
): { readonly row: AccountRow; readonly parts: PartRow[]; readonly latest: Restore | undefined }[] {
  const grouped: { row: AccountRow; parts: PartRow[]; latest: Restore | undefined }[] = [];
  for (const row of rows) {
    let last = grouped.at(-1);
    if (last?.row.id !== row.id) {
      const { restore_id: id, restore_at: at } = row;
      last = { row, parts: [], latest: id === null || at === null ? undefined : { id, at } };
      grouped.push(last);
    }
    if (row.p_step !== null)
      last.parts.push({
        step: row.p_step,
        part: row.p_part,
        state: row.p_state,
        hash: row.p_hash,
        attempt: row.p_attempt,
        run: row.p_run,
        sent_at: row.p_sent_at,
        took: row.p_took,
        outcome: row.p_outcome,
        status: row.p_status,
        code: row.p_code,
        words: row.p_words,
        money: row.p_money,
        prints: row.p_prints,
      });
  }
  return grouped;
}

export function entriesOf(rows: readonly JoinedRow[]): AccountEntry[] {
  return groupedRows(rows).map(({ row, parts, latest }) => entryOf(row, parts, latest));
}

export function entryOf(
  row: AccountRow,
  parts: readonly PartRow[],
  latest: Restore | undefined,
): AccountEntry {
  return {
    id: row.id,
    key: { supplier: row.supplier_code, account: row.number },
    state: accountStates.name(row.state),
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
    sentFrom: rowsSentFrom(row.row_print, { state: accountStates.name(row.state), code: row.code }),
    hasProblems: row.problems || undefined,
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
