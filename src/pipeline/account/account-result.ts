import type { AccountState } from '../../domain/account-state.ts';
import { changedAfterImport } from '../../domain/shared-codes.ts';
import type { StepState } from '../../domain/step-state.ts';
import { extraStepNames, type StepName } from '../../domain/steps.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';

/** An account that exists, after every step that could run has run. */
export interface SettledAccount {
  readonly steps: AccountEntry['steps'];
  /** What was sent of it before this run. */
  readonly parts: readonly PartEntry[];
  /** Why steps of this run are not done. */
  readonly codes: ReadonlyMap<StepName, string>;
  /** Whether it was created from the account data in the current export. */
  readonly isAsCreated: boolean;
}

/** The state that results from an account's steps, and the reason: steps that this run did not take count too. */
export function accountResult({ steps, parts, codes, isAsCreated }: SettledAccount): [AccountState, string] {
  const stepIn = (state: StepState) => extraStepNames.find((step) => steps[step] === state);
  // A done step may have a code too, which says nothing about the others.
  const earlier = (step: StepName) =>
    parts.find((part) => part.step === step && part.state !== 'done' && part.code !== undefined);
  const codeOf = (step: StepName) => codes.get(step) ?? earlier(step)?.code ?? '';
  // Pending again because the plan changed, and not run now: what was uncertain of it still is.
  const leftOut = extraStepNames.find(
    (step) =>
      steps[step] === 'pending' && parts.some((part) => part.step === step && part.state === 'uncertain'),
  );
  const uncertain = stepIn('uncertain') ?? leftOut;
  const [failed, refused] = [stepIn('failed'), stepIn('refused')];
  if (uncertain !== undefined) return ['uncertain', codeOf(uncertain)];
  if (failed !== undefined) return ['failed', codeOf(failed)];
  if (refused !== undefined) return ['rejected', codeOf(refused)];
  if (!isAsCreated) return ['rejected', changedAfterImport];
  return [stepIn('pending') === undefined ? 'completed' : 'imported', ''];
}
