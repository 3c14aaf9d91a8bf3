import type { Sqlite } from '../../sqlite/open-database.ts';
import type { PartCellRow, ProblemRow, SupersededRow } from '../core/history-rows.ts';
import type { FixWrites, HistoryReads } from '../core/statements.ts';
import type { Interventions } from './interventions.ts';
import type { Parts } from './parts.ts';

/** What is known of an account beside its row, and refused data that data of another export replaced. */
export function historyStatements(
  db: Sqlite,
  parts: Parts,
  interventions: Interventions,
): HistoryReads & FixWrites {
  const selectProblems = db.prepare<[number], ProblemRow>(
    'SELECT * FROM problem WHERE account = ? ORDER BY position',
  );
  const selectPartCells = db.prepare<[number], PartCellRow>(
    'SELECT * FROM part_cell WHERE account = ? ORDER BY position',
  );
  const supersede = db.prepare<[number, string, string | null, number | null, string | null]>(
    'INSERT OR REPLACE INTO superseded (account, hash, file, line, column) VALUES (?, ?, ?, ?, ?)',
  );
  const selectSuperseded = db.prepare<[number, string], SupersededRow>(
    'SELECT file, line, column, told FROM superseded WHERE account = ? AND hash = ?',
  );
  const tell = db.prepare<[number, string]>('UPDATE superseded SET told = 1 WHERE account = ? AND hash = ?');

  return {
    attempts: (accountId) => parts.attempts(accountId),
    problems: (accountId) => selectProblems.all(accountId),
    partCells: (accountId) => selectPartCells.all(accountId),
    pageInterventions: (before) => interventions.page(before),
    interventionsOn: (accountId) => interventions.on(accountId),
    superseded: (accountId, hash) => selectSuperseded.get(accountId, hash),

    supersede(accountId, hash, { file, line, column }) {
      supersede.run(accountId, hash, file, line, column);
    },

    tell(accountId, hash) {
      tell.run(accountId, hash);
    },
  };
}
