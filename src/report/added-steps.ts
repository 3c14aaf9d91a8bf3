import { registration } from '../domain/registration.ts';
import { partStates, type PartState } from '../domain/step-state.ts';
import type { ItemEntry, Journal } from '../journal/journal.ts';
import { counted, formatCount } from './format.ts';
import { paragraph } from './paragraph.ts';
import type { Page } from './terminal.ts';

/** A step that the profile adds, as the journal knows it. */
export interface AddedStepStatus {
  readonly platform: string;
  readonly step: string;
  readonly items: Readonly<Record<PartState, number>>;
  /** The first of its items that are not done. */
  readonly unfinished: readonly ItemEntry[];
}

const mostNamed = 20;

/** The steps of these platforms of which something was sent. */
export async function addedStepsOf(
  journal: Pick<Journal, 'items'>,
  platforms: Iterable<string>,
): Promise<readonly AddedStepStatus[]> {
  const all: AddedStepStatus[] = [];
  for (const platform of new Set(platforms))
    for (const { step, items } of await journal.items.counts(platform)) {
      const unfinished: ItemEntry[] = [];
      for await (const entry of journal.items.unfinished(platform, step)) {
        if (unfinished.length === mostNamed) break;
        unfinished.push(entry);
      }
      all.push({ platform, step, items, unfinished });
    }
  return all;
}

/** For programs; absent if no such step was sent. */
export function addedStepsRecord(steps: readonly AddedStepStatus[]): object {
  if (steps.length === 0) return {};
  return {
    addedSteps: steps.map(({ platform, step, items, unfinished }) => ({
      ...{ platform, step, items },
      unfinished: unfinished.map(({ item, state, code = null }) => ({ item, state, code })),
    })),
  };
}

/** The counts of a step that are not zero: `2 done, 1 uncertain`; `waiting`: for accounts, or for a file without faults. */
export function itemCounts(items: Readonly<Partial<Record<PartState | 'waiting', number>>>): string {
  const words: Readonly<Record<PartState | 'waiting', string>> = {
    ...{
      sent: 'sent, answer lost',
      done: 'done',
      refused: 'refused',
      failed: 'failed',
      ...{ uncertain: 'uncertain', waiting: 'waiting' },
    },
  };
  const states = partStates.toSorted((one, other) => Number(other === 'done') - Number(one === 'done'));
  return [...states, 'waiting' as const]
    .flatMap((state) =>
      (items[state] ?? 0) === 0 ? [] : [`${formatCount(items[state] ?? 0)} ${words[state]}`],
    )
    .join(', ');
}

/** A text with the steps below it, each in one sentence. */
export function withAddedSteps(page: Page, text: string, steps: readonly AddedStepStatus[]): string {
  const lines = steps.map(({ step, items, unfinished }) => {
    const named = unfinished.map(({ item, state, code }) => `${item} (${code ?? state})`);
    const more = named.length === 0 ? '' : ` Not done: ${named.join(', ')}.`;
    const all = Object.values(items).reduce((sum, count) => sum + count, 0);
    const what =
      step === registration
        ? `Registration: ${counted(all, 'account')}`
        : `Step ${step}: ${counted(all, 'item')}`;
    return paragraph(page, `${what}, ${itemCounts(items)}.${more}`);
  });
  return [text, ...lines].join(lines.length === 0 ? '' : '\n\n');
}
