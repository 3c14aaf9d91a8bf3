import Big from 'big.js';

/** An exact decimal number. Money is never a float inside the program. */
export type Decimal = Big;

/** Optional minus, up to ten digits, and optionally a point and up to ten digits (the bounds of an amount). */
export const amountForm = /^-?\d{1,10}(\.\d{1,10})?$/;
const plainPattern = /^-?\d+(\.\d+)?$/;

export const zero: Decimal = new Big(0);
export const one: Decimal = new Big(1);

/** Whether the text is an amount within the interface's bounds. */
export function isAmountText(text: string): boolean {
  return amountForm.test(text);
}

/** Reads plain decimal notation exactly (`-12.30`); undefined for anything else, exponents included. */
export function parseDecimal(text: string): Decimal | undefined {
  return plainPattern.test(text) ? new Big(text) : undefined;
}

/** Writes a decimal in plain notation, keeping at least `places` decimal places. */
export function formatDecimal(value: Decimal, places = 0): string {
  const plain = value.toFixed();
  const have = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0;
  // Stryker disable next-line EqualityOperator: with as many places, both are the same text
  return have >= places ? plain : value.toFixed(places);
}

/** The quotient if it has at most 20 decimal places; undefined if digits would be lost, or for a division by zero. */
export function divideExactly(dividend: Decimal, divisor: Decimal): Decimal | undefined {
  if (divisor.eq(0)) return undefined;
  const quotient = dividend.div(divisor);
  return quotient.times(divisor).eq(dividend) ? quotient : undefined;
}

/** `half_up` rounds what is in the middle away from zero, `half_even` to an even digit; `up` is away from zero, `down` towards it. */
export const roundingModes = ['half_up', 'half_even', 'up', 'down'] as const;
export type RoundingMode = (typeof roundingModes)[number];

/** A decimal with at most `places` decimal places. */
export function roundDecimal(value: Decimal, places: number, mode: RoundingMode): Decimal {
  return roundFraction({ dividend: value, divisor: one }, places, mode);
}

/** A quotient that need not have an end, such as a third. The divisor is not zero. */
export interface Fraction {
  readonly dividend: Decimal;
  readonly divisor: Decimal;
}

/** Division to whole numbers, towards zero. */
const Whole = Big();
Whole.DP = 0;
Whole.RM = Big.roundDown;

/** A fraction with at most `places` decimal places (0 to 10), rounded once, from all of its digits. */
export function roundFraction({ dividend, divisor }: Fraction, places: number, mode: RoundingMode): Decimal {
  const scaled = dividend.times(10 ** places);
  const quotient = new Big(new Whole(scaled).div(divisor));
  const rest = scaled.minus(quotient.times(divisor)).abs();
  const half = rest.times(2).cmp(divisor.abs());
  const isUp = {
    half_up: half >= 0,
    half_even: half > 0 || (half === 0 && !quotient.mod(2).eq(0)),
    up: !rest.eq(0),
    down: false,
  }[mode];
  const away = dividend.lt(0) === divisor.lt(0) ? 1 : -1;
  const rounded = (isUp ? quotient.plus(away) : quotient).div(10 ** places);
  // Zero has no sign.
  return rounded.eq(0) ? zero : rounded;
}
