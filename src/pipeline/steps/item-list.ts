import type { PostEndpoint } from '../../client/platform-client.ts';
import { moneyIn } from '../../contract/money.ts';
import type { TransactionsQuery } from '../../contract/schemas/transactions.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { fingerprint } from '../hash.ts';
import { result, type PartPolicy } from '../part.ts';
import {
  changedSince,
  leftBehind,
  noLongerThere,
  RecordedParts,
  refusedBefore,
  type Outstanding,
} from './recorded-parts.ts';
import { stepResult, type StepResult } from './step-result.ts';

/** A step whose payload is one array, sent in several requests when it is long. */
export interface ItemsStep {
  readonly kind: 'items';
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  /** The payload's array: notes, transactions or statements. */
  readonly array: string;
  /** Items in one request at most. */
  readonly size: number;
  readonly query?: TransactionsQuery;
  policy(items: readonly JsonObject[]): PartPolicy;
  /** The item is sent on its own: nothing tells what of a refused request was done before the refusal. */
  isAlone(item: JsonObject): boolean;
  /** The platform recognises the item when it has it already, so that sending it again has no second effect. */
  isRecognised(item: JsonObject): boolean;
}

/** A run of items that travel together: [from, to). */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly prior?: PartEntry;
  /** Its part number in the journal, where that is given. */
  readonly number?: number;
}

/** The items of a step as the export has them, beside what the journal has of them. */
export class ItemList {
  readonly items: readonly JsonObject[];
  readonly #texts: readonly string[];
  readonly #recorded: RecordedParts;
  readonly #step: ItemsStep;

  constructor(step: ItemsStep, plan: Pick<AccountPlan, 'extras'>, parts: readonly PartEntry[]) {
    const array = plan.extras[step.step][0]?.[step.array];
    this.items = Array.isArray(array) ? (array as JsonObject[]) : [];
    this.#texts = this.items.map((item) => stringifyJson(item));
    this.#recorded = new RecordedParts(parts, step.step, this.items.length);
    this.#step = step;
  }

  /**
   * Once for each list. What the journal has as done is left out, whatever the request size was then and whatever was
   * added around it since; what it has as sent comes first, in the same cut. `recognised`: the entries that are no
   * longer there as they were sent, though their items may be: the platform's answers will tell. `isBeside`: there are
   * such entries, also where nothing fresh is sent.
   */
  outstanding(): Outstanding<Range> & {
    readonly recognised: readonly PartEntry[];
    readonly isBeside: boolean;
  } {
    const { array } = this.#step;
    const settled = new Array<boolean>(this.items.length).fill(false);
    const ranges: Range[] = [];
    const results: StepResult[] = [];
    for (const entry of [...this.#recorded.left]) {
      const range = this.#rangeOf(entry);
      if (range === undefined) continue;
      this.#recorded.take((left) => left === entry);
      const isOne = range.to - range.from === 1;
      // A request of several that was refused, or had no effect, says nothing of the single items.
      if (!isOne && (entry.state === 'failed' || entry.state === 'refused')) continue;
      // A whole that was being taken apart is taken apart again.
      if (entry.state === 'sent' && settled.slice(range.from, range.to).every(Boolean)) continue;
      settled.fill(true, range.from, range.to);
      // One that had no effect is sent alone again: an earlier attempt at it may have been lost.
      if (entry.state === 'sent' || entry.state === 'failed') ranges.push({ ...range, prior: entry });
      if (entry.state === 'uncertain') results.push(stepResult(result('uncertain', entry.code ?? '')));
      if (entry.state === 'refused') results.push(refusedBefore(entry, `${array}.${range.from}`));
    }
    const behind = leftBehind(this.#recorded.left);
    results.push(...behind.results);
    let hasSuccessor = false;
    for (const [index, item] of this.items.entries()) {
      if (settled[index] === true) continue;
      hasSuccessor = true;
      if (this.#step.isRecognised(item) || (!behind.isUnknown && behind.done.length === 0)) continue;
      settled[index] = true;
      if (!behind.isUnknown) results.push(changedSince(`${array}.${index}`));
    }
    if (behind.done.length > 0 && !hasSuccessor) results.push(noLongerThere(array));
    const fresh = this.#cut(settled);
    const requests = [...ranges, ...fresh].sort((a, b) => a.from - b.from);
    const isBeside = behind.done.length > 0;
    const { lost, failed } = behind;
    return { requests, results, lost, failed, recognised: fresh.length > 0 ? behind.done : [], isBeside };
  }

  /** The request's items as they are written in its body. */
  textOf({ from, to }: Range): string {
    return this.#texts.slice(from, to).join(',');
  }

  itemsIn({ from, to }: Range): readonly JsonObject[] {
    return this.items.slice(from, to);
  }

  /** What items carry, as `writeMoney` has it. */
  moneyOf(items: readonly JsonObject[]): string | undefined {
    const { step, array } = this.#step;
    return writeMoney(moneyIn(step, { [array]: [...items] }));
  }

  /** Says how many items it stands for, so that a later run finds them whatever its request size. */
  hashOf(range: Range): string {
    return `${fingerprint(this.textOf(range))}:${range.to - range.from}`;
  }

  /** The part number of a request. */
  numberOf(range: Range): number {
    return range.prior?.part ?? range.number ?? this.#recorded.number(range.from, this.hashOf(range));
  }

  /** Where the items that an entry stands for are today; undefined when they are not there as they were sent. */
  #rangeOf(entry: PartEntry): Range | undefined {
    const count = itemsOf(entry);
    for (const from of [entry.part, ...this.items.keys()]) {
      const range = { from, to: from + count };
      if (range.to <= this.items.length && this.hashOf(range) === entry.hash) return range;
    }
    return undefined;
  }

  /** The items that are not settled, cut into requests. */
  #cut(settled: readonly boolean[]): Range[] {
    const ranges: Range[] = [];
    let from = 0;
    while (from < this.items.length) {
      if (settled[from] === true) {
        from += 1;
        continue;
      }
      let to = from + 1;
      if (!this.#isAlone(from))
        while (
          to < this.items.length &&
          to - from < this.#step.size &&
          settled[to] !== true &&
          !this.#isAlone(to)
        )
          to += 1;
      ranges.push({ from, to });
      from = to;
    }
    return ranges;
  }

  #isAlone(index: number): boolean {
    const item = this.items[index];
    return item !== undefined && this.#step.isAlone(item);
  }
}

/** How many items a part's entry stands for. */
export function itemsOf({ hash }: PartEntry): number {
  return Number(hash.slice(hash.lastIndexOf(':') + 1));
}
