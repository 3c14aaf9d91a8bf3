import type { AccountState } from '../domain/account-state.ts';
import { changedAfterImport } from '../domain/changed-after-import.ts';
import type { StepState } from '../domain/step-state.ts';
import { extraStepNames, type StepName } from '../domain/steps.ts';
import type { AccountEntry, PartEntry } from '../journal/journal.ts';

/** An account that exists, once its steps have been driven as far as they go. */
export interface SettledAccount {
  readonly steps: AccountEntry['steps'];
  /** What was sent of it before this run. */
  readonly parts: readonly PartEntry[];
  /** Why the steps that were driven now are not done. */
  readonly codes: ReadonlyMap<StepName, string>;
  /** It was created from the account data that the export has today. */
  readonly isAsCreated: boolean;
}

/** The state that an account's steps leave it in, and why: those that this run did not drive count too. */
export function accountResult({ steps, parts, codes, isAsCreated }: SettledAccount): [AccountState, string] {
  const stepIn = (state: StepState) => extraStepNames.find((step) => steps[step] === state);
  // What is done may have a code too, and that says nothing of what is not.
  const earlier = (step: StepName) =>
    parts.find((part) => part.step === step && part.state !== 'done' && part.code !== undefined);
  const codeOf = (step: StepName) => codes.get(step) ?? earlier(step)?.code ?? '';
  // In line again because the plan changed, and not driven in this run: what was uncertain of it still is.
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
