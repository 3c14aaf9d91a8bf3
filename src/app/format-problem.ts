import type { Problem } from '../domain/problem.ts';
import { place } from '../report/place.ts';

/** A problem in one line: where, what, and the remedy. */
export function formatProblem({ cell, detail }: Problem): string {
  return cell === undefined ? detail : `${place(cell)}: ${detail}`;
}
