import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { PartEntry } from '../../journal/journal.ts';
import { fingerprint } from '../hash.ts';

/** Characters of either half of a print: 30 bits, enough to tell the items of one account apart. */
const half = 5;

/** What of an item tells that it is another one or has changed, such as its id and amount. */
export type CoreOf = (item: JsonObject) => string;

/** The prints of a request's items in their order, ten characters each: of the core, then of the whole item. */
export function printsOf(items: readonly JsonObject[], coreOf: CoreOf): string {
  return items.map((item) => corePrint(coreOf(item)) + wholePrint(item)).join('');
}

function corePrint(core: string): string {
  return fingerprint(core).slice(0, half);
}

function wholePrint(item: JsonObject): string {
  return fingerprint(stringifyJson(item)).slice(0, half);
}

/** How an item of today stands to those that were sent. */
export type Likeness = 'same' | 'same-core' | 'another';

/** The prints of items that were sent: the journal keeps them with their request. */
export class SentPrints {
  readonly #cores = new Set<string>();
  readonly #wholes = new Set<string>();
  readonly #coreOf: CoreOf;

  constructor(entries: readonly PartEntry[], coreOf: CoreOf) {
    this.#coreOf = coreOf;
    for (const { prints = '' } of entries)
      for (let at = 0; at < prints.length; at += 2 * half) {
        this.#cores.add(prints.slice(at, at + half));
        this.#wholes.add(prints.slice(at + half, at + 2 * half));
      }
  }

  likeness(item: JsonObject): Likeness {
    if (this.#wholes.has(wholePrint(item))) return 'same';
    return this.#cores.has(corePrint(this.#coreOf(item))) ? 'same-core' : 'another';
  }
}

/**
 * Finds the items of a request among today's, wherever they stand: `settled` says which of today's are spoken for, and
 * takes those that are found. True when all of them are there as they were sent.
 */
export function findSent(
  { prints = '' }: PartEntry,
  items: readonly JsonObject[],
  settled: boolean[],
): boolean {
  const places = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (settled[index] === true) continue;
    const print = wholePrint(item);
    places.set(print, [...(places.get(print) ?? []), index]);
  }
  let isWhole = prints !== '';
  for (let at = half; at < prints.length; at += 2 * half) {
    const index = places.get(prints.slice(at, at + half))?.shift();
    if (index === undefined) isWhole = false;
    else settled[index] = true;
  }
  return isWhole;
}
