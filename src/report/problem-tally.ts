import type { Problem } from '../domain/problem.ts';
import type { ProblemTotals } from './problem-totals.ts';

const shown = 20;
/** Warnings hold nothing back: a few of them do as examples. */
const shownWarnings = 5;

/** Counts problems as they come; what it keeps does not grow with their number, only with that of their codes. */
export class ProblemTally {
  #problems = 0;
  #warnings = 0;
  /** By severity and code: how many, and the first few. */
  readonly #kinds = new Map<string, { count: number; readonly first: Problem[] }>();

  add(problem: Problem): void {
    this.#problems++;
    if (problem.severity === 'warning') this.#warnings++;
    const name = `${problem.severity} ${problem.code}`;
    const kind = this.#kinds.get(name) ?? { count: 0, first: [] };
    this.#kinds.set(name, kind);
    kind.count++;
    if (kind.first.length < shown && !kind.first.some((other) => isSameCell(other, problem)))
      kind.first.push(problem);
  }

  totals(): ProblemTotals {
    const byCode = new Map<string, number>();
    for (const { count, first } of this.#kinds.values()) {
      const code = first[0]?.code ?? '';
      byCode.set(code, (byCode.get(code) ?? 0) + count);
    }
    return {
      problems: this.#problems,
      warnings: this.#warnings,
      byCode: Object.fromEntries([...byCode].sort(([a, m], [b, n]) => n - m || a.localeCompare(b))),
      worst: this.#worst(),
    };
  }

  /** Of every kind some: errors first, and the frequent kinds before the rare ones. */
  #worst(): Problem[] {
    const kinds = [...this.#kinds.values()].sort(
      (a, b) => rank(a.first) - rank(b.first) || b.count - a.count,
    );
    const chosen: Problem[] = [];
    let warnings = 0;
    for (let round = 0; round < shown && chosen.length < shown; round++)
      for (const { first } of kinds) {
        const problem = first[round];
        if (problem === undefined || chosen.length >= shown) continue;
        if (problem.severity === 'warning' && ++warnings > shownWarnings) continue;
        chosen.push(problem);
      }
    return chosen.sort(inFileOrder);
  }
}

/** A line of the mapping may be at fault for every account: once is enough to show it. */
function isSameCell({ cell }: Problem, { cell: other }: Problem): boolean {
  return (
    cell !== undefined &&
    cell.file === other?.file &&
    cell.line === other.line &&
    cell.column === other.column
  );
}

function rank([first]: readonly Problem[]): number {
  return first?.severity === 'warning' ? 1 : 0;
}

function inFileOrder(a: Problem, b: Problem): number {
  return (
    rank([a]) - rank([b]) ||
    (a.cell?.file ?? '').localeCompare(b.cell?.file ?? '') ||
    (a.cell?.line ?? 0) - (b.cell?.line ?? 0)
  );
}
