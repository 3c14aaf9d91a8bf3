import {
  divideExactly,
  formatDecimal,
  one,
  parseDecimal,
  roundFraction,
  zero,
  type Decimal,
  type Fraction,
} from '../domain/decimal.ts';
import type { Rounding } from './rounding.ts';

/** An arithmetic formula over columns, such as `-({NET} + {TAX}) / 100`. */
export interface Formula {
  /** The columns in it, without repetitions. */
  readonly columns: readonly string[];
  /**
   * The exact result in plain notation, with at least the given number of decimal places, and as many more as a
   * division by 10, 100 and so on moves the point; undefined if digits would be lost, or on a division by zero. With
   * `round`, it is rounded once, at the end.
   */
  result(values: readonly Decimal[], places: number, round?: Rounding): string | undefined;
}

/** undefined on a division by zero. */
type Term = (values: readonly Decimal[]) => Fraction | undefined;

const token = /\s*(?:\{([^{}]+)\}|(\d+(?:\.\d+)?)|(abs\b|[-+*/()]))/y;

/**
 * Parses a formula: columns in braces, numbers, + - * / and parentheses, and abs(); undefined if it is not a formula.
 */
export function formula(text: string): Formula | undefined {
  const parser = new Parser(text);
  const term = parser.sum();
  if (term === undefined || !parser.isAtEnd || parser.columns.length === 0) return undefined;
  const { columns, shift } = parser;
  return {
    columns,
    result(values, places, round) {
      const value = term(values);
      if (value === undefined) return undefined;
      if (round !== undefined)
        return formatDecimal(roundFraction(value, round.places, round.mode), round.places);
      const exact = divideExactly(value.dividend, value.divisor);
      return exact && formatDecimal(exact, places + shift);
    },
  };
}

class Parser {
  readonly columns: string[] = [];
  /**
   * By how many places a division by a power of ten moves the point: the moved digits are kept (1200 / 100 is 12.00).
   */
  shift = 0;
  readonly #tokens: readonly RegExpMatchArray[];
  readonly #isReadable: boolean;
  #at = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(new RegExp(token, 'gy'))];
    this.#isReadable =
      this.#tokens.reduce((length, [part]) => length + part.length, 0) === text.trimEnd().length;
  }

  get isAtEnd(): boolean {
    return this.#isReadable && this.#at === this.#tokens.length;
  }

  sum(): Term | undefined {
    return this.#chain(() => this.#product(), {
      '+': sumOf,
      '-': (a, b) => sumOf(a, negative(b)),
    });
  }

  #product(): Term | undefined {
    return this.#chain(() => this.#divisor(), { '*': productOf, '/': quotientOf });
  }

  #chain(next: () => Term | undefined, operators: Readonly<Record<string, Operator>>): Term | undefined {
    let left = next();
    for (;;) {
      const operator = operators[this.#tokens[this.#at]?.[3] ?? ''];
      if (operator === undefined || left === undefined) return left;
      this.#at += 1;
      left = combined(left, next(), operator);
    }
  }

  #divisor(): Term | undefined {
    const [before, number] = [this.#tokens[this.#at - 1]?.[3], this.#tokens[this.#at]?.[2]];
    if (before === '/' && number !== undefined && /^10+$/.test(number))
      this.shift = Math.max(this.shift, number.length - 1);
    return this.#factor();
  }

  #factor(): Term | undefined {
    const [, column, digits, sign] = this.#tokens[this.#at++] ?? [];
    if (column !== undefined) {
      if (!this.columns.includes(column)) this.columns.push(column);
      const index = this.columns.indexOf(column);
      return (values) => whole(values[index]);
    }
    if (digits !== undefined) {
      const number = parseDecimal(digits);
      return () => whole(number);
    }
    if (sign === '-') return mapped(this.#factor(), negative);
    if (sign === 'abs') return this.#next('(') ? mapped(this.#inParentheses(), magnitude) : undefined;
    return sign === '(' ? this.#inParentheses() : undefined;
  }

  #inParentheses(): Term | undefined {
    const inner = this.sum();
    return this.#next(')') ? inner : undefined;
  }

  #next(sign: string): boolean {
    return this.#tokens[this.#at++]?.[3] === sign;
  }
}

type Operator = (a: Fraction, b: Fraction) => Fraction | undefined;

function whole(value: Decimal | undefined): Fraction | undefined {
  return value && { dividend: value, divisor: one };
}

function sumOf(a: Fraction, b: Fraction): Fraction {
  const dividend = a.dividend.times(b.divisor).plus(b.dividend.times(a.divisor));
  return { dividend, divisor: a.divisor.times(b.divisor) };
}

function negative({ dividend, divisor }: Fraction): Fraction {
  return { dividend: zero.minus(dividend), divisor };
}

function magnitude({ dividend, divisor }: Fraction): Fraction {
  return { dividend: dividend.abs(), divisor: divisor.abs() };
}

function productOf(a: Fraction, b: Fraction): Fraction {
  return { dividend: a.dividend.times(b.dividend), divisor: a.divisor.times(b.divisor) };
}

function quotientOf(a: Fraction, b: Fraction): Fraction | undefined {
  if (b.dividend.eq(0)) return undefined;
  return { dividend: a.dividend.times(b.divisor), divisor: a.divisor.times(b.dividend) };
}

function mapped(term: Term | undefined, change: (value: Fraction) => Fraction): Term | undefined {
  if (term === undefined) return undefined;
  return (values) => {
    const value = term(values);
    return value === undefined ? undefined : change(value);
  };
}

function combined(left: Term, right: Term | undefined, operator: Operator): Term | undefined {
  if (right === undefined) return undefined;
  return (values) => {
    const [a, b] = [left(values), right(values)];
    return a === undefined || b === undefined ? undefined : operator(a, b);
  };
}

/** A text with columns in braces, such as `{STREET} {NUMBER}`. */
export interface Template {
  /** The columns in it, in order. */
  readonly columns: readonly string[];
  /** The text with the values of the columns, without the white space that empty ones leave. */
  fill(texts: readonly string[]): string;
}

/** Parses a template; `{{` and `}}` stand for braces. undefined if it names no column, or has an unpaired brace. */
export function template(text: string): Template | undefined {
  const columns: string[] = [];
  const fixed: string[] = [];
  let before = '';
  let end = 0;
  for (const { 0: part, 1: column, index } of text.matchAll(/\{\{|\}\}|\{([^{}]+)\}|[^{}]+/g)) {
    if (index !== end) return undefined;
    end += part.length;
    if (column === undefined) before += part.replace(/^(?:\{\{|\}\})$/, part.charAt(0));
    else {
      columns.push(column);
      fixed.push(before);
      before = '';
    }
  }
  if (end !== text.length || columns.length === 0) return undefined;
  return {
    columns,
    fill(texts) {
      const whole = fixed.map((part, at) => part + (texts[at] ?? '')).join('') + before;
      const isWhole = texts.every((filled) => filled !== '');
      return isWhole ? whole : whole.replaceAll(/\s{2,}/g, ' ').trim();
    },
  };
}
