import { expect, it } from 'vitest';
import { decimalFormat, notDecimal, plainDecimal, type SignPlace } from '../../src/mapping/decimal-format.ts';
import { rounded } from '../../src/mapping/rounding.ts';

const every = ['leading', 'trailing', 'brackets', 'triangle'] as const;

it.each<[mark: string, thousands: string, signs: readonly SignPlace[], text: string, plain?: string]>([
  ['.', '', ['leading'], '12.50', '12.50'],
  ['.', '', ['leading'], '-12', '-12'],
  ['.', '', ['leading'], '0012.5', '12.5'],
  ['.', '', ['leading'], '\u2212 5', '-5'],
  ['.', '', ['leading'], '1x5'],
  ['.', '', ['leading'], '1,234'],
  ['.', '', ['leading'], '１２'],
  ['.', '', ['leading'], '12.'],
  ['.', '', ['leading'], '.5'],
  ['.', '', ['leading'], '5-'],
  ['.', '', ['leading'], '(5)'],
  ['.', '', ['leading'], '▲5'],
  [',', '.', ['leading'], '1.234,5', '1234.5'],
  [',', '.', ['leading'], '12345,6', '12345.6'],
  [',', '.', ['leading'], '1.23'],
  [',', '.', ['leading'], '1234.567'],
  [',', ' ', ['leading'], '1\u00a0234 567,5', '1234567.5'],
  [',', '', ['leading'], '12,5', '12.5'],
  ['.', '', [], '12.5', '12.5'],
  ['.', '', [], '-12.5'],
  ['.', '', ['trailing'], '12-', '-12'],
  ['.', '', ['trailing'], '12 \u2212', '-12'],
  ['.', '', ['trailing'], '12+', '12'],
  ['.', '', ['trailing'], '-12'],
  ['.', '', ['brackets'], '(12)', '-12'],
  ['.', '', ['brackets'], '( 12 )', '-12'],
  ['.', '', ['brackets'], '12', '12'],
  ['.', '', ['brackets'], '15)'],
  ['.', '', ['brackets'], '(15'],
  ['.', '', ['triangle'], '12', '12'],
  ['.', '', ['triangle'], '▲ 12', '-12'],
  ['.', '', ['triangle'], '△12', '-12'],
  ['.', '', ['triangle'], '1▲2'],
  ['.', '', every, '-12', '-12'],
  ['.', '', every, '--12'],
])('decimals with %j and %j, signs %j: %s', (mark, thousands, signs, text, plain) => {
  expect(decimalFormat(mark, thousands, signs)(text)).toBe(plain);
});

it('each place of the sign has its example', () => {
  const examples = every.map((sign) => decimalFormat(',', '.', [sign]).example);
  expect(examples).toEqual(['9.876,50', '9.876,50-', '(9.876,50)', '▲9.876,50']);
  expect(decimalFormat('.', '', []).example).toBe('9876.50');
  expect(notDecimal(plainDecimal, 'for example')).toBe(
    'This is not a decimal in the format of the export, such as 9876.50, for example. ' +
      'Correct it, or set decimal_mark, thousands_mark and sign under format in a mapping.',
  );
});

it('an amount is rounded before it is converted, and what is no amount is left as it is', () => {
  const convert = (raw: unknown) => `converted ${String(raw)}`;
  const unrounded = (raw: unknown) => `not ${String(raw)}`;
  const round = rounded({ places: 2, mode: 'half_up' }, decimalFormat(',', '.'), convert, unrounded);
  expect(round('1.234,565')).toBe('converted 1234.57');
  expect(round('5')).toBe('converted 5.00');
  expect(round(0.125)).toBe('converted 0.13');
  expect(round('five')).toBe('not five');
  expect(round(true)).toBe('not true');
});

it('without a mark for thousands, no blank or other character divides a number', () => {
  for (const text of ['1 234,50', '1\u00A0234,50', '1.234,50', "1'234,50"])
    expect([text, decimalFormat(',', '')(text)]).toEqual([text, undefined]);
  expect(decimalFormat(',', '')('-0012345,50')).toBe('-12345.50');
});
