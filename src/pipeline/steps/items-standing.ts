import type { PartEntry } from '../../journal/journal.ts';
import { result } from '../request/part.ts';
import type { ItemsStep, Range } from './items-step.ts';
import { refusedBefore } from './recorded-parts.ts';
import { stepResult, type StepResult } from './step-result.ts';

/** What the journal's entries say of the items of a step that are in the export as they were sent. */
export class ItemsStanding {
  /** By index: nothing of it is to be sent, but for `ranges`. */
  readonly settled: boolean[];
  /** Requests that are sent again as they were. */
  readonly ranges: Range[] = [];
  readonly results: StepResult[] = [];
  readonly #step: ItemsStep;
  readonly #mayBeThere: boolean[];

  constructor(step: ItemsStep, items: number) {
    this.#step = step;
    this.settled = new Array<boolean>(items).fill(false);
    this.#mayBeThere = new Array<boolean>(items).fill(false);
  }

  /** Hears of an entry whose items are in this range now. */
  hear(entry: PartEntry, range: Range): void {
    const { from, to } = range;
    const { state, code = '' } = entry;
    // A refusal of a request of several items, or one without effect, says nothing about single items.
    if (to - from !== 1 && (state === 'failed' || state === 'refused')) {
      if (this.#step.keepsEarlier?.(code) === true) this.#mayBeThere.fill(true, from, to);
      return;
    }
    // A request that was being split is split again.
    if (state === 'sent' && this.settled.slice(from, to).every(Boolean)) return;
    this.settled.fill(true, from, to);
    // One without effect is sent alone again: an earlier attempt at it may have been lost.
    if (state === 'sent' || state === 'failed') this.ranges.push({ ...range, prior: entry });
    if (state === 'uncertain') this.results.push(stepResult(result('uncertain', code)));
    if (state === 'refused') this.results.push(refusedBefore(entry, `${this.#step.array}.${from}`));
  }

  /** These requests with those to be sent again, in the order of their items. */
  with(fresh: readonly Range[]): Range[] {
    return [...this.ranges, ...fresh]
      .sort((a, b) => a.from - b.from)
      .map((range) =>
        this.#mayBeThere.slice(range.from, range.to).some(Boolean)
          ? { ...range, mayBeThere: true as const }
          : range,
      );
  }
}
