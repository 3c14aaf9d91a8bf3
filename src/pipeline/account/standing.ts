import type { ImportKind } from '../../domain/import-kind.ts';
import { isExtraStep, stepNames, type ExtraStepName } from '../../domain/steps.ts';
import { stillInProgress } from '../../domain/shared-codes.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';

/** What the journal's entry of an account says about its steps. */

/**
 * The states of a new or changed plan: every step pending, including the further ones for which `isPlanned` is true;
 * what is already done is found again by its parts.
 */
export function stepsInLine(
  isPlanned: (step: ExtraStepName) => boolean,
  steps: AccountEntry['steps'],
  kind: ImportKind,
): AccountEntry['steps'] {
  const inLine = { ...steps };
  for (const step of stepNames) {
    if (!isExtraStep(step)) {
      // A task takes the place of staging.
      const isLeftOut = step === 'stage' && kind === 'v2' && steps.stage === 'none';
      if (steps.process !== 'done' && !isLeftOut) inLine[step] = 'pending';
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

/** Whether the platform may have the account, or a task for it: that is settled before anything else keeps it back. */
export function mayBeThere({
  state,
  steps,
  parts,
  inDoubtSince,
}: Pick<AccountEntry, 'state' | 'steps' | 'parts' | 'inDoubtSince'>): boolean {
  const isKnown = steps.process === 'done' || steps.process === 'uncertain' || state === 'scheduled';
  return isKnown || inDoubtSince !== undefined || isProcessOpen({ parts });
}

/** What the journal keeps of a submission that the platform has acknowledged (import v2). */
export const scheduledOutcome = 'scheduled';

/** Whether the platform has acknowledged a task, and no end of it is known. */
export function isTaskOpen(process: PartEntry | undefined): boolean {
  return process?.state === 'sent' && process.outcome === scheduledOutcome;
}

/** How an account is created in this run: what is under way is finished in the way in which it began. */
export function importOf(
  { parts }: Pick<AccountEntry, 'parts'>,
  settings: { readonly importKind: ImportKind },
): ImportKind {
  const process = parts.find(({ step }) => step === 'process');
  if (isTaskOpen(process)) return 'v2';
  const isStagedBefore = parts.some(({ step }) => step === 'stage');
  return isProcessOpen({ parts }) && isStagedBefore ? 'v1' : settings.importKind;
}

/** Whether the platform was still creating the account when an earlier run lost its patience. */
export function isInProgress(process: PartEntry | undefined): boolean {
  return process?.state === 'uncertain' && process.code === stillInProgress;
}

/**
 * Whether an uncertain process step waits for no person: the platform was still creating the account, or an attempt after that
 * ended otherwise (versions before 0.7.0 left the step uncertain then).
 */
export function isAskedAnew({ steps, parts }: Pick<AccountEntry, 'steps' | 'parts'>): boolean {
  const process = parts.find(({ step }) => step === 'process');
  if (steps.process !== 'uncertain' || process === undefined) return false;
  return isInProgress(process) || process.state !== 'uncertain';
}

/** Whether the platform is known to have staged exactly this account data: no other data may become the account. */
export function isStaged(
  { steps, stagedHash }: Pick<AccountEntry, 'steps'> & { readonly stagedHash?: string | undefined },
  payloadHash: string,
): boolean {
  return steps.stage === 'done' && stagedHash === payloadHash;
}
