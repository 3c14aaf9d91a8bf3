import type { AddedStep } from '../../domain/added-step.ts';
import type { RunContext } from '../run/context.ts';
import type { AddedItem } from './added-item.ts';
import { mostNamed, type ItemTally } from './item-tally.ts';

/**
 * Counts the items of a step whose files have an error, and sends none: a row of no item may be what another item lacks. An account that
 * names any other item than those that are done waits.
 */
export async function holdItems(
  context: RunContext,
  step: AddedStep,
  items: AsyncIterable<AddedItem>,
  { counts, faults, named }: ItemTally,
): Promise<void> {
  const { journal, platform, needed } = context;
  for (const problem of faults) context.emit({ type: 'problem', problem });
  const done = new Set<string>();
  for await (const { name, names } of items) {
    const { entry } = await journal.items.find({ platform, step: step.name, item: name });
    if (entry?.state === 'done') for (const one of names) done.add(one);
    const isUncertain = entry?.state === 'uncertain';
    if (isUncertain && named.length < mostNamed)
      named.push({ item: name, state: 'uncertain', code: entry.code ?? '' });
    counts[entry?.state === 'done' ? 'done' : isUncertain ? 'uncertain' : 'waiting'] += 1;
  }
  if (step.named !== undefined) needed.hold(step.named, done);
}
