import type { AddedStep } from '../../domain/added-step.ts';
import { oneCell } from '../../domain/cell.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { PayloadProblem, Problem } from '../../domain/problem.ts';
import { addedSteps } from '../../domain/steps.ts';
import type { RunContext } from '../run/context.ts';
import type { AddedItem, AddedItems } from './added-item.ts';
import { holdItems } from './hold-items.ts';
import { beginTally, isDone, isNeededByAll, mostNamed, type ItemTally } from './item-tally.ts';
import { NamedAccounts } from './named-accounts.ts';
import { placeNameOf, sendItem, type ItemResult } from './send-item.ts';

/** Items that are sent at the same time: there are few of them, and later ones may need earlier ones' step. */
const mostAtOnce = 8;

/**
 * Sends the items of each step, one step after another; a step whose items all accounts need, and that are not all done, is the
 * last. The result has an entry for each step that was begun.
 */
export async function driveItems(
  context: RunContext,
  steps: readonly AddedItems[],
): Promise<readonly ItemTally[]> {
  const tallies: ItemTally[] = [];
  for (const { step, faults, items } of steps) {
    const tally = beginTally(step, faults);
    await (faults.length > 0 ? holdItems : driveStep)(context, step, items(), tally);
    tallies.push(tally);
    const { stopped: _stopped, ...counts } = tally.counts;
    context.emit({ type: 'items', step: step.name, ...counts });
    if (tally.counts.stopped > 0 || (isNeededByAll(step) && !isDone(tally))) break;
  }
  return tallies;
}

async function driveStep(
  context: RunContext,
  step: AddedStep,
  items: AsyncIterable<AddedItem>,
  tally: ItemTally,
): Promise<void> {
  const named = new NamedAccounts(context.journal, context.platform);
  const source = items[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (;;) {
      const next = await source.next();
      if (next.done === true) return;
      const result = await driveItem(context, step, next.value, named);
      tally.counts[result.state] += 1;
      const { state, code } = result;
      if (state !== 'done' && step.named !== undefined)
        context.needed.add(step.named, next.value.names, {
          step: step.name,
          item: next.value.name,
          isRefused: state === 'refused',
        });
      if (state === 'waiting' && tally.waiting.length < mostNamed) tally.waiting.push(next.value.name);
      if (state !== 'done' && state !== 'stopped' && state !== 'waiting' && tally.named.length < mostNamed)
        tally.named.push({ item: next.value.name, state, code });
    }
  };
  // One that fails must not leave the others at work.
  const ended = await Promise.allSettled(Array.from({ length: mostAtOnce }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function driveItem(
  context: RunContext,
  step: AddedStep,
  item: AddedItem,
  named: NamedAccounts,
): Promise<ItemResult> {
  for (const problem of item.problems) context.emit({ type: 'problem', problem });
  const error = item.problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) return refusedHere(context, step, item, error);
  const { flow } = context;
  const place = await flow.accounts.begin();
  if (place === undefined) return { state: 'stopped', code: '', problems: [] };
  try {
    await flow.accounts.hasPlan(place);
    flow.accounts.drives(place, { supplier: addedSteps, account: placeNameOf(step, item) }, item.body.length);
    const result = await sendItem(context, step, item, named);
    for (const problem of [...result.problems, ...remarks(step, item, result)])
      context.emit({ type: 'problem', problem: ofItem(item, problem) });
    return result;
  } finally {
    flow.left(place);
  }
}

/** What the platform has already stays there, whatever its row says now. */
async function refusedHere(
  context: RunContext,
  step: AddedStep,
  item: AddedItem,
  { code }: PayloadProblem,
): Promise<ItemResult> {
  const { platform, journal } = context;
  const { entry } = await journal.items.find({ platform, step: step.name, item: item.name });
  const result: ItemResult = { state: entry?.state === 'done' ? 'done' : 'refused', code, problems: [] };
  for (const problem of remarks(step, item, result))
    context.emit({ type: 'problem', problem: ofItem(item, problem) });
  return result;
}

/** Warnings of what is done, and not as its data in the export is. */
function remarks(step: AddedStep, item: AddedItem, { state, code }: ItemResult): readonly PayloadProblem[] {
  if (state !== 'done' || code === '') return [];
  const detail =
    code === 'changed_since_sent'
      ? `${item.name} (${step.name}) has changed since it was sent. The platform has the earlier data: correct it there, or undo the change.`
      : `${item.name} (${step.name}) was refused, and the platform has it. It is used as it is there.`;
  return [{ code, path: '', detail, severity: 'warning' }];
}

/** A problem with the cell of its path. */
function ofItem(item: AddedItem, { value: _value, ...problem }: PayloadProblem): Problem {
  const cell = item.locate(problem.path);
  return definedFields({ ...problem, account: null, cell: cell && oneCell(cell) });
}
