import { journalContradicted } from '../../domain/shared-codes.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { Journal, PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { isUnsent, isWantedAgain } from './first-attempt.ts';
import { unrepeatableParts } from '../steps/extra-steps.ts';

/**
 * An earlier run left the account half-way: what cannot be repeated of it was never sent as far as the journal knows. If the journal
 * is older than the platform, it may have been sent: then it is held back. Call it when everything that bears witness was sent. A
 * witness that the platform answered as new shows that nothing after it was sent; one that was refused, lost or not sent shows nothing.
 */
export async function holdBackIfBehind(context: RunContext, run: AccountRun): Promise<void> {
  const { settings, contradictions, journal } = context;
  const { plan, progress } = run;
  if (contradictions.isShownNew(progress.id) || contradictions.holds(progress.id)) return;
  const open = extraStepNames.flatMap((step) =>
    unrepeatableParts(step, plan, progress.parts, settings).map(({ prior }) => prior),
  );
  const mayHaveLeft = open.some((prior) => isUnsent(prior) || isWantedAgain(prior));
  if (!mayHaveLeft) return;
  const created = progress.parts.find(({ step, state }) => step === 'process' && state === 'done');
  if (!(await contradictions.lacksAccounts(plan.key.supplier, created?.answeredAt))) return;
  const isNewlyRuled = await ruledSinceHeld(journal, progress.id);
  const isAtRisk = (prior: PartEntry | undefined): boolean =>
    isUnsent(prior) || (isWantedAgain(prior) && !isNewlyRuled(prior));
  if (!open.some(isAtRisk)) return;
  contradictions.hold(progress.id);
  await run.holdBack(isAtRisk);
}

/**
 * A ruling is as old as the journal, and the repetition that it asks for may have been sent since. One on what was held back
 * for that reason is newer.
 */
async function ruledSinceHeld(
  journal: Pick<Journal, 'attempts'>,
  accountId: number,
): Promise<(prior: PartEntry | undefined) => boolean> {
  const held: PartEntry[] = [];
  for await (const one of journal.attempts(accountId)) if (one.code === journalContradicted) held.push(one);
  return (prior) => held.some(({ step, part }) => step === prior?.step && part === prior.part);
}
