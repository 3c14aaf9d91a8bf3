import { expect, test } from 'vitest';
import { SharedValues } from '../../src/sqlite/shared-values.ts';

test('a value of several accounts is found with another place for each of them, one of a single account is not', () => {
  const values = new SharedValues();
  values.add('A', [
    ['id', '1'],
    ['id', '7'],
    ['id', '7'],
  ]);
  values.add('B', [
    ['id', '1'],
    ['reference', '7'],
  ]);
  values.add('C', [['id', '1']]);
  values.add('D', []);
  expect(values.settle()).toBe(true);
  expect([...values.accounts()]).toEqual(['A', 'B', 'C']);
  expect(['C', 'D'].map((account) => values.concerns(account))).toEqual([true, false]);
  expect([values.isShared('id', '1'), values.isShared('id', '7')]).toEqual([true, false]);
  for (const account of ['A', 'B', 'C']) values.place(account, ['id', '1'], `in ${account}`);
  expect(['A', 'B', 'C'].map((account) => values.placesOf(account))).toEqual([
    [{ place: 'in A', other: 'in B', accounts: 3 }],
    [{ place: 'in B', other: 'in A', accounts: 3 }],
    [{ place: 'in C', other: 'in A', accounts: 3 }],
  ]);
  values.close();
});

test('nothing is shared where every account has its own values', () => {
  const values = new SharedValues();
  for (let account = 0; account < 100; account++) values.add(String(account), [['id', `T-${account}`]]);
  expect(values.settle()).toBe(false);
  values.close();
});
