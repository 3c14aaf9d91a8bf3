import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartResult, Verdict } from '../part.ts';

/** A problem that the platform told of, and which of the step's payloads its path leads into. */
export interface StepProblem extends PayloadProblem {
  /** Position among the step's payloads, from zero. */
  readonly request: number;
}

/**
 * What became of a step of an account. `skipped`: the account is not ours to touch. `stopped`: the run drains, and the
 * step is as the journal has it.
 */
export interface StepResult {
  readonly state: 'done' | 'refused' | 'uncertain' | 'failed' | 'stopped' | 'skipped';
  readonly code: string;
  readonly problems: readonly StepProblem[];
}

export const done: StepResult = { state: 'done', code: '', problems: [] };
export const stopped: StepResult = { state: 'stopped', code: '', problems: [] };

/** A part's result as that of its step. */
export function stepResult(part: PartResult, request = 0): StepResult {
  const state = part.state === 'lost' ? 'uncertain' : part.state;
  // What is uncertain waits for a ruling: its refusal says nothing of the data.
  const problems = state === 'uncertain' ? [] : part.problems;
  return { state, code: part.code, problems: problems.map((problem) => ({ ...problem, request })) };
}

/** An answer's verdict as the result of a step that has one payload. */
export function judged({ state, code = '', problems = [] }: Verdict): StepResult {
  return stepResult({ state, code, problems });
}

/** What failed is to be sent again, so it outweighs what waits for a person. */
const gravity = ['done', 'refused', 'uncertain', 'failed', 'skipped', 'stopped'] as const;

/** The results of a step's parts as one: the gravest state, with its code, and every problem. */
export function together(results: readonly StepResult[]): StepResult {
  let worst = done;
  for (const result of results)
    if (gravity.indexOf(result.state) > gravity.indexOf(worst.state)) worst = result;
  return { ...worst, problems: results.flatMap((result) => result.problems) };
}
