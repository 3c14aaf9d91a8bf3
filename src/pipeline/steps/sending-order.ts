import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { Settings } from '../settings.ts';
import type { PlanToSend } from './recorded-parts.ts';
import { policiesOf } from './extra-steps.ts';
import { witnessRank } from './witness.ts';

/** A step to be sent, or only what of it bears witness. */
export interface Leg {
  readonly step: ExtraStepName;
  readonly isWitnessesOnly: boolean;
}

/**
 * The order in which an account's steps are sent: what can bear witness against the journal before what cannot be repeated.
 * Otherwise as in the interface. If several steps have both, all that bears witness is sent first.
 */
export function sendingOrder(
  steps: readonly ExtraStepName[],
  {
    plan,
    parts,
    settings,
  }: { readonly plan: PlanToSend; readonly parts: readonly PartEntry[]; readonly settings: Settings },
): readonly Leg[] {
  const ranked = steps.map((step) => {
    const ranks = policiesOf(step, plan, parts, settings).map(witnessRank);
    return { step, last: Math.max(0, ...ranks), first: Math.min(2, ...ranks) };
  });
  const ordered = ranked.sort((a, b) => a.last - b.last || a.first - b.first);
  const mixed = ordered.filter(({ first, last }) => first < 2 && last === 2);
  const early = mixed.length > 1 ? mixed : [];
  const legs = (of: typeof ordered, isWitnessesOnly: boolean) =>
    of.map(({ step }) => ({ step, isWitnessesOnly }));
  return [
    ...legs(
      ordered.filter(({ last }) => last < 2),
      false,
    ),
    ...legs(early, true),
    ...legs(
      ordered.filter(({ last }) => last === 2),
      false,
    ),
  ];
}
