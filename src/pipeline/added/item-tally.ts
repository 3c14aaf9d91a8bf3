import type { AddedStep } from '../../domain/added-step.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ItemResult } from './send-item.ts';

/** The items of a step by what became of them. */
export interface ItemTally {
  readonly step: string;
  /** Every account needs all of its items. */
  readonly isNeededByAll: boolean;
  readonly counts: Record<ItemResult['state'], number>;
  /** The first of those that wait for accounts. */
  readonly waiting: string[];
  /** Errors of its files, for which none of its items was sent; empty: none. */
  readonly faults: readonly Problem[];
  /** The first of the others that are not done, with their codes. */
  readonly named: { readonly item: string; readonly state: ItemResult['state']; readonly code: string }[];
}

/** How many items are named. */
export const mostNamed = 10;

export function isNeededByAll({ named, after }: AddedStep): boolean {
  return named === undefined && after === undefined;
}

export function beginTally(step: AddedStep, faults: readonly Problem[]): ItemTally {
  return {
    step: step.name,
    isNeededByAll: isNeededByAll(step),
    counts: { done: 0, refused: 0, failed: 0, uncertain: 0, waiting: 0, stopped: 0 },
    waiting: [],
    faults,
    named: [],
  };
}

/** Whether all of its items are on the platform, but for those that wait for accounts. */
export function isDone({ counts, faults }: ItemTally): boolean {
  return faults.length + counts.refused + counts.failed + counts.uncertain + counts.stopped === 0;
}
