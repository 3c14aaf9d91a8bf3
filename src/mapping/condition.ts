import { parseDecimal } from '../domain/decimal.ts';
import { numberText, type JsonValue } from '../domain/json.ts';
import type { Formats } from './convert.ts';

/** Whether what a column holds is what is asked for; undefined where it holds nothing. */
export type Condition = (raw: JsonValue | undefined) => boolean;

/** What may be asked of a column. Several questions must all hold. */
export interface Question {
  readonly not?: readonly string[] | undefined;
  /** Decimals. */
  readonly below?: string | undefined;
  readonly above?: string | undefined;
  /** Dates, as the interface writes them. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** One of these texts; '' is an empty cell. */
export function isOneOf(texts: readonly string[]): Condition {
  const known = new Set(texts);
  return (raw) => known.has(textOf(raw));
}

/** The answer to the questions; a cell that cannot be compared is an answer of no. */
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

/** How keys and codes are compared: as text, an absent value as ''. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'boolean' ? String(value) : (numberText(value) ?? '');
}
