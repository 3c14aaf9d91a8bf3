import type { StepName } from '../../domain/steps.ts';
import type { RunContext } from '../run/context.ts';
import { dryRunTask } from '../steps/dry-run-task.ts';
import { dryRun } from '../steps/dry-run.ts';
import { stage } from '../steps/stage.ts';
import type { StepResult } from '../steps/step-result.ts';
import { validate } from '../steps/validate.ts';
import type { AccountRun } from './account-run.ts';
import { isProcessOpen } from './standing.ts';

/**
 * How a dry run of an account ends.
 *
 * - `untouched`: it exists, or may exist: it cannot be rehearsed
 * - `cut-short`: a step was left out, or the run drains
 * - `there`: the platform has it already
 * - `would-import`: every step was accepted
 * - `ended`: a step was refused, failed or is unknown
 */
export type Rehearsed =
  | { readonly is: 'untouched' | 'cut-short' | 'there' | 'would-import' }
  | { readonly is: 'ended'; readonly step: StepName; readonly result: StepResult };

/** The requests of a dry run, by the kind of import. */
const rehearsed = {
  v1: [
    ['validate', validate],
    ['stage', stage],
    ['process', dryRun],
  ],
  v2: [
    ['validate', validate],
    ['process', dryRunTask],
  ],
} as const;

/** Validates, stages and processes an account without creating it. */
export async function rehearse(context: RunContext, run: AccountRun): Promise<Rehearsed> {
  if (mayExist(run)) return { is: 'untouched' };
  for (const [step, send] of rehearsed[context.settings.importKind]) {
    if (!context.settings.steps.has(step)) return { is: 'cut-short' };
    const result = await send(context, run);
    if (result.state === 'done') continue;
    if (result.state === 'stopped') return { is: 'cut-short' };
    if (result.state === 'already-imported') return { is: 'there' };
    return { is: 'ended', step, result: { ...result, state: result.state } };
  }
  return { is: 'would-import' };
}

function mayExist({ progress }: AccountRun): boolean {
  if (progress.steps.process === 'done' || isProcessOpen(progress)) return true;
  return progress.prior('process')?.state === 'uncertain';
}
