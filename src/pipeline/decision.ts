import { creationSteps, extraStepNames, isExtraStep, stepNames, type StepName } from '../domain/steps.ts';
import type { AccountEntry } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import type { Settings } from './settings.ts';

/** What the journal has of an account, as far as a decision needs it. */
export type Standing = Pick<AccountEntry, 'state' | 'steps' | 'planHash'>;

/**
 * What a run does with an account. The run itself and its forecast both ask here.
 *
 * - `refuse`: a local check found an error; it is recorded, and nothing is sent
 * - `leave`: nothing is to be done, or nothing may be
 * - `drive`: it is taken up
 */
export type Decision = 'refuse' | 'leave' | 'drive';

/** `isSound`: no local check found an error. `planHash`: the fingerprint of what the export has of it today. */
export function decide(
  standing: Standing,
  { planHash, isSound }: { readonly planHash: string; readonly isSound: boolean },
  settings: Pick<Settings, 'adopt' | 'steps'>,
): Decision {
  // What is not known of the platform stays so, whatever is wrong with the files now.
  if (!isSound) return standing.state === 'uncertain' ? 'leave' : 'refuse';
  if (standing.state === 'skipped') return settings.adopt ? 'drive' : 'leave';
  return standing.planHash !== planHash || isUnfinished(standing, settings.steps) ? 'drive' : 'leave';
}

/** Whether a step that this run may drive is waiting for it. */
function isUnfinished({ steps, state }: Standing, driven: ReadonlySet<StepName>): boolean {
  const waits = (step: StepName): boolean =>
    driven.has(step) && (steps[step] === 'pending' || steps[step] === 'failed');
  if (steps.process === 'done') {
    // A person's ruling may have left nothing but the verdict to be written.
    const isAllThere = state === 'imported' && !extraStepNames.some((step) => steps[step] === 'pending');
    return isAllThere || extraStepNames.some(waits);
  }
  // A refusal stands until the data changes, and what is uncertain until a person has ruled.
  const isBlocked = creationSteps.some((step) => steps[step] === 'refused' || steps[step] === 'uncertain');
  return !isBlocked && creationSteps.some(waits);
}

/** Every step of a new or changed plan in line; what is done of it already is found again by its parts. */
export function stepsInLine(plan: AccountPlan, steps: AccountEntry['steps']): AccountEntry['steps'] {
  const inLine = { ...steps };
  for (const step of stepNames) {
    if (!isExtraStep(step)) {
      if (steps.process !== 'done') inLine[step] = 'pending';
    } else if (plan.extras[step].length > 0 || steps[step] !== 'none') inLine[step] = 'pending';
  }
  return inLine;
}

/** Whether the platform found this account data valid. */
export function isValidated(
  { steps, parts }: Pick<AccountEntry, 'steps' | 'parts'>,
  payloadHash: string,
): boolean {
  return steps.validate === 'done' && parts.find(({ step }) => step === 'validate')?.hash === payloadHash;
}

/**
 * Whether it is not known, or not recorded, what came of the process attempts of an account that has no number: the
 * platform has to be asked before anything is sent. One that is done lost its second record to a crash.
 */
export function isProcessOpen({ parts }: Pick<AccountEntry, 'parts'>): boolean {
  const state = parts.find(({ step }) => step === 'process')?.state;
  return state === 'sent' || state === 'done';
}

/** Whether this account data is what the platform is known to have staged: only the data meant may become the account. */
export function isStaged(
  { steps, stagedHash }: Pick<AccountEntry, 'steps'> & { readonly stagedHash?: string | undefined },
  payloadHash: string,
): boolean {
  return steps.stage === 'done' && stagedHash === payloadHash;
}
