import { describe, expect, it } from 'vitest';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { planOf, problemsOf } from './bundles.ts';

const read = (account: string) =>
  readMapping(
    'm.yaml',
    `version: 1
format: { decimal_mark: ',', delimiter: ';' }
tables:
  accounts: { file: a.csv, key: ID }
  items: { file: i.csv, key: ID }
account:
${account}
`,
    { supplier: 'S' },
  );

const planWith = (account: string, ...items: readonly string[]) =>
  planOf(read(account), { 'a.csv': ['ID', '1'], 'i.csv': ['ID;NO;KIND;AMOUNT', ...items] }, '1');

const balance =
  '  transfer_balance: { from: items, where: { KIND: OPEN }, take: sum, each: AMOUNT }\n' +
  '  metadata: [{ key: { constant: items }, value: { n: { from: items, take: count, each: AMOUNT } } }]';

describe('all rows of a child table make one value', () => {
  it('their exact sum, and how many have a value', () => {
    const plan = planWith(balance, '1;A;OPEN;0,10', '1;B;OPEN;0,20', '1;C;PAID;5,00', '1;D;PAID;');
    expect(plan.payload).toMatchObject({
      transfer_balance: '0.30',
      metadata: [{ key: 'items', value: { n: '3' } }],
    });
    expect(plan.problems).toEqual([]);
    expect(plan.locate('validate', 'transfer_balance')).toMatchObject({
      file: 'i.csv',
      line: 2,
      column: 'AMOUNT',
      behind: [{ line: 3, column: 'AMOUNT' }],
    });
  });

  it('none, where no row fits', () => {
    const { payload } = planWith(balance, '1;C;PAID;5,00');
    expect(payload).not.toHaveProperty('transfer_balance');
  });

  it('and one that is no number is a problem at its cell, and no part of a sum', () => {
    const { payload, problems } = planWith(balance, '1;A;OPEN;0,10', '1;B;OPEN;x');
    expect(problems).toMatchObject([{ code: 'invalid_amount', cell: { line: 3, column: 'AMOUNT' } }]);
    expect(payload).not.toHaveProperty('transfer_balance');
  });

  it('only where the field takes it', () => {
    const codes = (account: string) => problemsOf(read(account)).map(({ cell }) => cell?.column);
    expect(codes('  unknown_occupier: { from: items, take: count, each: NO }')).toEqual([
      'account.unknown_occupier.take',
    ]);
    expect(codes('  transfer_balance: { from: items, take: sum, order: NO, each: AMOUNT }')).toEqual([
      'account.transfer_balance.order',
    ]);
  });
});
