import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  divideExactly,
  formatDecimal,
  isAmountText,
  parseDecimal,
  roundDecimal,
  roundFraction,
  zero,
  type Decimal,
  type RoundingMode,
} from '../../src/domain/decimal.ts';

const amount = fc
  .tuple(
    fc.bigInt({ min: -9_999_999_999n, max: 9_999_999_999n }),
    fc.string({ unit: fc.nat({ max: 9 }).map(String), minLength: 1, maxLength: 10 }),
  )
  .map(([whole, fraction]) => `${whole}.${fraction}`);

/** The amount in units of the tenth decimal place. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(10, '0'));
  return text.startsWith('-') ? -size : size;
}

it('adds amounts without losing a digit', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
      const sum = amounts.reduce((total, text) => total.plus(parseDecimal(text)!), zero);
      const exact = amounts.reduce((total, text) => total + scaled(text), 0n);
      expect(scaled(formatDecimal(sum, 10))).toBe(exact);
    }),
  );
});

it.each(['0', '-0.00', '9999999999.9999999999', '-1.5', '007.10'])('takes %s for an amount', (text) => {
  expect(isAmountText(text)).toBe(true);
});

it.each(['', '-', '.5', '5.', '+1', '1e3', '1,5', ' 1', '1\n', '12345678901', '0.12345678901', '١٢', 'NaN'])(
  'does not take %j for an amount',
  (text) => {
    expect(isAmountText(text)).toBe(false);
  },
);

it('reads plain notation of any length, and nothing else', () => {
  const long = '-123456789012345678901234567890.123456789012345678901234567890';
  expect(parseDecimal(long)?.toFixed(30)).toBe(long);
  for (const text of ['', '1e3', '1,5', 'Infinity', '0x10']) expect(parseDecimal(text)).toBeUndefined();
});

it('writes at least the decimal places that are asked for, and never rounds', () => {
  expect(formatDecimal(parseDecimal('12')!, 2)).toBe('12.00');
  expect(formatDecimal(parseDecimal('12.345')!, 2)).toBe('12.345');
  expect(formatDecimal(parseDecimal('0.0000000001')!)).toBe('0.0000000001');
});

const decimal = (text: string): Decimal => parseDecimal(text)!;

it.each([
  ['0.125', 2, ['0.13', '0.12', '0.13', '0.12']],
  ['0.135', 2, ['0.14', '0.14', '0.14', '0.13']],
  ['-0.125', 2, ['-0.13', '-0.12', '-0.13', '-0.12']],
  ['-0.135', 2, ['-0.14', '-0.14', '-0.14', '-0.13']],
  ['0.1251', 2, ['0.13', '0.13', '0.13', '0.12']],
  ['0.1249', 2, ['0.12', '0.12', '0.13', '0.12']],
  ['0.12', 2, ['0.12', '0.12', '0.12', '0.12']],
  ['2.5', 0, ['3', '2', '3', '2']],
  ['-0.001', 2, ['0', '0', '-0.01', '0']],
  ['12345678901234567890.5', 0, ['12345678901234567891', '12345678901234567890', '12345678901234567891']],
] as const)('rounds %s to %i places by each mode', (text, places, expected) => {
  const modes: readonly RoundingMode[] = ['half_up', 'half_even', 'up', 'down'];
  for (const [at, written] of expected.entries())
    expect(roundDecimal(decimal(text), places, modes[at]!).toFixed()).toBe(written);
});

it.each([
  ['1', '3', 2, 'half_up', '0.33'],
  ['2', '3', 2, 'half_up', '0.67'],
  ['-2', '3', 2, 'half_up', '-0.67'],
  ['2', '-3', 2, 'half_up', '-0.67'],
  ['-2', '-3', 2, 'half_up', '0.67'],
  ['1', '-8', 2, 'half_even', '-0.12'],
  ['3', '-8', 2, 'half_even', '-0.38'],
  ['1', '1000', 2, 'up', '0.01'],
  ['-1', '1000', 2, 'down', '0'],
] as const)('rounds %s / %s once, to %i places %s', (dividend, divisor, places, mode, written) => {
  const rounded = roundFraction({ dividend: decimal(dividend), divisor: decimal(divisor) }, places, mode);
  expect(rounded.toFixed()).toBe(written);
});

it('divides only where no digit is lost', () => {
  expect(divideExactly(decimal('1'), decimal('8'))?.toFixed()).toBe('0.125');
  expect(divideExactly(decimal('1'), decimal('3'))).toBeUndefined();
  expect(divideExactly(decimal('1'), decimal('0.0'))).toBeUndefined();
  expect(divideExactly(zero, decimal('3'))?.toFixed()).toBe('0');
});
