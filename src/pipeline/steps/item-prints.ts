import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { PartEntry } from '../../journal/journal.ts';
import { fingerprint } from '../hash.ts';

/** Characters of a print: 30 bits, enough to tell the items of one account apart. */
const length = 5;

/** What of an item tells which one it is, and whether it has changed. */
export interface Marks {
  /** What must stay as it was sent, such as its id and amount. */
  readonly coreOf: (item: JsonObject) => string;
  /** Which item it is; absent where the core says that. */
  readonly idOf?: (item: JsonObject) => string;
}

/** Stands before prints that have those of ids. */
const withIds = '.';

/** The prints of a request's items in their order, five characters each: of the id, if any, the core and the whole item. */
export function printsOf(items: readonly JsonObject[], { coreOf, idOf }: Marks): string {
  const prints = items.map((item) => {
    const id = idOf === undefined ? '' : printOf(idOf(item));
    return id + printOf(coreOf(item)) + wholePrint(item);
  });
  return (idOf === undefined ? '' : withIds) + prints.join('');
}

interface ItemPrint {
  readonly id?: string;
  readonly core: string;
  readonly whole: string;
}

function* readPrints({ prints = '' }: PartEntry): Generator<ItemPrint> {
  const hasIds = prints.startsWith(withIds);
  const take = (at: number) => prints.slice(at, at + length);
  for (let at = hasIds ? 1 : 0; at < prints.length; at += 2 * length) {
    const id = hasIds ? { id: take(at) } : {};
    if (hasIds) at += length;
    yield { ...id, core: take(at), whole: take(at + length) };
  }
}

function printOf(text: string): string {
  return fingerprint(text).slice(0, length);
}

function wholePrint(item: JsonObject): string {
  return printOf(stringifyJson(item));
}

/** How an item of today stands to the one that was sent under its id. */
export type Likeness = 'same' | 'same-core' | 'another';

/** The prints of items that were sent: the journal keeps them with their request. */
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

  /** undefined: nothing was sent under its id. */
  likeness(item: JsonObject): Likeness | undefined {
    const { idOf, coreOf } = this.#marks;
    if (this.#wholes.has(wholePrint(item))) return 'same';
    if (this.#cores.has(printOf(coreOf(item)))) return 'same-core';
    const isKnown = this.#lacksIds || idOf === undefined || this.#ids.has(printOf(idOf(item)));
    return isKnown ? 'another' : undefined;
  }
}

/**
 * Finds the items of a request among today's, wherever they stand: `settled` says which of today's are spoken for, and
 * takes those that are found. True when all of them are there as they were sent.
 */
export function findSent(entry: PartEntry, items: readonly JsonObject[], settled: boolean[]): boolean {
  const places = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (settled[index] === true) continue;
    const print = wholePrint(item);
    places.set(print, [...(places.get(print) ?? []), index]);
  }
  let isWhole = (entry.prints ?? '') !== '';
  for (const { whole } of readPrints(entry)) {
    const index = places.get(whole)?.shift();
    if (index === undefined) isWhole = false;
    else settled[index] = true;
  }
  return isWhole;
}
