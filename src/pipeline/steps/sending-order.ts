import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { Settings } from '../settings.ts';
import type { PlanToSend } from './recorded-parts.ts';
import { policiesOf } from './extra-steps.ts';
import { witnessRank } from './witness.ts';

/**
 * The order in which an account's steps are sent: what can bear witness against the journal before what cannot be repeated.
 * Otherwise as in the interface.
 */
export function sendingOrder(
  steps: readonly ExtraStepName[],
  {
    plan,
    parts,
    settings,
  }: { readonly plan: PlanToSend; readonly parts: readonly PartEntry[]; readonly settings: Settings },
): readonly ExtraStepName[] {
  if (steps.length < 2) return steps;
  const ranked = steps.map((step) => {
    const ranks = policiesOf(step, plan, parts, settings).map(witnessRank);
    return { step, last: Math.max(0, ...ranks), first: Math.min(2, ...ranks) };
  });
  return ranked.sort((a, b) => a.last - b.last || a.first - b.first).map(({ step }) => step);
}
