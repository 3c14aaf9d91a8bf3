import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { PartEntry } from '../../journal/journal.ts';
import { fingerprint } from '../hash.ts';
import { fieldsBegin } from './field-prints.ts';

/** Characters of a fingerprint: 30 bits, enough to distinguish the items of one account. */
const length = 5;

/** The parts of an item that identify it, and that show a change. */
export interface Marks {
  /** What must stay as sent, such as its id and amount. */
  readonly coreOf: (item: JsonObject) => string;
  /** Identifies the item; absent if the core does. */
  readonly idOf?: (item: JsonObject) => string;
}

/** Precedes fingerprints that include ids. */
const withIds = '.';

/**
 * The fingerprints of a request's items in order, five characters each: of the id, if any, the core and the whole
 * item. `texts`: the items as serialised.
 */
export function printsOf(
  items: readonly JsonObject[],
  texts: readonly string[],
  { coreOf, idOf }: Marks,
): string {
  const prints = items.map((item, at) => {
    const id = idOf === undefined ? '' : printOf(idOf(item));
    return id + printOf(coreOf(item)) + printOf(texts[at] ?? stringifyJson(item));
  });
  return (idOf === undefined ? '' : withIds) + prints.join('');
}

interface ItemPrint {
  readonly id?: string | undefined;
  readonly core: string;
  readonly whole: string;
}

/** Whether an entry has the fingerprints of its items. */
export function hasItemPrints(entry: PartEntry): boolean {
  return itemPrints(entry) !== '';
}

function itemPrints({ prints = '' }: PartEntry): string {
  const end = prints.indexOf(fieldsBegin);
  return end < 0 ? prints : prints.slice(0, end);
}

function* readPrints(entry: PartEntry): Generator<ItemPrint> {
  const prints = itemPrints(entry);
  const hasIds = prints.startsWith(withIds);
  const take = (at: number) => prints.slice(at, at + length);
  for (let at = hasIds ? 1 : 0; at < prints.length; at += 2 * length) {
    const id = hasIds ? take(at) : undefined;
    if (hasIds) at += length;
    yield { id, core: take(at), whole: take(at + length) };
  }
}

function printOf(text: string): string {
  return fingerprint(text).slice(0, length);
}

function wholePrint(item: JsonObject): string {
  return printOf(stringifyJson(item));
}

/** How a current item relates to the one that was sent with its id. */
export type Likeness = 'same' | 'same-core' | 'another';

/** The fingerprints of sent items, which the journal keeps with their request. */
export class SentPrints {
  readonly #ids = new Set<string>();
  readonly #cores = new Set<string>();
  readonly #wholes = new Set<string>();
  readonly #marks: Marks;
  /** Some were kept without their ids. */
  #lacksIds = false;

  constructor(entries: readonly PartEntry[], marks: Marks) {
    this.#marks = marks;
    for (const entry of entries)
      for (const { id, core, whole } of readPrints(entry)) {
        if (id === undefined) this.#lacksIds = true;
        else this.#ids.add(id);
        this.#cores.add(core);
        this.#wholes.add(whole);
      }
  }

  /** Whether an item was sent in exactly this form. */
  has(item: JsonObject): boolean {
    return this.#wholes.has(wholePrint(item));
  }

  /** undefined: nothing was sent with its id. */
  likeness(item: JsonObject): Likeness | undefined {
    const { idOf, coreOf } = this.#marks;
    if (this.has(item)) return 'same';
    if (this.#cores.has(printOf(coreOf(item)))) return 'same-core';
    const isKnown = idOf !== undefined && (this.#lacksIds || this.#ids.has(printOf(idOf(item))));
    return isKnown ? 'another' : undefined;
  }
}

/**
 * Whether an item of a request is no longer among the current ones, changed or not. An old entry without
 * prints gives no information.
 */
export function hasGone(
  entries: readonly PartEntry[],
  items: readonly JsonObject[],
  { coreOf, idOf }: Marks,
): boolean {
  const cores = new Set(items.map((item) => printOf(coreOf(item))));
  const ids = new Set(idOf === undefined ? [] : items.map((item) => printOf(idOf(item))));
  return entries.some((entry) =>
    [...readPrints(entry)].some(({ id, core }) => !cores.has(core) && (id === undefined || !ids.has(id))),
  );
}

/**
 * Finds the items of a request among the current ones, in any position: `settled` says which current items are taken,
 * and is extended by those found. True if all of them are present as sent.
 */
export function findSent(entry: PartEntry, items: readonly JsonObject[], settled: boolean[]): boolean {
  const places = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (settled[index] === true) continue;
    const print = wholePrint(item);
    places.set(print, [...(places.get(print) ?? []), index]);
  }
  let isWhole = hasItemPrints(entry);
  for (const { whole } of readPrints(entry)) {
    const index = places.get(whole)?.shift();
    if (index === undefined) isWhole = false;
    else settled[index] = true;
  }
  return isWhole;
}
