import { parseDecimal } from '../domain/decimal.ts';
import { numberText, type JsonValue } from '../domain/json.ts';
import type { Formats } from './convert.ts';

/** Whether a column's value matches; undefined means an empty column. */
export type Condition = (raw: JsonValue | undefined) => boolean;

/** The tests on a column. If there are several, all must match. */
export interface Question {
  readonly not?: readonly string[] | undefined;
  /** Decimals. */
  readonly below?: string | undefined;
  readonly above?: string | undefined;
  /** Dates in the interface's form. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** One of these texts; '' is an empty cell. */
export function isOneOf(texts: readonly string[]): Condition {
  const known = new Set(texts);
  return (raw) => known.has(textOf(raw));
}

/** The test's result; a cell that cannot be compared does not match. */
export function answers(question: Question, { decimal, dates }: Formats): Condition {
  const tests: Condition[] = [];
  const { not, below, above, before, after } = question;
  if (not !== undefined) {
    const isNot = isOneOf(not);
    tests.push((raw) => !isNot(raw));
  }
  const compared = (limit: string, sign: -1 | 1): Condition => {
    const bound = parseDecimal(limit);
    return (raw) => {
      const plain = typeof raw === 'string' ? decimal(raw) : numberText(raw);
      const value = plain === undefined ? undefined : parseDecimal(plain);
      return value !== undefined && bound !== undefined && value.cmp(bound) === sign;
    };
  };
  if (below !== undefined) tests.push(compared(below, -1));
  if (above !== undefined) tests.push(compared(above, 1));
  const dated = (holds: (date: string) => boolean): Condition => {
    return (raw) => {
      const date = dates.date(textOf(raw));
      return date !== undefined && holds(date);
    };
  };
  if (before !== undefined) tests.push(dated((date) => date < before));
  if (after !== undefined) tests.push(dated((date) => date > after));
  return (raw) => tests.every((test) => test(raw));
}

/** The form in which keys and codes are compared: as text, an absent value as ''. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'boolean' ? String(value) : (numberText(value) ?? '');
}
