import { expect, it } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { MoneySum, noMoney, readMoney, writeMoney, type Money } from '../../src/domain/money.ts';

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
  expect(readMoney(writeMoney(undefined))).toBeUndefined();
});

it('takes any name for a kind', () => {
  const named = sumOf(['__proto__', '1'], ['A "type"\n', '2'], ['', '3']);
  expect([...(readMoney(writeMoney(named)) ?? [])].map(([kind]) => kind)).toEqual([
    '__proto__',
    'A "type"\n',
    '',
  ]);
});
