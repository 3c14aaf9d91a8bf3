import type { JournalAccountRow, PartRow, StoredEntry } from '../core/rows.ts';

/** An account and one of its parts, or an account without any. */
export type JoinedRow = JournalAccountRow & {
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
    (EXISTS (SELECT FROM problem WHERE problem.account = a.id))::integer AS problems,
    r.id AS restore_id, r.at AS restore_at, ${partColumns.map((name) => `p.${name} AS p_${name}`).join(', ')}
  FROM wanted w JOIN account a ON a.id = w.id JOIN supplier s ON s.id = a.supplier
    LEFT JOIN source f ON f.id = a.source LEFT JOIN source d ON d.id = a.data
    LEFT JOIN (SELECT id, at FROM restore ORDER BY id DESC LIMIT 1) r ON true
    LEFT JOIN part p ON p.account = a.id
  ORDER BY w.place, a.id, p.step, p.part`;

/** The accounts of joined rows, each with its parts, in their order. */
export function entriesIn(rows: readonly JoinedRow[]): StoredEntry[] {
  const grouped: (StoredEntry & { parts: PartRow[] })[] = [];
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
