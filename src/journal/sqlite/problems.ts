import { restoredCell, restoredIfAny, storedCell, storedOrNulls } from '../../domain/cell.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import { steps } from '../core/codes.ts';
import type { PartCell, RecordedProblem } from '../journal.ts';

/** The known problems of each account. */
export function problemsOf(db: Sqlite) {
  const remove = db.prepare<[number]>('DELETE FROM problem WHERE account = ?');
  const insert = db.prepare<
    [
      ...[account: number, position: number, step: number | null, code: string, path: string],
      ...[file: string | null, line: number | null, column: string | null, warning: number],
    ]
  >(
    `INSERT INTO problem (account, position, step, code, path, file, line, column, warning)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = db.prepare<[number], ProblemRow>(
    'SELECT step, code, path, file, line, column, warning FROM problem WHERE account = ? ORDER BY position',
  );

  return {
    replace(accountId: number, problems: readonly RecordedProblem[]): void {
      remove.run(accountId);
      problems.forEach(({ step, code, path, cell, isWarning = false }, position) => {
        const stored = storedOrNulls(cell);
        insert.run(
          accountId,
          position,
          step === undefined ? null : steps.of[step],
          code,
          path,
          stored.file,
          stored.line,
          stored.column,
          Number(isWarning),
        );
      });
    },

    of(accountId: number): RecordedProblem[] {
      return select.all(accountId).map(problemOf);
    },
  };
}

interface ProblemRow {
  step: number | null;
  code: string;
  path: string;
  file: string | null;
  line: number | null;
  column: string | null;
  warning: number;
}

function problemOf({ step, code, path, file, line, column, warning }: ProblemRow): RecordedProblem {
  return {
    step: step === null ? undefined : steps.name(step),
    code,
    path,
    cell: restoredIfAny({ file, line, column }),
    isWarning: warning === 1 || undefined,
  };
}

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
