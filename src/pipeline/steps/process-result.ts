import type { StepResult } from './step-result.ts';

/**
 * The account exists with this number, made from data with this fingerprint; or the reason why not, and the step at
 * which it ended.
 */
export type ProcessResult =
  | { readonly state: 'done'; readonly krakenAccountNumber: string; readonly createdFrom: string }
  | (StepResult & {
      readonly state: Exclude<StepResult['state'], 'done'>;
      readonly step?: 'validate' | 'stage' | undefined;
    });

/** The same of the step of this name, which is not done. */
export function notDone(result: StepResult, step?: 'stage'): ProcessResult {
  if (result.state === 'done') throw new Error('a step that is done has a number');
  return { ...result, state: result.state, step };
}
