import { definedFields } from '../domain/defined-fields.ts';
import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExportFault, TableSpec } from './export.ts';
import { FileUnreadable } from './file-bytes.ts';

/** The code of a row whose account is not in the accounts table. */
export const orphan = 'orphan_row';

/** A problem of the export itself; its detail has the remedy. */
export function exportProblem(code: string, detail: string, cell?: Cell): Problem {
  return definedFields({
    account: null,
    code,
    path: '',
    detail,
    severity: 'error',
    cell,
  });
}

/** A problem of a whole file. */
export function fileProblem(code: string, file: string, detail: string, line = 1, column = ''): Problem {
  return exportProblem(code, detail, { file, line, column });
}

/** A missing file is a problem of the place that names it, if there is one. */
export function missingFile({ file, origin }: TableSpec, remedy: string): Problem {
  return exportProblem(
    'missing_file',
    `There is no file ${file}.${remedy}`,
    origin ?? { file, line: 1, column: '' },
  );
}

/** A file of the export cannot be read to its end, or can no longer be read. */
export class ExportBroken extends Error {
  override readonly name = 'ExportBroken';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const mostNamed = 1000;

/** Faults without an account. The first thousand of a kind in one file are named, and the others counted. */
export class FaultList {
  readonly #named: ExportFault[] = [];
  readonly #kinds = new Map<string, { count: number; last: ExportFault }>();

  add(fault: ExportFault): void {
    const kind = `${fault.code} ${fault.holdsBack} ${fault.cell?.file ?? ''} ${fault.cell?.sheet ?? ''}`;
    const count = (this.#kinds.get(kind)?.count ?? 0) + 1;
    this.#kinds.set(kind, { count, last: fault });
    if (count <= mostNamed) this.#named.push(fault);
  }

  all(): ExportFault[] {
    const more = [...this.#kinds.values()].flatMap(({ count, last }) =>
      count <= mostNamed
        ? []
        : [
            {
              ...last,
              account: null,
              detail: `${count - mostNamed} more rows like those named above, up to this one.`,
            },
          ],
    );
    return [...this.#named, ...more];
  }
}

/** The problem for an error of reading; any other error is thrown again. */
export function unreadableFile(error: unknown, file: string): Problem {
  if (error instanceof ExportBroken) return error.problem;
  if (!(error instanceof FileUnreadable)) throw error;
  return fileProblem(error.code, file, `${file} ${error.message}`);
}
