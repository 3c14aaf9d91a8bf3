import {
  creationSteps,
  extraStepNames,
  isExtraStep,
  stepNames,
  type ExtraStepName,
  type StepName,
} from '../../domain/steps.ts';
import { isCorrected } from '../../domain/corrected.ts';
import { notOurs, stillInProgress } from '../../domain/shared-codes.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';
import type { Settings } from '../settings.ts';
import { accountResult } from './account-result.ts';

/** What a decision needs of an account's state in the journal. */
export type Standing = Pick<AccountEntry, 'state' | 'code' | 'steps' | 'planHash' | 'parts'>;

/** The account in the current export. */
export interface Today {
  readonly planHash: string;
  readonly payloadHash: string;
  /** Whether no local check found an error. */
  readonly isSound: boolean;
  /** What is known of its rows; absent if they were not compared. */
  readonly rows?: 'same' | 'changed' | 'unknown' | undefined;
}

/** Whether its data is new: the rows that completed it may make other lists in another order, which are no new data. */
export function isChanged(
  { planHash, state }: Pick<Standing, 'planHash' | 'state'>,
  today: Pick<Today, 'planHash' | 'isSound' | 'rows'>,
): boolean {
  const isSame = today.rows === 'same' && today.isSound && state === 'completed';
  return !isSame && planHash !== today.planHash;
}

/**
 * What a run does with an account. The run itself and its forecast both use this.
 *
 * - `refuse`: a local check found an error; it is recorded, and nothing is sent
 * - `keep`: the same for a completed account: it stays completed, and the problems are reported
 * - `leave`: nothing is to be done, or nothing may be
 * - `drive`: it is run
 */
export type Decision = 'refuse' | 'keep' | 'leave' | 'drive';

export function decide(
  standing: Standing,
  today: Today,
  settings: Pick<Settings, 'adopt' | 'steps'>,
): Decision {
  // A ruling stands, whatever the files say and whatever else is adopted.
  if (standing.state === 'skipped' && standing.code === notOurs) return 'leave';
  // An unknown state on the platform stays unknown, whatever errors the files have now.
  if (!today.isSound)
    return standing.state === 'uncertain' ? 'leave' : standing.state === 'completed' ? 'keep' : 'refuse';
  if (standing.state === 'skipped') return settings.adopt ? 'drive' : 'leave';
  if (isCorrected(standing, today.planHash)) return standing.state === 'completed' ? 'leave' : 'drive';
  if (isChanged(standing, today)) return 'drive';
  // The payload of the same rows may have another fingerprint.
  if (standing.state === 'completed' && standing.planHash !== today.planHash) return 'leave';
  return isUnfinished(standing, today.payloadHash, settings.steps) ? 'drive' : 'leave';
}

/** Whether a step that this run may take is pending, or only the final state has to be written. */
function isUnfinished(standing: Standing, payloadHash: string, driven: ReadonlySet<StepName>): boolean {
  const { steps, state, parts } = standing;
  const waits = (step: StepName): boolean =>
    driven.has(step) && (steps[step] === 'pending' || steps[step] === 'failed');
  if (steps.process === 'done') {
    // A crash may have prevented the write of the final state, and a ruling may have changed it.
    const isAsCreated = wasCreatedFrom(standing, payloadHash);
    const [due] = accountResult({ steps, parts, codes: new Map(), isAsCreated });
    return due !== state || extraStepNames.some(waits);
  }
  if (driven.has('process') && isInProgress(parts.find(({ step }) => step === 'process'))) return true;
  // A refusal stands until the data changes, and an uncertain step until a person has ruled.
  const isBlocked = creationSteps.some((step) => steps[step] === 'refused' || steps[step] === 'uncertain');
  return !isBlocked && creationSteps.some(waits);
}

/**
 * The states of a new or changed plan: every step pending, including the further ones for which `isPlanned` is true;
 * what is already done is found again by its parts.
 */
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

/** Whether an existing account was created from this account data; assumed if nothing of it was sent. */
export function wasCreatedFrom({ parts }: Pick<AccountEntry, 'parts'>, payloadHash: string): boolean {
  const process = parts.find(({ step }) => step === 'process');
  return process === undefined || process.hash === payloadHash;
}

/** Whether the platform has validated this account data. */
export function isValidated(
  { steps, parts }: Pick<AccountEntry, 'steps' | 'parts'>,
  payloadHash: string,
): boolean {
  return steps.validate === 'done' && parts.find(({ step }) => step === 'validate')?.hash === payloadHash;
}

/**
 * Whether the outcome of the process attempts of an account without a number is unknown or unrecorded: the platform
 * must be asked before anything is sent. A done attempt without a number lost its second record to a crash.
 */
export function isProcessOpen({ parts }: Pick<AccountEntry, 'parts'>): boolean {
  const process = parts.find(({ step }) => step === 'process');
  return process?.state === 'sent' || process?.state === 'done' || isInProgress(process);
}

/** Whether the platform was still creating the account when an earlier run lost its patience. */
function isInProgress(process: PartEntry | undefined): boolean {
  return process?.state === 'uncertain' && process.code === stillInProgress;
}

/** Whether the platform is known to have staged exactly this account data: no other data may become the account. */
export function isStaged(
  { steps, stagedHash }: Pick<AccountEntry, 'steps'> & { readonly stagedHash?: string | undefined },
  payloadHash: string,
): boolean {
  return steps.stage === 'done' && stagedHash === payloadHash;
}
