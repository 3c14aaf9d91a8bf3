import { definedFields } from '../domain/defined-fields.ts';
import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';

/** Drops repeated problems: the contents of an anchor (`&posting`) are read once for each alias. */
export function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  const told = new Set<string>();
  return problems.filter(({ code, detail, cell }) => {
    const fault = JSON.stringify([code, detail, cell?.file, cell?.line, cell?.column.split('.').at(-1)]);
    return !told.has(fault) && told.add(fault);
  });
}

/** A problem of a mapping, or of the files that it reads: it belongs to no account. */
export function mappingProblem(
  code: string,
  cell: Cell | undefined,
  detail: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return definedFields({
    account: null,
    code,
    path: cell?.column ?? '',
    detail,
    severity,
    cell,
  });
}
