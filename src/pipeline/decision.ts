import {
  creationSteps,
  extraStepNames,
  isExtraStep,
  stepNames,
  type ExtraStepName,
  type StepName,
} from '../domain/steps.ts';
import type { AccountEntry } from '../journal/journal.ts';
import type { Settings } from './settings.ts';
import { accountResult } from './account-result.ts';

/** What the journal has of an account, as far as a decision needs it. */
export type Standing = Pick<AccountEntry, 'state' | 'steps' | 'planHash' | 'parts'>;

/** The fingerprints of what the export has of an account today, and whether no local check found an error in it. */
export interface Today {
  readonly planHash: string;
  readonly payloadHash: string;
  readonly isSound: boolean;
}

/**
 * What a run does with an account. The run itself and its forecast both ask here.
 *
 * - `refuse`: a local check found an error; it is recorded, and nothing is sent
 * - `keep`: the same, of an account that is completed: that stands, and the problems are told
 * - `leave`: nothing is to be done, or nothing may be
 * - `drive`: it is taken up
 */
export type Decision = 'refuse' | 'keep' | 'leave' | 'drive';

export function decide(
  standing: Standing,
  today: Today,
  settings: Pick<Settings, 'adopt' | 'steps'>,
): Decision {
  // What is not known of the platform stays so, whatever is wrong with the files now.
  if (!today.isSound)
    return standing.state === 'uncertain' ? 'leave' : standing.state === 'completed' ? 'keep' : 'refuse';
  if (standing.state === 'skipped') return settings.adopt ? 'drive' : 'leave';
  const isChanged = standing.planHash !== today.planHash;
  return isChanged || isUnfinished(standing, today.payloadHash, settings.steps) ? 'drive' : 'leave';
}

/** Whether a step that this run may drive is waiting for it, or nothing but the verdict is left to be written. */
function isUnfinished(standing: Standing, payloadHash: string, driven: ReadonlySet<StepName>): boolean {
  const { steps, state, parts } = standing;
  const waits = (step: StepName): boolean =>
    driven.has(step) && (steps[step] === 'pending' || steps[step] === 'failed');
  if (steps.process === 'done') {
    // A crash may have kept the verdict from being written, and a person's ruling may have changed it.
    const isAsCreated = wasCreatedFrom(standing, payloadHash);
    const [due] = accountResult({ steps, parts, codes: new Map(), isAsCreated });
    return due !== state || extraStepNames.some(waits);
  }
  // A refusal stands until the data changes, and what is uncertain until a person has ruled.
  const isBlocked = creationSteps.some((step) => steps[step] === 'refused' || steps[step] === 'uncertain');
  return !isBlocked && creationSteps.some(waits);
}

/** Every step of a new or changed plan in line, the further ones that `isPlanned` has something for; what is done of it already is found again by its parts. */
export function stepsInLine(
  isPlanned: (step: ExtraStepName) => boolean,
  steps: AccountEntry['steps'],
): AccountEntry['steps'] {
  const inLine = { ...steps };
  for (const step of stepNames) {
    if (!isExtraStep(step)) {
      if (steps.process !== 'done') inLine[step] = 'pending';
    } else if (isPlanned(step) || steps[step] !== 'none') inLine[step] = 'pending';
  }
  return inLine;
}

/** Whether an account that exists was created from this account data; taken for so where nothing of it was sent. */
export function wasCreatedFrom({ parts }: Pick<AccountEntry, 'parts'>, payloadHash: string): boolean {
  const process = parts.find(({ step }) => step === 'process');
  return process === undefined || process.hash === payloadHash;
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
