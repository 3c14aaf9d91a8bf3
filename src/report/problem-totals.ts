import type { Problem } from '../domain/problem.ts';

/** A problem that is shown. */
export type ShownProblem = Problem & {
  /** It stands for so many that have the same value. */
  readonly times?: number;
};

/** Problems counted, with the worst of them. */
export interface ProblemTotals {
  /** Errors and warnings. */
  readonly problems: number;
  readonly warnings: number;
  /** Errors and warnings by code, most frequent first. */
  readonly byCode: Readonly<Record<string, number>>;
  /** Twenty at most: errors before warnings, then as the files have them. */
  readonly worst: readonly ShownProblem[];
  /** The file that all of them were written to (`--problems`). */
  readonly file?: string;
}
