import { parseDecimal, type Decimal } from '../domain/decimal.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { GraphqlAnswer } from './graphql-answer.ts';
import type { Cursor } from './query-text.ts';
import { absent, notReadable, present, type ReadValue } from './platform-account.ts';
import { timeText, type TimeUnit } from './read-times.ts';

type Path = readonly (string | number)[];

/** An element of an answer, and where it lies there. */
export interface Element {
  readonly value: JsonObject;
  readonly path: Path;
}

/** The elements at a place; as a whole not readable if one of them is not. */
export interface Elements {
  readonly found: readonly Element[];
  /** Why some of them are not readable. */
  readonly hidden: string | undefined;
  /** The cursor of the next page, if there is one; '' if there is one without a cursor that leads to it. */
  readonly next: Cursor | undefined;
  /** Whether the answer says if there is one. */
  readonly isNextTold: boolean;
}

/** Values of one answer by dotted paths. Lists and connections (`edges`, `nodes`) on the way are followed. */
export class AnswerValues {
  readonly #answer: GraphqlAnswer;
  readonly #leftOut: ReadonlyMap<string, string>;

  /** `leftOut`: paths that were not asked for, with the reason. */
  constructor(answer: GraphqlAnswer, leftOut: ReadonlyMap<string, string>) {
    this.#answer = answer;
    this.#leftOut = leftOut;
  }

  /** `cursorAt`: the path of the next page's cursor, where it is in no `pageInfo`. */
  elements(at: string, cursorAt?: string): Elements {
    const found: Element[] = [];
    let [isNextTold, connections] = [false, 0];
    let [hidden, next] = [undefined as string | undefined, undefined as Cursor | undefined];
    // A list that is null, or lacks an element, is not an empty one: nobody said that there is nothing.
    const hide = (value: null | undefined, path: Path): void => {
      const missing = this.#missing(value, path);
      hidden ??= missing.kind === 'absent' ? 'not_in_answer' : missing.reason;
    };
    const see = (info: JsonValue | undefined): void => {
      const page = nextPage(info);
      if (page.isTold) connections += 1;
      next ??= page.next;
      isNextTold ||= page.isTold;
    };
    const walk = (value: JsonValue | undefined, names: readonly string[], path: Path): void => {
      if (value === undefined || value === null) hide(value, [...path, ...names]);
      else if (Array.isArray(value))
        for (const [at, item] of value.entries()) walk(item, names, [...path, at]);
      else if (!isJsonObject(value)) hidden ??= 'unexpected_form';
      else {
        const [name, ...rest] = names;
        const list = lists.find((key) => key !== name && Array.isArray(value[key]));
        if (list === undefined && name !== undefined && Array.isArray(value[name])) see(value['pageInfo']);
        if (list === undefined && isConnection(value, name)) {
          const key = lists.find((one) => one in value) ?? 'edges';
          hide(value[key] === null ? null : undefined, [...path, key]);
        } else if (list !== undefined) {
          see(value['pageInfo']);
          const items = value[list] as JsonValue[];
          for (const [at, item] of items.entries())
            if (list === 'edges')
              walk(isJsonObject(item) ? item['node'] : item, names, [...path, list, at, 'node']);
            else walk(item, names, [...path, list, at]);
        } else if (name === undefined) found.push({ value, path });
        else walk(value[name], rest, [...path, name]);
      }
    };
    walk(this.#answer.data ?? null, at.split('.'), []);
    if (cursorAt !== undefined) {
      const cursor = this.#cursor(cursorAt);
      if (cursor.kind === 'not-readable')
        hidden ??= cursor.reason === 'not_in_answer' ? 'more_pages' : cursor.reason;
      else isNextTold = true;
      if (cursor.kind === 'present') next ??= cursor.value;
    }
    // A cursor leads through one list, not through several at a time.
    if (connections > 1 && next !== undefined) next = '';
    return { found, hidden, next, isNextTold };
  }

  /** A cursor in the answer's data; null or empty if there is no next page. */
  #cursor(at: string): ReadValue<Cursor> {
    const data = this.#answer.data;
    const cursor = data === undefined ? absent : this.scalar({ value: data, path: [] }, at);
    if (cursor.kind !== 'present') return cursor;
    if (cursor.value === '') return absent;
    return isCursor(cursor.value) ? present(cursor.value) : notReadable('unexpected_form');
  }

  /** A scalar of an element. */
  scalar(
    element: Element,
    place: string | undefined,
  ): ReadValue<Exclude<JsonValue, null | JsonObject | JsonValue[]>> {
    if (place === undefined) return notReadable('not_configured');
    const names = place.split('.');
    let value: JsonValue | undefined = element.value;
    for (const [at, name] of names.entries()) {
      if (Array.isArray(value)) value = value.length === 1 ? value[0] : undefined;
      if (!isJsonObject(value)) break;
      value = value[name];
      if (value === undefined || value === null)
        return this.#missing(value, [...element.path, ...names.slice(0, at + 1)]);
    }
    if (typeof value === 'object' && !(numberText(value) !== undefined))
      return notReadable('unexpected_form');
    return value === undefined ? notReadable('not_in_answer') : present(value as never);
  }

  text(element: Element, place: string | undefined): ReadValue<string> {
    return mapped(this.scalar(element, place), (value) =>
      typeof value === 'string' ? value : (numberText(value) ?? String(value as boolean)),
    );
  }

  /** A time as ISO 8601; a text that is none is given as it is. */
  time(element: Element, place: string | undefined, unit: TimeUnit | undefined): ReadValue<string> {
    return mapped(this.text(element, place), (text) => timeText(text, unit));
  }

  flag(element: Element, place: string | undefined): ReadValue<boolean> {
    return mapped(this.scalar(element, place), (value) => (typeof value === 'boolean' ? value : undefined));
  }

  /** An exact amount; of minor units, a whole number. */
  amount(
    element: Element,
    place: string | undefined,
    { decimals, money }: { readonly decimals: number; readonly money: 'minor' | 'major' },
  ): ReadValue<Decimal> {
    return mapped(this.scalar(element, place), (value) =>
      money === 'major'
        ? parseDecimal(typeof value === 'string' ? value : (numberText(value) ?? ''))
        : fromMinorUnits(value, decimals),
    );
  }

  /** What is absent, and what was not told. */
  #missing(
    value: null | undefined,
    path: Path,
  ): { kind: 'absent' } | { kind: 'not-readable'; reason: string } {
    const named = path.filter((part) => typeof part === 'string' && !steps.has(part)).join('.');
    for (const [left, reason] of this.#leftOut) {
      const without = left
        .split('.')
        .filter((part) => !steps.has(part))
        .join('.');
      if (named === without || named.startsWith(`${without}.`)) return { kind: 'not-readable', reason };
    }
    if (value === undefined) return { kind: 'not-readable', reason: 'not_in_answer' };
    for (const error of this.#answer.errors)
      if (error.path === undefined || touches(error.path, path))
        return { kind: 'not-readable', reason: error.code };
    return absent;
  }
}

const lists = ['edges', 'nodes'] as const;
const steps: ReadonlySet<string> = new Set([...lists, 'node']);

/** Whether an object is a list in pages rather than an element, although its elements are not there. */
function isConnection(value: JsonObject, name: string | undefined): boolean {
  if (name !== undefined && name in value) return false;
  return 'pageInfo' in value || lists.some((key) => value[key] === null);
}

function isCursor(value: JsonValue): value is Cursor {
  return typeof value === 'string' || numberText(value) !== undefined;
}

/** Whether an error at one path can have emptied the other: one lies within the other. */
function touches(error: Path, path: Path): boolean {
  const shorter = Math.min(error.length, path.length);
  for (let at = 0; at < shorter; at += 1) if (error[at] !== path[at]) return false;
  return true;
}

function nextPage(info: JsonValue | undefined): { readonly isTold: boolean; readonly next?: Cursor } {
  if (!isJsonObject(info) || typeof info['hasNextPage'] !== 'boolean') return { isTold: false };
  if (!info['hasNextPage']) return { isTold: true };
  const { endCursor: cursor = null } = info;
  return { isTold: true, next: isCursor(cursor) ? cursor : '' };
}

function mapped<From, To>(reading: ReadValue<From>, change: (value: From) => To | undefined): ReadValue<To> {
  if (reading.kind !== 'present') return reading;
  const value = change(reading.value);
  return value === undefined ? notReadable('unexpected_form') : present(value);
}

function fromMinorUnits(value: JsonValue, decimals: number): Decimal | undefined {
  const amount = parseDecimal(numberText(value) ?? '');
  if (amount === undefined || !amount.eq(amount.round(0, 0))) return undefined;
  const unit = parseDecimal(decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`);
  return unit === undefined ? undefined : amount.times(unit);
}
