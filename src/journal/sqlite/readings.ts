import type { Sqlite } from '../../sqlite/open-database.ts';
import { accountStates } from '../core/codes.ts';
import type { ReadFrom } from '../core/reading-of.ts';
import type { RowsNoteRow } from '../core/row-print.ts';
import type { ReadingRow } from '../core/tally.ts';
import type { Sources } from './sources.ts';

export type Readings = ReturnType<typeof readingsOf>;

/** What was read from which export, and which exports were read to their end: a row for each supplier and export. */
export function readingsOf(db: Sqlite, sources: Sources) {
  const begin = db.prepare<[number | null, number, number | null]>(
    'UPDATE reading SET whole = 0, accounts = ? WHERE source = ? AND (accounts IS NOT ? OR accounts IS NULL)',
  );
  const insert = db.prepare<[number, number, number | null]>(
    'INSERT INTO reading (supplier, source, whole, accounts) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING',
  );
  const end = db.prepare<[number]>('UPDATE reading SET whole = 1 WHERE source = ?');
  const removeReplaced = db.prepare(`
    DELETE FROM reading WHERE whole = 0 AND NOT EXISTS (
      SELECT 1 FROM account WHERE account.supplier = reading.supplier AND account.source = reading.source)`);
  const selectPartly = db.prepare<[], ReadingRow>(
    `SELECT supplier, source, place, accounts FROM reading JOIN source ON source.id = reading.source
    WHERE whole = 0 ORDER BY supplier, source`,
  );
  const selectRead = db.prepare<[], ReadFrom>(`
    SELECT supplier, source, count(*) AS accounts FROM account
    WHERE absent = 0 AND source IN (SELECT source FROM reading WHERE whole = 0) GROUP BY supplier, source`);
  const markAbsent = db.prepare<[number]>('UPDATE account SET absent = 1 WHERE id = ?');
  const updateChanged = db.prepare<[number, number]>('UPDATE account SET changed = ? WHERE id = ?');
  const updateRows = db.prepare<[string, number, string | null]>(
    `UPDATE account SET row_print = ? WHERE id = ? AND (state <> ${accountStates.of.completed} OR plan_hash = coalesce(?, plan_hash))`,
  );
  /** The number of accounts of an export, by its number. */
  const sizes = new Map<number, number>();
  const noted = new Set<string>();

  return {
    begin(platform: string, place: string, accounts: number | undefined): void {
      const source = sources.findOrAdd(platform, place);
      if (accounts !== undefined) sizes.set(source, accounts);
      begin.run(accounts ?? null, source, accounts ?? null);
    },

    /** An account of the supplier is in the export. */
    note(supplier: number, source: number): void {
      const name = `${supplier} ${source}`;
      if (noted.has(name)) return;
      insert.run(supplier, source, sizes.get(source) ?? null);
      noted.add(name);
    },

    end(platform: string, place: string): void {
      end.run(sources.findOrAdd(platform, place));
      // A later export may have all accounts of one that was never read to its end.
      removeReplaced.run();
    },

    markAbsent(accountIds: readonly number[]): void {
      for (const id of accountIds) markAbsent.run(id);
    },

    noteRows(notes: readonly RowsNoteRow[]): void {
      for (const { id, row_print, plan_hash, changed } of notes) {
        if (changed !== null) updateChanged.run(changed, id);
        if (row_print !== null) updateRows.run(row_print, id, plan_hash);
      }
    },

    /** Those that were not read to their end. */
    partly: () => selectPartly.all(),

    /** The accounts that were read from those. */
    read: () => selectRead.all(),
  };
}
