import { extraStepNames } from '../../domain/steps.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { isUnsent } from './first-attempt.ts';
import { unrepeatableParts } from '../steps/extra-steps.ts';

/**
 * An earlier run left the account half-way: what cannot be repeated of it was never sent as far as the journal knows. If the journal
 * is older than the platform, it may have been sent: then it is held back. Call it when everything that bears witness was sent. A
 * witness that the platform answered as new shows that nothing after it was sent; one that was refused, lost or not sent shows nothing.
 */
export async function holdBackIfBehind(context: RunContext, run: AccountRun): Promise<void> {
  const { settings, contradictions } = context;
  const { plan, progress } = run;
  if (contradictions.isShownNew(progress.id) || contradictions.holds(progress.id)) return;
  const isAtRisk = extraStepNames.some((step) =>
    unrepeatableParts(step, plan, progress.parts, settings).some(({ prior }) => isUnsent(prior)),
  );
  if (!isAtRisk || !(await contradictions.lacksAccounts(plan.key.supplier))) return;
  contradictions.hold(progress.id);
  await run.holdBack();
}
