import type { Journal } from '../journal/journal.ts';
import type { AddedItems } from '../pipeline/added/added-item.ts';
import type { ItemPlan } from '../report/plan-table.ts';

/** What a run would do with the items of the steps before the accounts. `recorded`: absent if there is no journal of the platform. */
export async function planItems(
  steps: readonly AddedItems[],
  recorded: { readonly journal: Pick<Journal, 'items'>; readonly platform: string } | undefined,
): Promise<readonly ItemPlan[]> {
  const plans: ItemPlan[] = [];
  for (const { step, items } of steps) {
    const plan = { step: step.name, due: 0, done: 0, uncertain: 0, refused: 0 };
    for await (const { name, problems } of items()) {
      const ref = { step: step.name, item: name };
      const state =
        recorded && (await recorded.journal.items.find({ ...ref, platform: recorded.platform })).entry?.state;
      const isRefused = problems.some(({ severity }) => severity === 'error');
      if (state === 'done' || state === 'uncertain') plan[state] += 1;
      else plan[isRefused ? 'refused' : 'due'] += 1;
    }
    plans.push(plan);
  }
  return plans;
}
