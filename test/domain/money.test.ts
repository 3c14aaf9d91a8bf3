import { expect, it } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import {
  asKindsOf,
  carriesMoney,
  inMinorUnits,
  MoneySum,
  noMoney,
  placesOf,
  readMoney,
  writeMoney,
  type Money,
} from '../../src/domain/money.ts';
import { stepNames } from '../../src/domain/steps.ts';

function sumOf(...amounts: [kind: string, amount: string][]): Money {
  const sum = new MoneySum();
  for (const [kind, amount] of amounts) sum.add(kind, parseDecimal(amount)!);
  return sum.totals;
}

const texts = (money: Money | undefined) =>
  money && Object.fromEntries([...money].map(([kind, sum]) => [kind, sum.toFixed()]));

it('adds amounts up without losing a digit, and keeps them so', () => {
  const sum = sumOf(
    ['CHARGE', '0.1'],
    ['CHARGE', '0.2'],
    ['CHARGE', '9999999999.0000000001'],
    ['CREDIT', '5'],
    ['CREDIT', '-5'],
  );
  const written = writeMoney(sum);
  expect(texts(readMoney(written))).toEqual({ CHARGE: '9999999999.3000000001' });
});

it('keeps nothing where there is no money, and tells it from money that is not known', () => {
  expect(writeMoney(sumOf())).toBeUndefined();
  expect(readMoney(undefined)?.size).toBe(0);
  expect(readMoney(noMoney)?.size).toBe(0);
  expect(writeMoney(undefined)).toBe('?');
  expect(readMoney('?')).toBeUndefined();
});

it('takes any name for a kind', () => {
  const named = sumOf(['__proto__', '1'], ['A "type"\n', '2'], ['', '3']);
  expect([...(readMoney(writeMoney(named)) ?? [])].map(([kind]) => kind)).toEqual([
    '__proto__',
    'A "type"\n',
    '',
  ]);
});

it('adds whole totals to what it has', () => {
  const sum = new MoneySum();
  sum.add('CHARGE', parseDecimal('1.5')!);
  sum.addAll(sumOf(['CHARGE', '2'], ['CREDIT', '-3']));
  expect(texts(sum.totals)).toEqual({ CHARGE: '3.5', CREDIT: '-3' });
});

it.each(['{"CHARGE":5}', '{"CHARGE":"five"}', '{"CHARGE":"1","CREDIT":null}'])(
  'refuses to read %s as recorded money',
  (text) => {
    expect(() => readMoney(text)).toThrow('Money was kept in a form that cannot be read.');
  },
);

it.each(['[]', '5', 'null'])('finds no amounts in %s', (text) => {
  expect(readMoney(text)?.size).toBe(0);
});

it('writes minor units without decimal places', () => {
  expect(inMinorUnits('gross_amount')).toBe('gross_amount_minor_units');
  expect(placesOf('gross_amount_minor_units')).toBe(0);
  expect(placesOf('gross_amount')).toBe(2);
  expect(placesOf('_minor_units_CHARGE')).toBe(2);
});

const minor = 'gross_amount_minor_units';

it.each([
  ['a plain kind, as earlier versions did', [minor], ['gross_amount'], [minor]],
  ['the kind of the source', ['gross_amount'], ['gross_amount'], ['gross_amount']],
  ['both kinds, as the source has', [minor, 'gross_amount'], ['gross_amount'], ['gross_amount']],
  ['both kinds itself', [minor], ['gross_amount', minor], ['gross_amount', minor]],
  ['a kind that the source lacks', [], ['CHARGE'], ['CHARGE']],
])('compares minor units with what was recorded under %s', (_what, source, recorded, kinds) => {
  const money = (names: readonly string[]) => sumOf(...names.map((name): [string, string] => [name, '1']));
  expect([...asKindsOf(money(source), money(recorded)).keys()]).toEqual(kinds);
});

it('knows the steps whose requests carry amounts', () => {
  expect(stepNames.filter(carriesMoney)).toEqual([
    'process',
    'transactions',
    'billing-documents',
    'statements',
  ]);
});
