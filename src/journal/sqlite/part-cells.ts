import { restoredCell, storedCell } from '../../domain/cell.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import type { PartCell } from '../journal.ts';
import { steps } from '../codes.ts';

/** The places in the export of the data of uncertain parts. */
export function partCellsOf(db: Sqlite) {
  const remove = db.prepare<[number]>('DELETE FROM part_cell WHERE account = ?');
  const insert = db.prepare<[number, number, number, number, string, number, string]>(
    'INSERT INTO part_cell (account, position, step, part, file, line, column) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const select = db.prepare<[number], PartCellRow>(
    'SELECT step, part, file, line, column FROM part_cell WHERE account = ? ORDER BY position',
  );

  return {
    replace(accountId: number, cells: readonly PartCell[]): void {
      remove.run(accountId);
      cells.forEach(({ step, part, cell }, position) => {
        const { file, line, column } = storedCell(cell);
        insert.run(accountId, position, steps.of[step], part, file, line, column);
      });
    },

    of(accountId: number): PartCell[] {
      return select
        .all(accountId)
        .map(({ step, part, ...cell }) => ({ step: steps.name(step), part, cell: restoredCell(cell) }));
    },
  };
}

interface PartCellRow {
  step: number;
  part: number;
  file: string;
  line: number;
  column: string;
}
