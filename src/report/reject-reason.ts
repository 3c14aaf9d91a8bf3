import type { Problem } from '../domain/problem.ts';
import { place } from './problem-list.ts';

/** Problems named in one reason; the others are in the file of --problems. */
const named = 10;

/** Why an account was rejected, in one line: the code of each error and the cell where it is. */
export function rejectReason(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const reasons = errors
    .slice(0, named)
    .map(({ code, cell }) => (cell === undefined ? code : `${code} at ${place(cell)}`));
  return [...reasons, ...(errors.length > named ? [`${errors.length - named} more`] : [])].join(' + ');
}
