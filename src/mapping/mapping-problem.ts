import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';

/** What is wrong with a mapping, or with the files that it reads: of no account's making. */
export function mappingProblem(
  code: string,
  cell: Cell | undefined,
  detail: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return {
    account: null,
    code,
    path: cell?.column ?? '',
    detail,
    severity,
    ...(cell === undefined ? {} : { cell }),
  };
}
