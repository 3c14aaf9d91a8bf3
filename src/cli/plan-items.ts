import type { Journal } from '../journal/journal.ts';
import type { AddedItems } from '../pipeline/added/added-item.ts';
import { NeededItems } from '../pipeline/added/needed-items.ts';
import type { ItemPlan } from '../report/plan-table.ts';

/**
 * What a run would do with the items of the steps before the accounts, and which of those that accounts name will not be done by then.
 * `recorded`: absent if there is no journal of the platform.
 */
export async function planItems(
  steps: readonly AddedItems[],
  recorded: { readonly journal: Pick<Journal, 'items'>; readonly platform: string } | undefined,
): Promise<{ readonly before: readonly ItemPlan[]; readonly needed: NeededItems }> {
  const before: ItemPlan[] = [];
  const needed = new NeededItems();
  for (const { step, faults, items } of steps) {
    const isHeld = faults.length > 0;
    const done = new Set<string>();
    const plan = { step: step.name, due: 0, done: 0, uncertain: 0, refused: 0 };
    for await (const { name, names, problems } of items()) {
      const ref = { step: step.name, item: name };
      const state =
        recorded && (await recorded.journal.items.find({ ...ref, platform: recorded.platform })).entry?.state;
      const isRefused = problems.some(({ severity }) => severity === 'error');
      if (state === 'done' || state === 'uncertain') plan[state] += 1;
      else plan[isRefused || isHeld ? 'refused' : 'due'] += 1;
      if (state === 'done') for (const one of isHeld ? names : []) done.add(one);
      else if (step.named !== undefined && !isHeld && (isRefused || state === 'uncertain'))
        needed.add(step.named, names, { step: step.name, item: name, isRefused });
    }
    if (isHeld && step.named !== undefined) needed.hold(step.named, done);
    before.push(plan);
  }
  return { before, needed };
}
