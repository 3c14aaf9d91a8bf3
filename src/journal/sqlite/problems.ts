import type { Sqlite } from '../../sqlite/open-database.ts';
import { partCellRows, problemRows } from '../core/history-rows.ts';
import type { AccountWrites } from '../core/driver.ts';

/** Replaces the known problems of an account, and the places of the data of its uncertain parts. */
export function problemStatements(db: Sqlite): Pick<AccountWrites, 'setProblems' | 'setPartCells'> {
  const removeProblems = db.prepare<[number]>('DELETE FROM problem WHERE account = ?');
  const insertProblem = db.prepare<object>(
    `INSERT INTO problem (account, position, step, code, path, file, line, column, warning)
    VALUES (@account, @position, @step, @code, @path, @file, @line, @column, @warning)`,
  );
  const removePartCells = db.prepare<[number]>('DELETE FROM part_cell WHERE account = ?');
  const insertPartCell = db.prepare<object>(
    `INSERT INTO part_cell (account, position, step, part, file, line, column)
    VALUES (@account, @position, @step, @part, @file, @line, @column)`,
  );

  return {
    setProblems(accountId, problems) {
      removeProblems.run(accountId);
      for (const row of problemRows(accountId, problems)) insertProblem.run(row);
    },

    setPartCells(accountId, cells) {
      removePartCells.run(accountId);
      for (const row of partCellRows(accountId, cells)) insertPartCell.run(row);
    },
  };
}
