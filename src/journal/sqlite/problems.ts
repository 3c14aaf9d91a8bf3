import type { Sqlite } from '../../sqlite/open-database.ts';
import type { RecordedProblem } from '../journal.ts';
import { steps } from './codes.ts';

/** The known problems of each account. */
export function problemsOf(db: Sqlite) {
  const remove = db.prepare<[number]>('DELETE FROM problem WHERE account = ?');
  const insert = db.prepare<
    [number, number, number | null, string, string, string | null, number | null, string | null]
  >(
    `INSERT INTO problem (account, position, step, code, path, file, line, column) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = db.prepare<[number], ProblemRow>(
    'SELECT step, code, path, file, line, column FROM problem WHERE account = ? ORDER BY position',
  );

  return {
    replace(accountId: number, problems: readonly RecordedProblem[]): void {
      remove.run(accountId);
      problems.forEach(({ step, code, path, cell }, position) => {
        insert.run(
          accountId,
          position,
          step === undefined ? null : steps.of[step],
          code,
          path,
          cell?.file ?? null,
          cell?.line ?? null,
          cell?.column ?? null,
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
}

function problemOf({ step, code, path, file, line, column }: ProblemRow): RecordedProblem {
  return {
    ...(step !== null && { step: steps.name(step) }),
    code,
    path,
    ...(file !== null && line !== null && column !== null && { cell: { file, line, column } }),
  };
}
