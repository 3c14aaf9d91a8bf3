import { extraStepNames } from '../domain/steps.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from './context.ts';
import { isUnsent } from './first-attempt.ts';
import { policiesOf, unrepeatableParts } from './steps/extra-steps.ts';

/**
 * An earlier run left the account half-way: what cannot be repeated of it was never sent as far as the journal knows, and nothing that is
 * still to be sent can bear witness. If the journal is older than the platform, it may have been sent: then it is held back.
 */
export async function holdBackIfBehind(context: RunContext, run: AccountRun): Promise<void> {
  const { settings, contradictions } = context;
  const { plan, progress } = run;
  const { parts } = progress;
  const isWithoutPast = (name: string) => parts.every(({ step, state }) => step !== name || state === 'done');
  const bearsWitness = extraStepNames.some(
    (step) =>
      isWithoutPast(step) &&
      policiesOf(step, plan, parts, settings).some((policy) => policy.bearsWitness === true),
  );
  const isAtRisk = extraStepNames.some((step) =>
    unrepeatableParts(step, plan, parts, settings).some(({ prior }) => isUnsent(prior)),
  );
  if (bearsWitness || !isAtRisk || !(await contradictions.lacksAccounts(plan.key.supplier))) return;
  await run.holdBack();
}
