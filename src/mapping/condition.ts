import { parseDecimal } from '../domain/decimal.ts';
import { numberText } from '../domain/json.ts';
import { TypedDate, withoutType, type CellValue } from '../domain/typed-value.ts';
import { dayOf } from './date-format.ts';
import { Fault, type Formats } from './convert.ts';
import { notDecimal } from './decimal-format.ts';

/** Whether a column's value matches; undefined means an empty column. A fault: it cannot be compared. */
export type Condition = (raw: CellValue | undefined) => boolean | Fault;

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
export function isOneOf(texts: readonly string[]): (raw: CellValue | undefined) => boolean {
  const known = new Set(texts);
  return (raw) => known.has(textOf(raw));
}

/** The test's result; an empty cell is neither less nor more, nor before or after anything. */
export function answers(question: Question, { decimal, dates, typed }: Formats): Condition {
  const tests: Condition[] = [];
  const { not, below, above, before, after } = question;
  if (not !== undefined) {
    const isNot = isOneOf(not);
    tests.push((raw) => !isNot(raw));
  }
  const compared = (limit: string, sign: -1 | 1): Condition => {
    const bound = parseDecimal(limit);
    const unreadable = new Fault('invalid_amount', notDecimal(decimal, 'so it cannot be compared'));
    return (raw) => {
      if (textOf(raw) === '') return false;
      const plain = typeof raw === 'string' ? decimal(raw) : numberText(raw);
      const value = plain === undefined ? undefined : parseDecimal(plain);
      if (value === undefined) return unreadable;
      return bound !== undefined && value.cmp(bound) === sign;
    };
  };
  if (below !== undefined) tests.push(compared(below, -1));
  if (above !== undefined) tests.push(compared(above, 1));
  const dated = (holds: (date: string) => boolean): Condition => {
    const unreadable = new Fault(
      'invalid_date',
      `This does not have the format ${dates.pattern}, or does not exist, so it cannot be compared.`,
    );
    return (raw) => {
      const text = textOf(raw);
      if (text === '') return false;
      const date = raw instanceof TypedDate ? dayOf(raw, typed.zone).day : dates.date(text);
      return date === undefined ? unreadable : holds(date);
    };
  };
  if (before !== undefined) tests.push(dated((date) => date < before));
  if (after !== undefined) tests.push(dated((date) => date > after));
  return (raw) => {
    let fault: Fault | undefined;
    for (const test of tests) {
      const answer = test(raw);
      if (answer === false) return false;
      if (answer instanceof Fault) fault ??= answer;
    }
    return fault ?? true;
  };
}

/** The form in which keys and codes are compared: as text, an absent value as ''. */
export function textOf(value: CellValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'boolean' ? String(value) : (numberText(withoutType(value)) ?? '');
}
