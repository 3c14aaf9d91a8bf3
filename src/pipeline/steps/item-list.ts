import { extraStepContract } from '../../contract/extra-steps.ts';
import { moneyIn } from '../../contract/money.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { PartEntry } from '../../journal/journal.ts';
import { fingerprint } from '../hash.ts';
import type { ReadyRequest } from '../request/ready-request.ts';
import { findSent, hasGone, hasItemPrints, printsOf, SentPrints } from './item-prints.ts';
import { changedFields, fieldPrints } from './field-prints.ts';
import {
  changedSince,
  leftBehind,
  noLongerThere,
  nothingBehind,
  RecordedParts,
  type LeftBehind,
  type RemainingWork,
  type PlanToSend,
} from './recorded-parts.ts';
import type { ItemsStep, Range } from './items-step.ts';
import { ItemsStanding } from './items-standing.ts';
import { ItemsOfRange, type RequestItems } from './sent-items.ts';
import type { StepResult } from './step-result.ts';

/** The items of a step in the export, with their entries in the journal. */
export class ItemList {
  readonly #step: ItemsStep;
  readonly #plan: PlanToSend;
  readonly #parts: readonly PartEntry[];
  #items: readonly JsonObject[] | undefined;
  #texts: readonly string[] | undefined;
  #records: RecordedParts | undefined;
  /** Whether sent data is no longer in the export, once that is known. */
  // Stryker disable next-line ArrayDeclaration: what has no prints is like nothing
  #behind: readonly PartEntry[] = [];
  #behindPrints: SentPrints | undefined;

  constructor(step: ItemsStep, plan: PlanToSend, parts: readonly PartEntry[]) {
    this.#step = step;
    this.#plan = plan;
    this.#parts = parts;
  }

  get items(): readonly JsonObject[] {
    this.#items ??= this.#plan.extras[this.#step.step].flatMap((payload) => {
      const array = payload[this.#step.array];
      return Array.isArray(array) ? (array as JsonObject[]) : [];
    });
    return this.#items;
  }

  get #recorded(): RecordedParts {
    this.#records ??= new RecordedParts(this.#parts, this.#step.step, this.items.length);
    return this.#records;
  }

  /**
   * Runs once for each list. Items that are done in the journal are left out, whatever the request size was then and
   * whatever was added around them since; items that are `sent` are sent in the same division. `recognised`:
   * entries that are no longer in the export as sent, though their items may be: the platform's answers will tell.
   * `isBeside`: whether there are such entries, even if nothing new is sent. `isDoubted`: whether a request of unknown
   * effect that is no longer in the export as sent may have added an item of it.
   */
  outstanding(): RemainingWork<Range> & {
    readonly recognised: readonly PartEntry[];
    readonly isBeside: boolean;
    readonly isDoubted: (index: number) => boolean;
  } {
    const { step } = this.#step;
    const ready = this.#plan.requests?.(step);
    if (ready !== undefined && this.#parts.every((part) => part.step !== step))
      return {
        ...{ requests: rangesOf(ready), ...nothingBehind, recognised: [], isBeside: false },
        isDoubted: () => false,
      };
    const standing = this.#standing();
    const { settled } = standing;
    const behind = leftBehind(this.#recorded.left);
    this.#behind = behind.done;
    const changed = this.#changedIn(settled, behind);
    const fresh = this.#cut(settled);
    const { lost, failed } = behind;
    return {
      requests: standing.with(fresh),
      results: [...standing.results, ...behind.results, ...changed],
      ...{ lost, failed },
      // If the items are known one by one, nothing more is to be found out.
      recognised: fresh.length > 0 ? behind.done.filter((entry) => !hasItemPrints(entry)) : [],
      isBeside: behind.done.length > 0 && this.items.some((item) => this.#step.isRecognised(item)),
      isDoubted: this.#doubtedBy(this.#recorded.left),
    };
  }

  /** Whether an item is in the export as it was sent; asked before `outstanding`. */
  hasSent(): boolean {
    return this.#standing().settled.some(Boolean);
  }

  /** What the entries say whose items are in the export as they were sent; they are taken from those that are left. */
  #standing(): ItemsStanding {
    const standing = new ItemsStanding(this.#step, this.items.length);
    for (const entry of [...this.#recorded.left]) {
      const range = this.rangeOf(entry);
      if (range === undefined) continue;
      this.#recorded.take((left) => left === entry);
      standing.hear(entry, range);
    }
    for (const entry of this.#recorded.left.filter(({ state }) => state === 'done'))
      if (findSent(entry, this.items, standing.settled)) this.#recorded.take((left) => left === entry);
    return standing;
  }

  /**
   * What became of sent data that is no longer in the export as sent: changed, or gone. An item that follows it, and that the
   * platform would not recognise, is settled: it is not sent beside it.
   */
  #changedIn(settled: boolean[], { done, isUnknown }: LeftBehind): StepResult[] {
    const results: StepResult[] = [];
    const isNew = this.#newBeside(this.#recorded.left);
    let hasSuccessor = false;
    for (const [index, item] of this.items.entries()) {
      if (settled[index] === true || isNew(item)) continue;
      hasSuccessor = true;
      if (this.#step.isRecognised(item)) continue;
      settled[index] = true;
      if (!isUnknown) results.push(changedSince(this.changedPaths(index)));
    }
    const { marks, array } = this.#step;
    const hasNone = !hasSuccessor || (marks !== undefined && hasGone(done, this.items, marks));
    if (done.length > 0 && hasNone) results.push(noLongerThere(array));
    return results;
  }

  /** Whether an item is another one than all that may have been sent of entries that are no longer in the export. */
  #newBeside(left: readonly PartEntry[]): (item: JsonObject) => boolean {
    const { marks } = this.#step;
    const sent = left.filter(({ state }) => state !== 'refused' && state !== 'failed');
    // Stryker disable next-line ConditionalExpression: what follows says the same of none
    if (sent.length === 0) return () => true;
    if (marks === undefined || !sent.every(hasItemPrints)) return () => false;
    const prints = new SentPrints(sent, marks);
    return (item) => !this.#step.isRecognised(item) && prints.likeness(item) === undefined;
  }

  /** Whether an item may have been added by a request whose effect is not known. */
  #doubtedBy(left: readonly PartEntry[]): (index: number) => boolean {
    const { marks } = this.#step;
    const unknown = left.filter(({ state }) => state === 'sent' || state === 'uncertain');
    // Stryker disable next-line ConditionalExpression: what follows says the same of none
    if (unknown.length === 0) return () => false;
    if (marks === undefined || !unknown.every(hasItemPrints)) return () => true;
    const prints = new SentPrints(unknown, marks);
    return (index) => {
      const item = this.items[index];
      // Stryker disable next-line ConditionalExpression: it is asked of items that are there
      return item !== undefined && prints.likeness(item) !== undefined;
    };
  }

  /** The text before the items in a body. */
  get head(): string {
    const { supplier, account } = this.#plan.key;
    const head = stringifyJson({ import_supplier: supplier, external_account_number: account });
    return `${head.slice(0, -1)},"${this.#step.array}":[`;
  }

  /** Whether a payload is written as the one request of its items is. */
  isBodyOf(payload: JsonObject | undefined): boolean {
    const { array } = this.#step;
    const { supplier, account } = this.#plan.key;
    const [first, second, third, ...others] = Object.keys(payload ?? {});
    return (
      [first, second, third].join() === `import_supplier,external_account_number,${array}` &&
      others.length === 0 &&
      // Stryker disable next-line OptionalChaining: a payload that is none has other keys
      payload?.['import_supplier'] === supplier &&
      payload['external_account_number'] === account &&
      Array.isArray(payload[array])
    );
  }

  /** The request of a range. */
  requestOf(range: Range): ReadyRequest {
    const items = range.to - range.from;
    const money = this.moneyOf(this.itemsIn(range));
    const { marks } = this.#step;
    const prints =
      marks && printsOf(this.itemsIn(range), this.#textsIn(range), marks) + this.#fieldsIn(range);
    const text = this.#textOf(range);
    return { body: `${this.head}${text}]}`, hash: hashOf(text, items), money, items, prints };
  }

  /** The prints of the fields of items that have ids: of others, it cannot be said later which is which. */
  #fieldsIn(range: Range): string {
    const { array, hasIds } = this.#step;
    return hasIds !== true ? '' : fieldPrints({ [array]: [...this.itemsIn(range)] });
  }

  /** The paths in an item that are not as they were sent; that of the item if they cannot be named. */
  changedPaths(index: number): readonly string[] {
    const { array, step } = this.#step;
    const item = `${array}.${index}`;
    const { request } = extraStepContract(step).endpoint;
    // Stryker disable next-line ArrayDeclaration: a path elsewhere is left out below
    const changed = changedFields(this.#behind, { [array]: [...this.items] }, request)?.paths ?? [];
    const own = changed.filter((path) => path.startsWith(`${item}.`));
    return own.length === 0 ? [item] : own;
  }

  /** Whether an item of `outstanding` was sent in another form, as far as is recorded. */
  wasSentOtherwise(index: number): boolean {
    const item = this.items[index];
    return item !== undefined && this.behind?.likeness(item) !== undefined;
  }

  /** Whether a range is divided in order to have no larger body, in bytes. */
  isLarger(range: Range, bytes: number): boolean {
    // Stryker disable next-line ConditionalExpression: no body is larger, and this spares writing it
    if (bytes === Infinity || range.to - range.from < 2) return false;
    return Buffer.byteLength(range.ready?.body ?? this.requestOf(range).body) > bytes;
  }

  /** Divides a range into requests with bodies of at most so many bytes; an item that is larger is alone. */
  divide({ from, to }: Range, bytes: number): { readonly from: number; readonly to: number }[] {
    const most = bytes - Buffer.byteLength(this.head) - ']}'.length;
    const pieces: { readonly from: number; to: number }[] = [];
    let piece: (typeof pieces)[number] | undefined;
    let size = 0;
    for (const [at, text] of this.#textsIn({ from, to }).entries()) {
      const own = Buffer.byteLength(text) + ','.length;
      if (piece === undefined || (size > 0 && size + own > most)) {
        piece = { from: from + at, to: from + at };
        pieces.push(piece);
        size = 0;
      }
      piece.to += 1;
      size += own;
    }
    return pieces;
  }

  itemsIn({ from, to }: Range): readonly JsonObject[] {
    return this.items.slice(from, to);
  }

  sentIn(range: Range): RequestItems {
    return new ItemsOfRange(this, range.from, range.to);
  }

  /** What was sent and is no longer in the export as sent; undefined if there is no such data. */
  get behind(): SentPrints | undefined {
    const { marks } = this.#step;
    // Stryker disable MethodExpression,ConditionalExpression,LogicalOperator: entries without prints are like nothing
    const known = this.#behind.filter(hasItemPrints);
    if (marks === undefined || known.length === 0) return undefined;
    // Stryker restore MethodExpression,ConditionalExpression,LogicalOperator
    return (this.#behindPrints ??= new SentPrints(known, marks));
  }

  /** The amounts in items, as written by `writeMoney`. */
  moneyOf(items: readonly JsonObject[]): string | undefined {
    const { step, array } = this.#step;
    return writeMoney(moneyIn(step, { [array]: [...items] }, this.#plan.minorUnits));
  }

  hashOf(range: Range): string {
    return range.ready?.hash ?? hashOf(this.#textOf(range), range.to - range.from);
  }

  /** The part number of a request. */
  numberOf(range: Range): number {
    if (range.ready !== undefined) return range.from;
    return range.prior?.part ?? range.number ?? this.#recorded.number(range.from, this.hashOf(range));
  }

  /** The items as written in a body. */
  #textOf(range: Range): string {
    return this.#textsIn(range).join(',');
  }

  #textsIn({ from, to }: Range): readonly string[] {
    this.#texts ??= this.items.map((item) => stringifyJson(item));
    return this.#texts.slice(from, to);
  }

  /** The current range of an entry's items; undefined if they are not in the export as sent. */
  rangeOf(entry: PartEntry): Range | undefined {
    const count = itemsOf(entry);
    for (const from of [entry.part, ...this.items.keys()]) {
      const range = { from, to: from + count };
      // Stryker disable next-line ConditionalExpression: fewer items have another fingerprint
      if (range.to <= this.items.length && this.hashOf(range) === entry.hash) return range;
    }
    return undefined;
  }

  /** The pending items, divided into requests. */
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
    // Stryker disable next-line ConditionalExpression: it is asked of items that are there
    return item !== undefined && this.#step.isAlone(item);
  }
}

/** Includes the number of items, so that a later run finds them whatever its request size. */
function hashOf(text: string, items: number): string {
  return `${fingerprint(text)}:${items}`;
}

function rangesOf(requests: readonly ReadyRequest[]): Range[] {
  let to = 0;
  return requests.map((ready) => ({ from: to, to: (to += ready.items), ready }));
}

/** The number of items of a part's entry. */
export function itemsOf({ hash }: PartEntry): number {
  return Number(hash.slice(hash.lastIndexOf(':') + 1));
}
