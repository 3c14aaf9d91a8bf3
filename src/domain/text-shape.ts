import { safePattern } from './safe-pattern.ts';

/** Changes to a text, as data. They are made in the order of this list. */
export interface TextShape {
  /** Unicode's form, before everything else: NFKC makes plain characters of full-width ones. */
  readonly normalize?: 'NFC' | 'NFKC' | undefined;
  /** Removes white space around the text, or these characters and white space. */
  readonly trim?: true | string | undefined;
  /** A regular expression: keeps its first group, or all that it matches if it has no group. */
  readonly match?: string | undefined;
  /** Regular expressions, each with the text that takes the place of what it matches (`$1`: its first group). */
  readonly replace?: readonly Replacement[] | undefined;
  /** Keeps digits only. */
  readonly digits?: boolean | undefined;
  /** Keeps a range of characters. */
  readonly slice?: Slice | undefined;
  readonly case?: 'upper' | 'lower' | 'title' | undefined;
  /** Fills a shorter text up. */
  readonly pad?: Padding | undefined;
  /** A regular expression that the changed text must match; the text stays as it is. */
  readonly check?: string | undefined;
}

export interface Replacement {
  readonly pattern: string;
  readonly with: string;
}

/** Positions of characters from 1, or from the end if negative; both are included. */
export interface Slice {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Padding {
  /** In characters. */
  readonly width: number;
  /** One character; `0` if absent. */
  readonly with?: string | undefined;
  /** Where it is added; `left` if absent. */
  readonly side?: 'left' | 'right' | undefined;
}

/** One change of a text. */
export interface TextStep {
  readonly key: keyof TextShape;
  /** undefined if a pattern does not match, or if digits of a decimal part would be kept. */
  readonly apply: (text: string) => string | undefined;
}

/** The changes of a shape, in order. Its patterns were compiled before. */
export function textSteps(shape: TextShape): readonly TextStep[] {
  const { normalize, trim, match, replace = [], digits, slice, pad, check } = shape;
  const steps: TextStep[] = [];
  const add = (key: keyof TextShape, apply: TextStep['apply']): void => void steps.push({ key, apply });
  if (normalize !== undefined) add('normalize', (text) => text.normalize(normalize));
  if (trim !== undefined) add('trim', trimmed(trim));
  if (match !== undefined) {
    const pattern = compiled(match);
    add('match', (text) => pattern.find(text));
  }
  for (const { pattern, with: by } of replace) {
    const found = compiled(pattern);
    add('replace', (text) => found.replace(text, by));
  }
  if (digits === true)
    add('digits', (text) => (isWholeAsDecimal.test(text) ? undefined : text.replaceAll(/[^0-9]/g, '')));
  if (slice !== undefined) add('slice', (text) => sliced(text, slice));
  if (shape.case !== undefined) add('case', cases[shape.case]);
  if (pad !== undefined) add('pad', (text) => padded(text, pad));
  if (check !== undefined) {
    const pattern = compiled(check);
    add('check', (text) => (pattern.find(text) === undefined ? undefined : text));
  }
  return steps;
}

const known = new WeakMap<TextShape, (text: string) => string>();

/** All changes of a shape, compiled once for each; an empty text, or one that a pattern does not match, becomes ''. */
export function changeBy(shape: TextShape): (text: string) => string {
  const before = known.get(shape);
  if (before !== undefined) return before;
  const steps = textSteps(shape);
  const change = (text: string): string =>
    steps.reduce((now, { apply }) => (now === '' ? '' : (apply(now) ?? '')), text);
  known.set(shape, change);
  return change;
}

/** A whole number as a program writes one that has a decimal part: 1001.0, or 1,001.00. */
const isWholeAsDecimal = /^\s*[+-]?\d{1,3}(?:\d*|(?:[.,'\s]\d{3})+)[.,]0{1,2}\s*$/;

function compiled(pattern: string): NonNullable<ReturnType<typeof safePattern>> {
  const found = safePattern(pattern);
  if (found === undefined) throw new Error(`not tried: ${pattern}`);
  return found;
}

function trimmed(trim: true | string): (text: string) => string {
  if (trim === true) return (text) => text.trim();
  const removed = new Set(trim);
  const isRemoved = (character: string | undefined): boolean =>
    character !== undefined && (removed.has(character) || character.trim() === '');
  return (text) => {
    const characters = Array.from(text);
    let [start, end] = [0, characters.length];
    while (start < end && isRemoved(characters[start])) start += 1;
    while (end > start && isRemoved(characters[end - 1])) end -= 1;
    return characters.slice(start, end).join('');
  };
}

function sliced(text: string, { from = 1, to = -1 }: Slice): string {
  const characters = Array.from(text);
  const start = from < 0 ? Math.max(0, characters.length + from) : from - 1;
  const end = to < 0 ? characters.length + to + 1 : to;
  return characters.slice(start, Math.max(start, end)).join('');
}

function padded(text: string, { width, with: by = '0', side = 'left' }: Padding): string {
  // An empty text has nothing to fill up: it stays empty.
  const missing = text === '' ? 0 : width - Array.from(text).length;
  const added = by.repeat(Math.max(0, missing));
  return side === 'left' ? added + text : text + added;
}

const cases = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  title: (text: string) =>
    text.replace(
      /(\p{L})([\p{L}\p{M}]*)/gu,
      (_word, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
    ),
};
