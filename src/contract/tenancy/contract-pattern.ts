import { amountForm, isAmountText } from '../../domain/decimal.ts';
import { safePattern } from '../../domain/safe-pattern.ts';
import {
  countryPattern,
  datetimePattern,
  filledPattern,
  hasDatetimeForm,
  hasCountryForm,
} from '../schemas/fields.ts';

/** A regular expression of a contract. */
export interface ContractPattern {
  test(text: string): boolean;
  /** The pattern itself, by which the JSON Schema checker distinguishes patterns. */
  toString(): string;
}

/**
 * A whole text that repeats one class of characters; the class is a dot, an escape, a bracket or a character.
 */
const soleRepetition =
  /^\^(\.|\\[dDwWsS]|\\[^\w]|\[\^?(?:[^[\]\\]|\\.)+\]|[^\\^$.*+?()[\]{}|])\{(\d+)(,?)(\d*)\}\$$/;

/**
 * The interface's own patterns. JavaScript's engine runs them in a time that depends only on the length of
 * the text, and faster.
 */
const ownPatterns: ReadonlyMap<string, (text: string) => boolean> = new Map([
  [filledPattern, isFilled],
  [countryPattern, hasCountryForm],
  [datetimePattern, hasDatetimeForm],
  [amountForm.source, isAmountText],
]);

/** The beginning of a text usually shows that it is not blank, faster than a pattern does. */
function isFilled(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || /\S/.test(text);
}

/**
 * Compiles a pattern for an engine whose time depends only on the length of the text: a contract is
 * untrusted, and JavaScript's own engine may never end. A repetition beyond 1,000, which that engine does not
 * know, is checked by the text's length where it is the whole pattern (`^.{0,4000}$`). undefined if the
 * pattern cannot be run: look-around, back-references, other repetitions beyond 1,000, or no regular
 * expression at all.
 */
export function contractPattern(pattern: string): ContractPattern | undefined {
  const own = ownPatterns.get(pattern);
  if (own !== undefined) return { toString: () => pattern, test: own };
  const safe = safePattern(pattern);
  if (safe === undefined) return longRepetition(pattern);
  return { toString: () => pattern, test: (text) => safe.test(text) };
}

/** Counts characters as the engine does, one beyond U+FFFF as one. */
function longRepetition(pattern: string): ContractPattern | undefined {
  const [, part, least = '', comma, bound = ''] = soleRepetition.exec(pattern) ?? [];
  if (part === undefined) return undefined;
  const each = safePattern(`^${part}*$`);
  if (each === undefined) return undefined;
  const unbounded = comma === ',' ? Infinity : Number(least);
  const [from, to] = [Number(least), bound === '' ? unbounded : Number(bound)];
  if (from > to) return undefined;
  return {
    toString: () => pattern,
    test: (text) => {
      const length = Array.from(text).length;
      return length >= from && length <= to && each.test(text);
    },
  };
}

/** The same for a pattern that was tried before; throws where it cannot be run. */
export function triedPattern(pattern: string): ContractPattern {
  const tried = contractPattern(pattern);
  if (tried === undefined) throw new Error(`not tried: ${pattern}`);
  return tried;
}
