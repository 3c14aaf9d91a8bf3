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
  cities: { file: c.csv, key: ID }
  items: { file: i.csv, key: ID }
account:
${account}
`,
    { supplier: 'S' },
  );

const plan = (account: string, row: string, ...items: readonly string[]) =>
  planOf(
    read(account),
    {
      'a.csv': ['ID;STREET;CITY;FEE', `1;${row}`],
      'c.csv': ['ID;NO;NAME', '1;7;Leeds'],
      'i.csv': ['ID;KIND;AMOUNT', ...items],
    },
    '1',
  );

const address = `  billing_address:
    street_address:
      template: '{STREET}, {town}'
      parts: { town: { from: cities, match: { NO: CITY }, each: NAME } }`;

const balance = `  transfer_balance:
    calc: '{paid} - {billed} - {FEE}'
    parts:
      paid: { from: items, where: { KIND: P }, take: sum, each: AMOUNT }
      billed: { from: items, where: { KIND: B }, take: sum, each: AMOUNT }`;

describe('a value of columns and of other tables', () => {
  it('is a text with the value of a row that another table has', () => {
    const { payload, problems, locate } = plan(address, '1 High Street;7;');
    expect(payload['billing_address']).toEqual({ street_address: '1 High Street, Leeds' });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const cell = locate('stage', 'billing_address.street_address');
    expect(cell).toMatchObject({ file: 'a.csv', line: 2, column: 'STREET' });
    expect(cell).not.toHaveProperty('beside');
    expect(cell?.behind).toMatchObject([{ file: 'c.csv', line: 2, column: 'NAME' }]);
  });

  it('is traced to the row of the other table where the own columns are empty', () => {
    const { payload, locate } = plan(address.replace('{STREET}, ', '{STREET} '), ';7;');
    expect(payload['billing_address']).toEqual({ street_address: 'Leeds' });
    expect(locate('stage', 'billing_address.street_address')).toMatchObject({
      file: 'c.csv',
      column: 'NAME',
    });
  });

  it('is a problem where the row does not exist, at the cell that refers to it', () => {
    const { problems } = plan(address, '1 High Street;8;');
    expect(problems.filter(({ path }) => path !== '')).toMatchObject([
      { code: 'row_not_found', cell: { file: 'a.csv', line: 2, column: 'CITY' } },
    ]);
  });

  it('is an exact calculation with the sums of rows, each read as its own table writes amounts', () => {
    const { payload, problems, locate } = plan(balance, 'x;7;0,05', '1;P;10,00', '1;P;0,10', '1;B;7,25');
    expect(payload['transfer_balance']).toBe('2.80');
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(locate('stage', 'transfer_balance')?.behind).toContainEqual(
      expect.objectContaining({ file: 'a.csv', column: 'FEE' }),
    );
  });

  it('is left out where all that it is made of is empty', () => {
    expect(plan(balance, 'x;7;').payload).not.toHaveProperty('transfer_balance');
  });

  it('is a problem at the amount that cannot be read, and told once', () => {
    const { problems } = plan(balance, 'x;7;1', '1;P;ten', '1;B;1,00');
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'invalid_amount', cell: { file: 'i.csv', line: 2, column: 'AMOUNT' } },
    ]);
  });

  it('has no name that nothing uses, and none without a template or calc', () => {
    const faults = (account: string) => problemsOf(read(account)).map(({ cell }) => cell?.column);
    expect(faults(address.replace('{town}', '{CITY}'))).toEqual([
      'account.billing_address.street_address.parts.town',
    ]);
    expect(faults('  sales_channel: { column: CITY, parts: { x: { constant: a } } }')).toEqual([
      'account.sales_channel.parts.x',
    ]);
  });
});
