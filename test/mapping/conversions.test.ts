import { describe, expect, test } from 'vitest';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { planOf, problemsOf } from './bundles.ts';

const head = `version: 1
format: { decimal_mark: ",", thousands_mark: ".", delimiter: ";" }
tables:
  accounts: { file: A.csv, key: ID }
account:
`;

function built(field: string, cell: string, more = '') {
  const files = { 'A.csv': ['ID;X;Y', `1;${cell};${more}`] };
  const { payload, problems, locate } = planOf(
    readMapping('mapping.yaml', `${head}  ${field}\n`, { supplier: 'S' }),
    files,
    '1',
  );
  return { payload, codes: problems.map(({ code }) => code), locate };
}

describe('an amount', () => {
  test.each([
    ['{ column: X, split: "-", take: first }', '12,50-', 'lossy_conversion'],
    ['{ column: X, split: " ", take: first }', '12,50 EUR', 'lossy_conversion'],
    ['{ column: X, split: " ", take: first }', '12,50 (', 'lossy_conversion'],
    ['{ column: X, digits: true }', '12,50', 'lossy_conversion'],
    ['{ column: X, match: "[0-9,]+" }', '-12,50', 'lossy_conversion'],
    ['{ column: X, replace: { pattern: "[^0-9,]", with: "" } }', '12,50-', 'lossy_conversion'],
    ['{ column: X, slice: { from: 2 } }', '112,50', 'lossy_conversion'],
    ['{ column: X, split: " ", take: first, may_lose: EUR }', '12,50 EUR-', 'lossy_conversion'],
    ['{ column: X, split: " ", take: first, may_lose: EUR }', '12,50 EUR', '12.50'],
    ['{ column: X, split: " ", take: first, may_lose: true }', '12,50 EUR-', '12.50'],
    ['{ column: X, trim: "*" }', '**12,50*', '12.50'],
    ['{ column: X, split: "/", take: last }', '/12,50', '12.50'],
    ['{ column: X, replace: { pattern: "^(.*)-$", with: "-$1" } }', '12,50-', '-12.50'],
    ['{ column: X, sign: trailing }', '1.234,50-', '-1234.50'],
    ['{ column: X, sign: trailing }', '1.234,50 -', '-1234.50'],
    ['{ column: X, sign: trailing }', '0012,50+', '12.50'],
    ['{ column: X, sign: trailing }', '-12,50', 'invalid_amount'],
    ['{ column: X, sign: trailing }', '12,50--', 'invalid_amount'],
    ['{ column: X, sign: brackets }', '(12,50)', '-12.50'],
    ['{ column: X, sign: brackets }', '(-12,50)', 'invalid_amount'],
    ['{ column: X, sign: [leading, trailing] }', '-12,50-', 'invalid_amount'],
    ['{ column: X, sign: [leading, trailing] }', '-12,50', '-12.50'],
    ['X', '12,50-', 'invalid_amount'],
    ['X', '(12,50)', 'invalid_amount'],
  ])('%s of %s is %s', (value, cell, expected) => {
    const { payload, codes } = built(`transfer_balance: ${value}`, cell);
    if (/^-?[\d.]+$/.test(expected)) {
      expect(codes).toEqual([]);
      expect(payload['transfer_balance']).toBe(expected);
    } else expect(codes).toEqual([expected]);
  });

  test('may be read by its sign in a calculation and in a condition', () => {
    const field = 'transfer_balance: { cases: [{ when: { X: { below: 0 } }, then: { calc: "-{X}" } }] }';
    const mapping = head.replace('delimiter', 'sign: trailing, delimiter') + `  ${field}\n`;
    const files = { 'A.csv': ['ID;X', '1;12,50-'] };
    const plan = planOf(readMapping('m.yaml', mapping, { supplier: 'S' }), files, '1');
    expect(plan.payload['transfer_balance']).toBe('12.50');
    expect(plan.locate('stage', 'transfer_balance')).toEqual({ file: 'A.csv', line: 2, column: 'X' });
  });
});

describe('a value that cannot be read', () => {
  const phone = (more: string): string => `customers: [{ landline: { column: [X, Y], phone: DE${more} } }]`;

  test('is taken from the next column that can, and traced to it', () => {
    const { payload, codes, locate } = built(phone(', on_invalid: next'), 'keine', '030 23125 001');
    expect(codes).toEqual([]);
    expect(payload['customers']).toEqual([{ landline: '+493023125001' }]);
    const passed = { file: 'A.csv', line: 2, column: 'X' };
    expect(locate('stage', 'customers.0.landline')).toMatchObject({ column: 'Y', behind: [passed] });
  });

  test('is a problem at the first column if no other can', () => {
    const found = built(phone(', on_invalid: next'), 'keine', 'auch keine');
    expect(found.codes).toEqual(['invalid_phone_number']);
  });

  test('gives way to the default', () => {
    const { payload, codes, locate } = built(phone(', on_invalid: next, default: "+49301"'), 'keine', '');
    expect([codes, payload['customers']]).toEqual([[], [{ landline: '+49301' }]]);
    expect(locate('stage', 'customers.0.landline')?.behind).toMatchObject([{ line: 2, column: 'X' }]);
  });

  test('is left out with a warning', () => {
    const { payload, codes } = built(phone(', on_invalid: omit'), 'keine', '030 23125 001');
    expect([codes, payload['customers']]).toEqual([['value_omitted'], undefined]);
  });
});

test('a part that a condition made is traced to the cells of the condition too', () => {
  const mapping = `version: 1
format: { delimiter: ';' }
tables: { accounts: { file: A.csv, key: ID }, rows: { file: B.csv, key: ID } }
account:
  ledgers:
    - when: { X: J }
      each: { ledger_code: { constant: GAS }, ledger_balance: Y }
    - from: rows
      when_account: { X: [J, N] }
      each: { ledger_code: CODE, ledger_balance: SUM }
`;
  const files = { 'A.csv': ['ID;X;Y', '1;J;1.00'], 'B.csv': ['ID;CODE;SUM', '1;C;2.00'] };
  const { payload, locate } = planOf(readMapping('m.yaml', mapping, { supplier: 'S' }), files, '1');
  expect(payload['ledgers']).toHaveLength(2);
  const condition = { file: 'A.csv', line: 2, column: 'X' };
  expect(locate('stage', 'ledgers.0.ledger_balance')).toMatchObject({ column: 'Y', behind: [condition] });
  expect(locate('stage', 'ledgers.1.ledger_balance')).toMatchObject({
    file: 'B.csv',
    column: 'SUM',
    behind: [condition],
  });
});

describe('a cell that a condition cannot compare', () => {
  const mapping = (account: string, table = ''): string => `version: 1
format: { delimiter: ';', dates: dd/mm/yyyy }
tables: { accounts: { file: A.csv, key: ID }, rows: { file: B.csv, key: ID${table} } }
account:
${account}
`;
  const files = (day: string, sum: string) => ({
    'A.csv': ['ID;DAY;SUM', `1;${day};${sum}`],
    'B.csv': ['ID;CODE;SUM;DAY;STATE', '1;C;2.00;01/02/2024;', `1;D;${sum};${day};`, `1;E;x;y;VOID`],
  });
  const plan = (account: string, day: string, sum: string, table?: string) => {
    const { problems } = planOf(
      readMapping('m.yaml', mapping(account, table), { supplier: 'S' }),
      files(day, sum),
      '1',
    );
    return problems.map(({ code, severity, cell }) => [code, severity, cell?.file, cell?.line, cell?.column]);
  };
  const rows = (where: string): string =>
    `  ledgers: [{ from: rows, where: { ${where} }, each: { ledger_code: CODE } }]`;

  test('is an error of the row that it may exclude, once for all parts that ask', () => {
    const days = rows('STATE: { not: VOID }, DAY: { after: 2024-01-01 }');
    const excluded = ['row_not_mapped', 'warning', 'B.csv', 4, ''];
    expect(plan(days, '30/02/2024', '1.00')).toEqual([
      ['invalid_date', 'error', 'B.csv', 3, 'DAY'],
      excluded,
    ]);
    const sums = `  ledgers:
    - { from: rows, where: { STATE: '', SUM: { above: 0 } }, each: { ledger_code: CODE } }
    - { from: rows, where: { STATE: '', SUM: { below: 0 } }, each: { ledger_code: CODE } }`;
    const found = plan(sums, '', '1O.00');
    expect(found.filter(([code]) => code === 'invalid_amount')).toEqual([
      ['invalid_amount', 'error', 'B.csv', 3, 'SUM'],
    ]);
  });

  test('is none if it is empty, or another condition excludes the row', () => {
    expect(plan(rows('SUM: { above: 0 }, STATE: { not: VOID }'), '', '3.00')).toEqual([
      ['row_not_mapped', 'warning', 'B.csv', 4, ''],
    ]);
    expect(plan(rows('DAY: { after: 2024-01-01 }, STATE: { not: VOID }'), '', '3.00')).toEqual([
      ['row_not_mapped', 'warning', 'B.csv', 3, ''],
      ['row_not_mapped', 'warning', 'B.csv', 4, ''],
    ]);
  });

  test('is an error where it decides a case, a part, or whether a row is ignored', () => {
    const cases = `  account_type: { cases: [{ when: { DAY: { after: 2024-01-01 } }, then: { constant: BUSINESS } }, { then: { constant: DOMESTIC } }] }
  ledgers: [{ from: rows, where: { STATE: '' }, each: { ledger_code: CODE } }]`;
    const found = ['invalid_date', 'error', 'A.csv', 2, 'DAY'];
    expect(plan(cases, '2024-01-31', '1.00')).toContainEqual(found);
    const part = `  ledgers: [{ from: rows, when: { DAY: { after: 2024-01-01 } }, each: { ledger_code: CODE } }]`;
    expect(plan(part, '2024-01-31', '1.00')).toContainEqual(found);
    const ignored = plan(rows("STATE: ''"), '', 'none', ', ignore: { SUM: { below: 0 } }');
    expect(ignored).toContainEqual(['invalid_amount', 'error', 'B.csv', 3, 'SUM']);
  });
});

test('a value of a row is traced to the cells that chose the row too', () => {
  const mapping = `version: 1
format: { delimiter: ';' }
tables: { accounts: { file: A.csv, key: ID }, rows: { file: B.csv, key: ID }, places: { file: C.csv, key: ID } }
account:
  billing_address: { from: places, match: { NO: HOME }, order: NO, each: { street_address: STREET } }
  ledgers:
    - from: rows
      match: { AT: X }
      where: { STATE: OPEN }
      each: { ledger_code: CODE, ledger_balance: SUM }
`;
  const files = {
    'A.csv': ['ID;X;HOME', '1;J;H'],
    'B.csv': ['ID;CODE;SUM;STATE;AT', '1;C;2.00;VOID;J', '1;D;3.00;OPEN;J'],
    'C.csv': ['ID;NO;STREET', '1;H;Via Roma 1'],
  };
  const { payload, locate } = planOf(readMapping('m.yaml', mapping, { supplier: 'S' }), files, '1');
  expect(payload['ledgers']).toHaveLength(1);
  const at = (file: string, line: number, column: string) => ({ file, line, column });
  expect(locate('stage', 'ledgers.0.ledger_balance')).toEqual({
    ...at('B.csv', 3, 'SUM'),
    behind: [at('B.csv', 3, 'STATE'), at('B.csv', 3, 'AT'), at('A.csv', 2, 'X')],
  });
  expect(locate('stage', 'billing_address.street_address')).toEqual({
    ...at('C.csv', 2, 'STREET'),
    behind: [at('C.csv', 2, 'NO'), at('A.csv', 2, 'HOME')],
  });
});

test.each([
  ['accounts: { file: A.csv, key: { of: ID, digit: true } }', 'unknown_key', 'Did you mean digits?'],
  ['accounts: { query: SELECT a, b FROM c, key: a }', 'unknown_key', 'put the whole text in quotes'],
  ['accounts: { file: A.csv, key: { digits: true } }', 'missing_key', 'key.of is required'],
  ['accounts: { file: A.csv, key: { of: ID, pad: 0 } }', 'invalid_value', 'number of characters, from 1'],
  ['accounts: { file: A.csv, key: { of: ID, match: "(?=a)" } }', 'invalid_value', 'look-around'],
  [
    'accounts: { file: A.csv, key: { of: ID, replace: { pattern: "a", with: "$1" } } }',
    'invalid_value',
    'no such group',
  ],
  ['accounts: { file: A.csv, key: ID, via: b }', 'invalid_value', 'rows of this table are the accounts'],
  ['accounts: { file: A.csv, key: ID }\n  b: { file: B.csv, key: X, via: d }', 'unknown_table', 'no table d'],
  [
    'accounts: { file: A.csv, key: ID }\n  b: { file: B.csv, key: X, via: c }\n  c: { file: C.csv, key: X, via: b }',
    'invalid_value',
    'The tables refer to one another in a circle (b, c, b)',
  ],
  [
    'accounts: { file: A.csv, key: ID }\n  b: { file: B.csv, key: X, via: b }',
    'invalid_value',
    'refer to one another in a circle (b, b)',
  ],
])('an error of a table is told at its line: %s', (tables, code, detail) => {
  const mapping = `version: 1\ntables:\n  ${tables}\naccount: {}\n`;
  const problems = problemsOf(readMapping('mapping.yaml', mapping, {}), {});
  expect(problems[0]).toMatchObject({ code, cell: { file: 'mapping.yaml' } });
  expect(problems[0]!.cell!.line).toBeGreaterThan(2);
  expect(problems[0]!.detail).toContain(detail);
});

test.each([
  ['account_type: { column: X, may_lose: true }', 'Only amounts, dates'],
  ['account_type: { column: X, take: only }', 'Also give the text at which to split'],
  ['account_type: { column: X, replace: [{ pattern: a, mit: b }] }', 'no key mit here'],
  ['transfer_balance: { column: X, sign: behind }', 'One of leading, trailing, brackets and triangle'],
])('an error of a value is told with its remedy: %s', (field, detail) => {
  const problems = problemsOf(readMapping('mapping.yaml', `${head}  ${field}\n`, {}), { 'A.csv': ['ID;X'] });
  expect(problems.map((problem) => problem.detail).join()).toContain(detail);
});
