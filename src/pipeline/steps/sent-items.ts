import type { JsonObject } from '../../domain/json.ts';
import type { Likeness, SentPrints } from './item-prints.ts';

/** The items of one request, parsed on first use: most answers are clear without them. */
export interface RequestItems {
  readonly count: number;
  readonly items: readonly JsonObject[];
  /** All items of the step. */
  readonly all: readonly JsonObject[];
  /**
   * How an item that the platform reports as existing relates to sent data that is no longer in the export; undefined
   * if there is no such data.
   */
  likeness(item: JsonObject): Likeness | undefined;
  /** Whether an item was sent in exactly this form, and is no longer in the export as it was. */
  wasSent(item: JsonObject): boolean;
  /** The members of an item that are not as they were sent; none if they cannot be named. */
  changedMembers(item: JsonObject): readonly string[];
}

/** What the items of a step are compared with. */
interface ItemsOfStep {
  readonly items: readonly JsonObject[];
  /** What was sent and is no longer in the export as sent; undefined if there is no such data. */
  readonly behind: SentPrints | undefined;
  /** The paths in an item that are not as they were sent; that of the item if they cannot be named. */
  changedPaths(index: number): readonly string[];
}

/** The items of a request: those at [from, to) of a step's. */
export class ItemsOfRange implements RequestItems {
  readonly count: number;
  readonly #step: ItemsOfStep;
  readonly #from: number;

  constructor(step: ItemsOfStep, from: number, to: number) {
    this.count = to - from;
    this.#step = step;
    this.#from = from;
  }

  get items(): readonly JsonObject[] {
    return this.#step.items.slice(this.#from, this.#from + this.count);
  }

  get all(): readonly JsonObject[] {
    return this.#step.items;
  }

  likeness(item: JsonObject): Likeness | undefined {
    return this.#step.behind?.likeness(item);
  }

  wasSent(item: JsonObject): boolean {
    return this.#step.behind?.has(item) === true;
  }

  changedMembers(item: JsonObject): readonly string[] {
    const index = this.#step.items.indexOf(item);
    return this.#step.changedPaths(index).flatMap((path) => path.split('.').slice(2).join('.') || []);
  }
}
