import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDecimal, isAmountText, parseDecimal, zero } from '../../src/domain/decimal.ts';

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
