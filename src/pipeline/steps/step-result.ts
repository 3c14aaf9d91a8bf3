import type { PayloadProblem } from '../../domain/problem.ts';
import { requestTooLarge } from '../../domain/request-too-large.ts';
import type { RunContext } from '../run/context.ts';
import type { PartResult, Verdict } from '../request/part.ts';

/** A problem from the platform, and the payload of the step that its path is in. */
export interface StepProblem extends PayloadProblem {
  /** Index among the step's payloads, from zero. */
  readonly request: number;
}

/**
 * The result of a step of an account. `skipped`: the account is not ours. `stopped`: the run drains, and the step is
 * as in the journal.
 */
export interface StepResult {
  readonly state: 'done' | 'refused' | 'uncertain' | 'failed' | 'stopped' | 'skipped';
  readonly code: string;
  readonly problems: readonly StepProblem[];
}

export const done: StepResult = { state: 'done', code: '', problems: [] };
export const stopped: StepResult = { state: 'stopped', code: '', problems: [] };

/** A request with the account's payload was given up; `bytes`: of its body. */
export function gaveUp({ sizes }: Pick<RunContext, 'sizes'>, cause: string, bytes: number): StepResult {
  const problems = cause === requestTooLarge ? [{ ...sizes.problem(bytes), request: 0 }] : [];
  return { state: 'failed', code: cause, problems };
}

/** A part's result as the result of its step. */
export function stepResult(part: PartResult, request = 0): StepResult {
  const state = part.state === 'lost' ? 'uncertain' : part.state === 'too-large' ? 'failed' : part.state;
  // An uncertain part waits for a ruling: its refusal says nothing about the data.
  const problems = state === 'uncertain' ? [] : part.problems;
  return { state, code: part.code, problems: problems.map((problem) => ({ ...problem, request })) };
}

/** An answer's verdict as the result of a step with one payload. */
export function judged({ state, code = '', problems = [] }: Verdict): StepResult {
  return stepResult({ state, code, problems });
}

/** A failed part is to be sent again, so it outweighs one that waits for a person. */
const gravity = ['done', 'refused', 'uncertain', 'failed', 'skipped', 'stopped'] as const;

/** Whether nothing more of its account is sent in this run. That a single request is too large says nothing about others. */
export function endsAccount(result: StepResult | undefined): boolean {
  if (result?.state === 'failed') return result.code !== requestTooLarge;
  return result?.state === 'stopped';
}

/** The combined result of a step's parts: the gravest state, with its code, and every problem. */
export function together(results: readonly StepResult[]): StepResult {
  let worst = done;
  for (const result of results)
    if (gravity.indexOf(result.state) > gravity.indexOf(worst.state)) worst = result;
  return { ...worst, problems: results.flatMap((result) => result.problems) };
}
