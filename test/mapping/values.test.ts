import fc from 'fast-check';
import type { CellValue, MappingFunction } from 'account-migrate/mapping-module';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { formula } from '../../src/mapping/calculation.ts';
import { dateFormat, inZone, isoDate } from '../../src/mapping/date-format.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { timeZone, zoneToUtc } from '../../src/domain/time-zone.ts';
import type { Table } from '../../src/source/export.ts';
import { planOf, problemsOf } from './bundles.ts';

const head = `version: 1
format: { decimal_mark: ",", thousands_mark: ".", delimiter: ";" }
tables: { accounts: { file: A.csv, key: ID } }
`;

/** What one row gives for these fields of an account. */
function built(account: string, columns: string, row: string, lookups = '') {
  const mapping = readMapping('m.yaml', `${head}${lookups}account:\n${account}`, { supplier: 'X' });
  const plan = planOf(mapping, { 'A.csv': [`ID;${columns}`, `1;${row}`] }, '1');
  const { import_supplier: _s, external_account_number: _n, ...payload } = plan.payload;
  return { payload, problems: plan.problems.map(({ code, cell }) => `${cell?.column} ${code}`), plan };
}

describe('a value of several columns', () => {
  const first = '  sales_channel: { column: [A, B], empty: [NULL, "-"] }\n';

  test('is the first that is not empty, and is traced to it', () => {
    expect(built(first, 'A;B', 'x;y').payload).toEqual({ sales_channel: 'x' });
    const { payload, plan } = built(first, 'A;B', 'NULL;y');
    expect(payload).toEqual({ sales_channel: 'y' });
    expect(plan.locate('stage', 'sales_channel')).toMatchObject({ line: 2, column: 'B' });
    expect(built(first, 'A;B', ' - ;').payload).toEqual({});
  });

  test('may be a text around them, braces included', () => {
    const account = `  sales_channel: { template: '{{{A}}}: {B}' }\n`;
    expect(built(account, 'A;B', 'x;y').payload).toEqual({ sales_channel: '{x}: y' });
    expect(built(account, 'A;B', ';').payload).toEqual({});
  });

  test('may be a date in pieces', () => {
    const account = `  supply_addresses: [ { customer_at_supply_address_from_date: { template: '{Y}-{M}-{D}', date: yyyy-m-d } } ]\n`;
    expect(built(account, 'Y;M;D', '2024;2;9').payload).toEqual({
      supply_addresses: [{ customer_at_supply_address_from_date: '2024-02-09' }],
    });
  });

  test.each([
    ['first', 'Ann'],
    ['2', 'Mary'],
    ['last', 'Lee'],
    ['but_last', 'Ann Mary'],
    ['but_first', 'Mary Lee'],
    ['4', undefined],
  ])('may be cut (%s)', (take, name) => {
    const { payload } = built(
      `  customers: [ { given_name: { column: N, split: ' ', take: ${take} } } ]\n`,
      'N',
      'Ann Mary Lee',
    );
    expect(payload).toEqual(name === undefined ? {} : { customers: [{ given_name: name }] });
  });
});

describe('minor units', () => {
  const total = (currency: string) => `  transfer_balance: { column: A, minor_units: ${currency} }\n`;

  test('are those of the currency, exactly', () => {
    expect(built(total('EUR'), 'A', '1.234,5').payload).toEqual({ transfer_balance: 123450 });
    expect(built(total('JPY'), 'A', '-7').payload).toEqual({ transfer_balance: -7 });
    expect(built(total('KWD'), 'A', '0,001').payload).toEqual({ transfer_balance: 1 });
  });

  test('have no fraction', () => {
    const { plan } = built(total('EUR'), 'A', '12,345');
    expect(plan.problems).toMatchObject([{ code: 'invalid_amount', cell: { line: 2, column: 'A' } }]);
  });
});

describe('a calculation', () => {
  const calc = (text: string) => `  transfer_balance: { calc: '${text}' }\n`;

  test('is exact, and keeps the places of the amounts', () => {
    expect(built(calc('-{A}'), 'A', '12,00').payload).toEqual({ transfer_balance: '-12.00' });
    expect(built(calc('{A} + {B}'), 'A;B', '0,1;0,2').payload).toEqual({ transfer_balance: '0.3' });
    expect(built(calc('{A} - {B}'), 'A;B', '1.000,50;').payload).toEqual({ transfer_balance: '1000.50' });
    expect(built(calc('-{A}'), 'A', '0,00').payload).toEqual({ transfer_balance: '0.00' });
    expect(built(calc('{A} / 100'), 'A', '4410').payload).toEqual({ transfer_balance: '44.10' });
    expect(built(calc('({A} + {B} / 10) / 100'), 'A;B', '0;5').payload).toEqual({
      transfer_balance: '0.005',
    });
    expect(built(calc('2 * ({A} - 1) / 4'), 'A', '4').payload).toEqual({ transfer_balance: '1.5' });
    expect(built(calc('{A} + {B}'), 'A;B', ';').payload).toEqual({});
  });

  test('is a problem at the cell that spoils it, and never rounds', () => {
    expect(built(calc('{A} + {B}'), 'A;B', '1;x').problems).toEqual(['B invalid_amount']);
    expect(built(calc('{A} / 3'), 'A', '1').problems).toEqual(['A invalid_amount']);
    expect(built(calc('{A} / 3'), 'A', '6').payload).toEqual({ transfer_balance: '2' });
    expect(built(calc('1 / {A}'), 'A', '0').problems).toEqual(['A invalid_amount']);
  });

  test('that has no end is rounded once, from all of its digits, where the mapping says how', () => {
    const rounded = (text: string, mode: string, ...row: [string, string]) =>
      built(`  transfer_balance: { calc: '${text}', round: { places: 2, mode: ${mode} } }\n`, ...row);
    expect(rounded('{A} / 3', 'half_up', 'A', '1').payload).toEqual({ transfer_balance: '0.33' });
    expect(rounded('-{A} / 3', 'half_up', 'A', '2').payload).toEqual({ transfer_balance: '-0.67' });
    expect(rounded('{A} / 3 * 3', 'down', 'A', '1').payload).toEqual({ transfer_balance: '1.00' });
    expect(rounded('{A} / 800', 'half_even', 'A', '1').payload).toEqual({ transfer_balance: '0.00' });
    expect(rounded('{A} / 200', 'half_even', 'A', '1').payload).toEqual({ transfer_balance: '0.00' });
    expect(rounded('{A} / 200', 'half_even', 'A', '3').payload).toEqual({ transfer_balance: '0.02' });
    expect(rounded('{A} / 7', 'up', 'A', '-1').payload).toEqual({ transfer_balance: '-0.15' });
    expect(rounded('1 / {A}', 'up', 'A', '0').problems).toEqual(['A invalid_amount']);
    // One part in 10^30 above the middle: a quotient of twenty digits would lose it.
    expect(
      rounded('({A} + {B} / 100000000000000000000000000000) / 3', 'half_even', 'A;B', '0,015;1').payload,
    ).toEqual({ transfer_balance: '0.01' });
  });

  test.each(['', '1 + 2', '{A} +', '{A} {B}', '({A}', '{A})', 'A + 1', 'abs {A}', '{A} ; {B}', '{A} ** 2'])(
    'is refused where it is none: %s',
    (text) => expect(formula(text)).toBeUndefined(),
  );

  test('obeys the rules of arithmetic', () => {
    const [a, b, c] = ['7.25', '-2', '0.5'].map((text) => parseDecimal(text)!);
    const value = (text: string) => formula(text)?.result([a!, b!, c!], 0);
    expect(value('{a} - {b} - {c}')).toBe('8.75');
    expect(value('{a} - ({b} - {c})')).toBe('9.75');
    expect(value('{a} + {b} * {c}')).toBe('6.25');
    expect(value('--{a} / abs({b}) * {c}')).toBe('1.8125');
  });
});

describe('cases', () => {
  const account = `  account_type:
    cases:
      - { when: { A: { above: 10, below: 1000 } }, then: { constant: BUSINESS } }
      - { when: { A: { not: [1, 2] }, B: "" }, then: B2 }
`;

  test('give the first value that fits, traced to where it stands', () => {
    const big = built(account, 'A;B;B2', '99,5;;x');
    expect(big.payload).toEqual({ account_type: 'BUSINESS' });
    expect(big.plan.locate('stage', 'account_type')).toMatchObject({ file: 'm.yaml', line: 7 });
    const other = built(account, 'A;B;B2', '3;;DOMESTIC');
    expect(other.payload).toEqual({ account_type: 'DOMESTIC' });
    expect(other.plan.locate('stage', 'account_type')).toMatchObject({ column: 'B2' });
    expect(built(account, 'A;B;B2', '1;;x').payload).toEqual({});
    expect(built(account, 'A;B;B2', '1.000;y;x').payload).toEqual({});
  });
});

describe('times of a zone', () => {
  const berlin = zoneToUtc('Europe/Berlin')!;

  test('become UTC, with daylight saving', () => {
    expect(berlin('2024-01-15T00:30:00Z')).toBe('2024-01-14T23:30:00Z');
    expect(berlin('2024-07-15T00:30:00Z')).toBe('2024-07-14T22:30:00Z');
    expect(berlin('2024-03-31T01:59:59Z')).toBe('2024-03-31T00:59:59Z');
    expect(berlin('2024-03-31T03:00:00Z')).toBe('2024-03-31T01:00:00Z');
    expect(zoneToUtc('Australia/Lord_Howe')!('2024-01-15T12:00:00Z')).toBe('2024-01-15T01:00:00Z');
    expect(zoneToUtc('Asia/Kathmandu')!('2024-01-15T12:00:00Z')).toBe('2024-01-15T06:15:00Z');
    expect(zoneToUtc('Mars/Olympus')).toBeUndefined();
  });

  test('are those of an instant in UTC', () => {
    const { toLocal } = timeZone('Europe/Berlin')!;
    expect(toLocal('2024-03-31T00:59:59Z')).toBe('2024-03-31T01:59:59Z');
    expect(toLocal('2024-03-31T01:00:00Z')).toBe('2024-03-31T03:00:00Z');
    expect(timeZone('Asia/Kathmandu')!.toLocal('2024-01-15T18:15:00Z')).toBe('2024-01-16T00:00:00Z');
  });

  test('are refused where the clocks skipped them, and taken as the first where they came twice', () => {
    expect(berlin('2024-03-31T02:30:00Z')).toBeUndefined();
    expect(berlin('2024-10-27T02:30:00Z')).toBe('2024-10-27T00:30:00Z');
  });

  test('come back as they went, in any zone', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo');
    const times = fc.date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2030-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, times, (zone, time) => {
        const shown = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        });
        const local = `${shown.format(time).replace(' ', 'T')}Z`;
        const back = zoneToUtc(zone)!(local);
        expect(`${shown.format(new Date(back!)).replace(' ', 'T')}Z`).toBe(local);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['dd-mmm-yy hh:MM tt', '05-JUN-99 12:05 am', '1999-06-05T00:05:00Z'],
    ['dd-mmm-yy hh:MM tt', '05-jun-24 12:05 PM', '2024-06-05T12:05:00Z'],
    ['dd-mmm-yy hh:MM tt', '05-jun-24 13:05 PM', undefined],
    ['yyyy-mm-dd HH:MM:SS.fZZ', '2024-01-01 00:30:00.123456+01:00', '2023-12-31T23:30:00Z'],
    ['yyyy-mm-ddTHH:MM:SSZZ', '2024-01-01T00:30:00-0530', '2024-01-01T06:00:00Z'],
    ['d.m.yyyy H:MM', '1.2.2024 7:05', '2024-02-01T07:05:00Z'],
    ['d.m.yyyy H:MM', '30.2.2024 7:05', undefined],
  ])('are read in the format %s: %s', (pattern, text, datetime) => {
    expect(dateFormat(pattern)?.datetime(text)).toBe(datetime);
  });

  test('say their own distance, or have none as dates', () => {
    const stated = inZone(dateFormat('yyyy-mm-dd HH:MMZZ')!, berlin);
    expect(stated.datetime('2024-07-01 12:00Z')).toBe('2024-07-01T12:00:00Z');
    expect(inZone(isoDate, berlin).date('2024-07-01')).toBe('2024-07-01');
    expect(inZone(isoDate, berlin).datetime('2024-07-01')).toBe('2024-06-30T22:00:00Z');
  });
});

describe('codes, phones and what is left over', () => {
  test('a code table in a file gives its meaning, and a code that it lacks is a problem', () => {
    const mapping = readMapping(
      'm.yaml',
      `${head}lookups: { art: { file: art.csv, key: K, value: V } }
account: { account_type: { column: A, lookup: art }, transfer_balance: { column: B, lookup: art } }
`,
      { supplier: 'X' },
    );
    if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
    const files = { 'A.csv': ['ID;A;B', '1;07;08'] };
    const codes = new Map([
      ['art', new Map([['07', { text: 'DOMESTIC', cell: { file: 'art.csv', line: 2, column: 'V' } }]])],
    ]);
    const plan = planOf({ ...mapping, bind: (tables) => mapping.bind(tables, codes) }, files, '1');
    expect(plan.payload).toMatchObject({ account_type: 'DOMESTIC' });
    expect(plan.problems).toMatchObject([{ code: 'unknown_code', cell: { column: 'B' } }]);
    expect(plan.locate('stage', 'account_type')).toMatchObject({
      ...{ file: 'A.csv', line: 2, column: 'A' },
      behind: [{ file: 'art.csv', line: 2, column: 'V' }],
    });
  });

  test('a phone number becomes international by its country, and anything else is a problem', () => {
    const account = '  customers: [ { landline: { column: T, phone: GB } } ]\n';
    expect(built(account, 'T', '020 7946 0018').payload).toEqual({
      customers: [{ landline: '+442079460018' }],
    });
    expect(built(account, 'T', '+49 30 23125001').payload).toEqual({
      customers: [{ landline: '+493023125001' }],
    });
    expect(built(account, 'T', 'none').problems).toEqual(['T invalid_phone_number']);
  });

  test.each([
    ['a number with a decimal part behind a blank', 'DE', '151 23456789 .0', 'invalid_phone_number'],
    ['a second number behind a slash', 'DE', '030 123456 / 654321', 'invalid_phone_number'],
    ['an extension behind a slash', 'AT', '0664/1234567/12', 'invalid_phone_number'],
    ['a number with a decimal part', 'DE', '15123456789.0', 'invalid_phone_number'],
    ['a number with two decimal places', 'DE', '15123456789,00', 'invalid_phone_number'],
    ['an international number with a decimal part', 'DE', '+4915123456789.0', 'invalid_phone_number'],
    ['grouped digits and a decimal part', 'DE', '15,123,456,789.0', 'invalid_phone_number'],
    ['a decimal part in full-width digits', 'JP', '３１２３４５６７８．０', 'invalid_phone_number'],
    ['an extension', 'DE', '+49 151 23456789 ext. 12', 'lossy_conversion'],
    ['an extension after x', 'GB', '020 7946 0000 x12', 'lossy_conversion'],
    ['an extension after #', 'US', '(201) 555-0123 #7', 'lossy_conversion'],
    ['an extension as a parameter', 'GB', '"020 7946 0000;ext=5"', 'invalid_phone_number'],
    ['words before it', 'GB', 'Call 020 7946 0000', 'invalid_phone_number'],
    ['a word for an extension without its number', 'GB', '020 7946 0000 ext', 'invalid_phone_number'],
    ['two numbers', 'GB', '020 7946 0000 / 07911 123456', 'invalid_phone_number'],
    ['a subaddress', 'GB', '"+442079460000;isub=12"', 'invalid_phone_number'],
  ])('a phone number with %s is no other number without a word', (_what, country, text, code) => {
    const account = (more: string): string =>
      `  customers: [ { landline: { column: T, phone: ${country}${more} } } ]\n`;
    expect(built(account(''), 'T', text).problems).toEqual([`T ${code}`]);
    const allowed = built(account(', may_lose: true'), 'T', text).problems;
    expect(allowed).toEqual(code === 'lossy_conversion' ? [] : [`T ${code}`]);
  });

  test.each([
    ['DE', '(030) 231 25-001', '+493023125001'],
    ['DE', '+49 (0) 30 23125001', '+493023125001'],
    ['FR', '01.23.45.67.89', '+33123456789'],
    ['GB', '0044 20 7946 0000', '+442079460000'],
    ['GB', 'Tel.: 020 7946 0000', '+442079460000'],
    ['JP', '０３－１２３４－５６７８', '+81312345678'],
    ['EG', '٠٢٢٧٩٥٦٤٠٠', '+20227956400'],
    ['US', '201.555.0123', '+12015550123'],
  ])('in %s, %s is a phone number', (country, text, expected) => {
    const account = `  customers: [ { landline: { column: T, phone: ${country} } } ]\n`;
    expect(built(account, 'T', text).payload).toEqual({ customers: [{ landline: expected }] });
  });

  test('digits keeps no digits of a decimal part', () => {
    const digits = '  customers: [ { landline: { column: T, digits: true, phone: DE } } ]\n';
    expect(built(digits, 'T', '15123456789.0').problems).toEqual(['T invalid']);
    expect(built('  sales_channel: { column: T, digits: true }\n', 'T', '1001.00').problems).toEqual([
      'T invalid',
    ]);
    expect(built('  sales_channel: { column: T, digits: true }\n', 'T', '10.01.25').payload).toEqual({
      sales_channel: '100125',
    });
  });

  test('columns that nothing reads may be kept, some or all', () => {
    const account = `  sales_channel: { template: '{A}' }
  metadata: [ { key: { constant: k }, value: { left_over: 'Z_*' } } ]
`;
    const { payload, plan } = built(account, 'A;Z_1;Z_2;Y', 'a;1;;2');
    expect(payload).toEqual({ sales_channel: 'a', metadata: [{ key: 'k', value: { Z_1: '1' } }] });
    expect(plan.locate('stage', 'metadata.0.value.Z_1')).toMatchObject({ column: 'Z_1' });
  });
});

describe('a function of the mapping’s module', () => {
  const mapping = readMapping(
    'm.yaml',
    `${head}module: ./m.mjs\naccount: { transfer_balance: { column: [A, B], call: sum } }\n`,
    { supplier: 'X' },
  );
  const files = { 'A.csv': ['ID;A;B', '1;;secret'] };
  const withFunctions = (functions: object) => {
    if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
    return {
      ...mapping,
      bind: (tables: readonly Table[]) => mapping.bind(tables, new Map(), { ...functions }),
    };
  };

  test('gives the value, of the field’s type and traced to its columns', () => {
    const plan = planOf(
      withFunctions({ sum: (a: unknown, b: string) => `${a === undefined}`.length + b.length }),
      files,
      '1',
    );
    expect(plan.payload).toMatchObject({ transfer_balance: '10' });
    expect(plan.locate('stage', 'transfer_balance')).toMatchObject({ column: 'B' });
  });

  test('is told where the values were read, and may blame one of them', () => {
    const sum: MappingFunction<[CellValue, CellValue]> = (_a, _b, { cells }) => {
      expect(cells).toEqual(['A', 'B'].map((column) => ({ file: 'A.csv', line: 2, column })));
      throw Object.assign(new Error(), { cell: cells[0] });
    };
    const { problems } = planOf(withFunctions({ sum }), files, '1');
    expect(problems).toMatchObject([{ code: 'call_failed', cell: { column: 'A' } }]);
  });

  test('is told apart by name, and what it throws is a problem that quotes nothing', () => {
    expect(problemsOf(withFunctions({ summe: () => 1 }), files)).toMatchObject([
      { code: 'unknown_function', cell: { line: 5 } },
    ]);
    const failing = (_a: unknown, b: unknown) => {
      throw new RangeError(`no tariff for ${String(b)} in 2024.`);
    };
    const { problems: told } = planOf(withFunctions({ sum: failing }), files, '1');
    expect(told[0]?.detail).toBe(
      "The module's function sum failed at this cell: no tariff for ... in 2024. Correct the cell, or the function.",
    );
    for (const sum of [failing, () => new Date(), () => NaN]) {
      const { problems } = planOf(withFunctions({ sum }), files, '1');
      expect(problems).toMatchObject([{ code: 'call_failed', cell: { column: 'B' } }]);
      expect(problems[0]?.detail).not.toContain('secret');
    }
  });
});

test.each([
  ['{ column: A, call: f }', 'call', 'module'],
  ['{ column: A, template: "{B}" }', 'template', 'not both'],
  ['{ template: "no column" }', 'template', 'braces'],
  ['{ calc: "{A} + 1" }', 'calc', 'amount'],
  ['{ column: A, take: first }', 'take', 'split'],
  ['{ column: A, zone: Mars }', 'zone', 'Europe/Berlin'],
  ['{ column: A, phone: XX }', 'phone', 'two letters'],
  ['{ column: A, lookup: nope }', 'lookup', 'lookups'],
  ['{ column: A, codes: { a: b }, phone: DE }', 'phone', 'not both'],
  ['{ column: A, minor_units: EURO }', 'minor_units', 'three letters'],
  ['{ column: A, minor_units: EUR }', 'minor_units', 'does not accept an amount'],
  ['{ cases: [ { then: A }, { then: A } ] }', 'cases.0', 'last case'],
  ['{ cases: [ { when: { A: { below: x } }, then: A } ] }', 'cases.0.when.A.below', 'decimal'],
  ['{ cases: [ { then: A } ], default: B }', 'default', 'belongs in each then'],
])('a faulty value is told its key and the remedy: %s', (value, key, remedy) => {
  const problems = problemsOf(
    readMapping('m.yaml', `${head}account:\n  sales_channel: ${value}\n`, { supplier: 'X' }),
    { 'A.csv': ['ID;A', '1;x'] },
  );
  expect(problems).toMatchObject([
    { detail: expect.stringContaining(remedy), cell: { line: 5, column: `account.sales_channel.${key}` } },
  ]);
});
