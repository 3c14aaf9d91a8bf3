import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';

/** Each fault once: what an anchor (`&posting`) holds is read for each of its aliases. */
export function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  const told = new Set<string>();
  return problems.filter(({ code, detail, cell }) => {
    const fault = JSON.stringify([code, detail, cell?.file, cell?.line, cell?.column.split('.').at(-1)]);
    return !told.has(fault) && told.add(fault);
  });
}

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
