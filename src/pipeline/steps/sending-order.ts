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

/** What can bear witness against the journal, and what is sent only after that. */
export interface SendingOrder {
  readonly witnesses: readonly Leg[];
  readonly rest: readonly Leg[];
}

/**
 * The order in which an account's steps are sent: all that can bear witness against the journal before what cannot be repeated.
 * Otherwise as in the interface. A step that has both is sent in two legs.
 */
export function sendingOrder(
  steps: readonly ExtraStepName[],
  {
    plan,
    parts,
    settings,
  }: { readonly plan: PlanToSend; readonly parts: readonly PartEntry[]; readonly settings: Settings },
): SendingOrder {
  const ranked = steps.map((step) => {
    const ranks = policiesOf(step, plan, parts, settings).map(witnessRank);
    return { step, last: Math.max(0, ...ranks), first: Math.min(2, ...ranks) };
  });
  const ordered = ranked.sort((a, b) => a.last - b.last || a.first - b.first);
  return {
    witnesses: ordered
      .filter(({ first, last }) => first < 2 || last < 2)
      .map(({ step, last }) => ({ step, isWitnessesOnly: last === 2 })),
    rest: ordered.filter(({ last }) => last === 2).map(({ step }) => ({ step, isWitnessesOnly: false })),
  };
}
