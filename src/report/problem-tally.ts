import { cellKey } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';
import type { ProblemTotals, ShownProblem } from './ending.ts';

/** Warnings about a value that many accounts share: one entry for each value. */
export const groupedCodes: ReadonlySet<string> = new Set(['unknown_value', 'row_not_mapped']);

/** Values that are counted apart; all others of their code are counted together. */
const mostGroups = 1000;

const shown = 20;
/** Warnings hold nothing back: a few of them do as examples. */
const shownWarnings = 5;

interface Kind {
  count: number;
  readonly first: Problem[];
  /** All of them have the same value in the same field. */
  readonly isGroup: boolean;
}

/** Counts problems as they come; what it keeps does not grow with their number, only with that of their codes. */
export class ProblemTally {
  #problems = 0;
  #warnings = 0;
  /** By severity and code: how many, and the first few. */
  readonly #kinds = new Map<string, Kind>();

  add(problem: Problem): void {
    this.#problems++;
    if (problem.severity === 'warning') this.#warnings++;
    const kind = this.#kindOf(problem);
    kind.count++;
    if (
      kind.first.length < (kind.isGroup ? 1 : shown) &&
      !kind.first.some((other) => isSameCell(other, problem))
    )
      kind.first.push(problem);
  }

  #kindOf(problem: Problem): Kind {
    const { severity, code, value } = problem;
    const group = JSON.stringify([severity, code, fieldOf(problem), value]);
    const isGroup =
      groupedCodes.has(code) &&
      value !== undefined &&
      (this.#kinds.has(group) || this.#kinds.size < mostGroups);
    const name = isGroup ? group : `${severity} ${code}`;
    const kind = this.#kinds.get(name) ?? { count: 0, first: [], isGroup };
    this.#kinds.set(name, kind);
    return kind;
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
  #worst(): ShownProblem[] {
    const kinds = [...this.#kinds.values()].sort(
      (a, b) => rank(a.first) - rank(b.first) || b.count - a.count,
    );
    const chosen: ShownProblem[] = [];
    let warnings = 0;
    for (let round = 0; round < shown && chosen.length < shown; round++)
      for (const { first, count, isGroup } of kinds) {
        const problem = first[round];
        if (problem === undefined || chosen.length >= shown) continue;
        if (problem.severity === 'warning' && ++warnings > shownWarnings) continue;
        chosen.push(isGroup ? { ...problem, times: count } : problem);
      }
    return chosen.sort(inFileOrder);
  }
}

/**
 * A line of the mapping may be at fault for every account: once is enough to show it. Fields that it lacks are shown one by one, so that
 * all of them can be added at once.
 */
function isSameCell(one: Problem, other: Problem): boolean {
  const isSame =
    one.cell !== undefined && other.cell !== undefined && cellKey(one.cell) === cellKey(other.cell);
  return isSame && (one.code !== 'required' || fieldOf(one) === fieldOf(other));
}

/** The path of a field, whichever record it is in. */
function fieldOf({ path }: Problem): string {
  return path.replaceAll(/\d+/g, '*');
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
