import type { Problem } from '../domain/problem.ts';

/** Problems counted, with the worst of them. */
export interface ProblemTotals {
  /** Errors and warnings. */
  readonly problems: number;
  readonly warnings: number;
  /** Errors and warnings by code, most frequent first. */
  readonly byCode: Readonly<Record<string, number>>;
  /** Twenty at most: errors before warnings, then as the files have them. */
  readonly worst: readonly Problem[];
  /** The file that all of them were written to (`--problems`). */
  readonly file?: string;
}
