import type { Problem } from '../../domain/problem.ts';
import { place } from '../../domain/cell.ts';

/** A problem in one line: place, fault and remedy. */
export function formatProblem({ cell, detail }: Problem): string {
  return cell === undefined ? detail : `${place(cell)}: ${detail}`;
}
