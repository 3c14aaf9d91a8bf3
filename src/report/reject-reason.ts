import type { Problem } from '../domain/problem.ts';
import { place } from '../domain/cell.ts';

/** Problems named in one reason; the others are in the file of --problems. */
const named = 10;

/** Longest value in a reason, in characters. */
const longestValue = 80;

/**
 * Why an account was rejected, in one line: the code of each error, its cell and, if requested, the cell's
 * value.
 */
export function rejectReason(problems: readonly Problem[], values = false): string {
  const told = problems.filter(({ severity }) => severity === 'error');
  // Two fields that are made of one cell have one reason.
  const errors = [
    ...new Map(
      told.map((problem) => [
        `${problem.code} ${problem.cell === undefined ? '' : place(problem.cell)}`,
        problem,
      ]),
    ).values(),
  ];
  const reasons = errors
    .slice(0, named)
    .map(
      ({ code, cell, value }) =>
        (cell === undefined ? code : `${code} at ${place(cell)}`) +
        (values && value !== undefined ? ` (${shortened(value)})` : ''),
    );
  return [...reasons, ...(errors.length > named ? [`${errors.length - named} more`] : [])].join(' + ');
}

function shortened(value: string): string {
  return value.length > longestValue ? `${value.slice(0, longestValue)}...` : value;
}
