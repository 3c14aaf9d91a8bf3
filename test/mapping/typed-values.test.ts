import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/domain/paths.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith } from '../source/temporary-export.ts';
import { bookParts, inline, rowsXml, workbook, zipOf, type Rows } from '../source/workbook.ts';

const head = (file: string, format: string): string => `version: 1
format: ${format}
tables:
  accounts: { file: ${file}, key: NR }
account:
  import_supplier: { constant: S }
`;
const german = '{ decimal_mark: ",", thousands_mark: ".", sign: trailing }';

/** What a field of each account is, or the codes of its problems. */
async function mapped(
  file: string,
  bytes: Buffer,
  field: string,
  format = german,
  path = /^\w+/.exec(field)?.[0] ?? '',
) {
  const part = field.startsWith('notes') ? field : `  ${field}`;
  const mapping = readMapping('mapping.yaml', `${head(file, format)}${part}\n`, {});
  if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
  const opened = await openExport(directoryWith({ [file]: bytes }), mapping.tables);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const plan = mapping.bind(opened.tables);
  if (typeof plan !== 'function') throw new Error(JSON.stringify(plan.problems));
  const found: Record<string, unknown> = {};
  for await (const bundle of opened.bundles()) {
    const { payload, problems, extras } = plan(bundle);
    const value = valueAt({ ...payload, ...extras.notes[0] }, path);
    found[bundle.account] = problems.length > 0 ? problems.map(({ code }) => code).join() : value;
  }
  const { isSorted } = opened;
  opened.close();
  return { found, isSorted };
}

const book = (rows: Rows): Buffer => workbook({ Kunden: [['NR', 'X'], ...rows] });

describe('a number in a workbook is the plain decimal that it is', () => {
  const rows = [
    ['A', 1.234],
    ['B', 0.234],
    ['C', 12.5],
    ['D', 1234.567],
    ['E', -5],
    ['F', -1.234],
    ['G', 1234],
    ['H', '1.234'],
    ['I', '1.234,50-'],
    ['J', '12.5'],
    ['K', '1,5'],
  ] as const;
  const amounts = {
    A: '1.234',
    B: '0.234',
    C: '12.5',
    D: '1234.567',
    E: '-5',
    F: '-1.234',
    G: '1234',
    H: '1234',
    I: '-1234.50',
    J: 'invalid_amount',
    K: '1.5',
  };

  test.each([true, false])('and a text follows the marks of the mapping; sorted: %s', async (sorted) => {
    const bytes = book(sorted ? rows : rows.toReversed());
    expect(await mapped('book.xlsx', bytes, 'transfer_balance: X')).toEqual({
      found: amounts,
      isSorted: sorted,
    });
  });

  test('beside a cell with an error, a mark of the sort, or as the result of a formula', async () => {
    const number = (value: string): string => `<c><v>${value}</v></c>`;
    const sheet = rowsXml([
      [inline('NR'), inline('X'), inline('Y')],
      [inline('B'), number('1.234'), inline('_x001F_')],
      [inline('A'), '<c><f>1+0.234</f><v>1.234</v></c>', inline('y')],
    ]);
    const { found } = await mapped('book.xlsx', await zipOf(bookParts(sheet)), 'transfer_balance: X');
    expect(found).toEqual({ A: '1.234', B: '1.234' });
  });

  test.each([
    ['transfer_balance: { column: X, minor_units: EUR }', 12.34, 1234],
    ['transfer_balance: { calc: "-{X} * 2" }', 1.234, '-2.468'],
    ['transfer_balance: { column: X, trim: true }', 1.234, '1.234'],
    ['transfer_balance: { column: X, trim: "-", may_lose: "-" }', -1.234, '1.234'],
    [
      'transfer_balance: { column: X, replace: { pattern: "[.]", with: "," }, may_lose: true }',
      1.234,
      '1.234',
    ],
    ['transfer_balance: { cases: [{ when: { X: { below: 2 } }, then: X }] }', 1.234, '1.234'],
    ['transfer_balance: { column: X, empty: ["-1"] }', -1, undefined],
    ['transfer_balance: { column: X, codes: { "1.5": "7" } }', 1.5, '7'],
    ['sales_channel: X', -1.234, '-1.234'],
    ['sales_channel: { column: X, split: ".", take: first }', 1.234, '1'],
    ['sales_channel: { template: "{X} kWh" }', 1.234, '1.234 kWh'],
  ])('%s of %s', async (field, cell, expected) => {
    expect((await mapped('book.xlsx', book([['A', cell]]), field)).found).toEqual({ A: expected });
  });

  test('the rows of an account that changed only from a number to a text have another fingerprint', async () => {
    const prints = [];
    for (const cell of [1.234, '1.234']) {
      const opened = await openExport(directoryWith({ 'book.xlsx': book([['A', cell]]) }), [
        { name: 'accounts', file: 'book.xlsx', role: 'accounts', key: 'NR' },
      ]);
      if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
      const unknown = (accounts: readonly unknown[]) =>
        Promise.resolve(accounts.map(() => 'unknown' as const));
      for await (const { rows } of opened.bundlesSince(unknown)) prints.push(rows?.print);
      opened.close();
    }
    expect(prints[0]).toBeTypeOf('string');
    expect(prints[0]).not.toBe(prints[1]);
  });

  test('a column of its own marks is no exception', async () => {
    const { found } = await mapped(
      'book.xlsx',
      book([['A', 1.234]]),
      'transfer_balance: { column: X, decimal_mark: ",", thousands_mark: "." }',
      '{}',
    );
    expect(found).toEqual({ A: '1.234' });
  });
});

test('a number in a Parquet file is the plain decimal that it is', async () => {
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'NR', data: ['B', 'A', 'C'], type: 'STRING' },
        { name: 'X', data: [1.234, 0.234, -5], type: 'DOUBLE' },
        { name: 'Y', data: ['1.234', '1.234,50-', '12.5'], type: 'STRING' },
      ],
    }),
  );
  const numbers = await mapped('book.parquet', bytes, 'transfer_balance: X');
  expect(numbers.found).toEqual({ A: '0.234', B: '1.234', C: '-5' });
  const texts = await mapped('book.parquet', bytes, 'transfer_balance: Y');
  expect(texts.found).toEqual({ A: '-1234.50', B: '1234', C: 'invalid_amount' });
});

const czech = '{ dates: d. m. yyyy, datetimes: "d. m. yyyy H:MM", zone: Europe/Prague }';
const closed = (value: string): string =>
  `ledgers: [{ ledger_code: { constant: E }, last_statement_closing_date: ${value} }]`;
const closing = 'ledgers.0.last_statement_closing_date';

describe('a date of a cell with a type is a date, whatever the formats of the mapping', () => {
  const moments = {
    A: new Date(Date.UTC(2024, 2, 31)),
    B: '31. 3. 2024',
    C: { t: 'n', v: 45382 + 14.5 / 24, z: 'd.m.yyyy h:mm' },
    D: '2024-03-31',
    E: { t: 'n', v: 45382, z: 'd.m.yyyy h:mm' },
  } as const;

  const rows = Object.entries(moments).map(([nr, cell]) => [nr, cell] as const);
  const days = {
    A: '2024-03-31',
    B: '2024-03-31',
    C: 'lossy_conversion',
    D: 'invalid_date',
    E: '2024-03-31',
  };
  test.each([true, false])('in a workbook, sorted: %s', async (sorted) => {
    const bytes = book(sorted ? rows : rows.toReversed());
    const { found } = await mapped('book.xlsx', bytes, closed('X'), czech, closing);
    expect(found).toEqual(days);
  });

  test('stored as a text by ISO 8601, and as the result of a formula', async () => {
    const sheet = rowsXml([
      [inline('NR'), inline('X')],
      [inline('A'), '<c t="d"><v>2024-03-31T00:00:00</v></c>'],
      [inline('B'), '<c s="1"><f>45381+1</f><v>45382</v></c>'],
    ]);
    const bytes = await zipOf(bookParts(sheet, { formats: ['dd\\.mm\\.yyyy'] }));
    const { found } = await mapped('book.xlsx', bytes, closed('X'), czech, closing);
    expect(found).toEqual({ A: '2024-03-31', B: '2024-03-31' });
  });

  test.each([
    [closed('{ column: X, may_lose: true }'), moments.C, '2024-03-31'],
    [closed('{ column: X, date: d. m. yyyy H:MM }'), moments.C, '2024-03-31'],
    [closed('{ column: X, slice: { from: 1, to: 10 }, may_lose: true }'), moments.C, '2024-03-31'],
    [closed('{ column: X, slice: { from: 1, to: 10 } }'), moments.C, 'lossy_conversion'],
    [closed('{ column: X, trim: true }'), moments.A, '2024-03-31'],
    [
      closed('{ cases: [{ when: { X: { before: 2024-04-01, after: 2024-03-30 } }, then: X }] }'),
      moments.A,
      '2024-03-31',
    ],
    [closed('{ column: X, empty: 2024-03-31 }'), moments.A, undefined],
    [closed('{ column: X, codes: { 2024-03-31: 2030-01-01 } }'), moments.A, '2030-01-01'],
    ['sales_channel: X', moments.A, '2024-03-31'],
    ['sales_channel: { template: "since {X}" }', moments.C, 'since 2024-03-31T14:30:00'],
    ['transfer_balance: X', moments.A, 'invalid_amount'],
  ] as const)('%s', async (field, cell, expected) => {
    const path = field.startsWith('ledgers') ? closing : undefined;
    const { found } = await mapped('book.xlsx', book([['A', cell]]), field, czech, path);
    expect(found).toEqual({ A: expected });
  });

  test('with a time, in the zone of the mapping', async () => {
    const notes = 'notes: { from: accounts, each: { body: { constant: x }, created_at: X } }';
    const { found } = await mapped('book.xlsx', book(rows), notes, czech, 'notes.0.created_at');
    expect(found).toEqual({
      A: '2024-03-30T23:00:00Z',
      B: 'invalid_datetime',
      C: '2024-03-31T12:30:00Z',
      D: 'invalid_datetime',
      E: '2024-03-30T23:00:00Z',
    });
  });
});

/** A Parquet file of two accounts with the same day in the column X, and texts in Y. */
const parquetBook = (column: Partial<SchemaElement>, moment: number): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'NR', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        { name: 'X', ...column, repetition_type: 'REQUIRED' },
        { name: 'Y', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ],
      columnData: [
        { name: 'NR', data: ['B', 'A'] },
        { name: 'X', data: [new Date(moment), new Date(moment)] },
        { name: 'Y', data: ['31. 3. 2024', '2024-03-31'] },
      ],
    }),
  );

describe('a date in a Parquet file is a date, whatever the formats of the mapping', () => {
  const day = Date.UTC(2024, 2, 31);
  const date = { type: 'INT32', converted_type: 'DATE' } as const;
  const timestamp = (isAdjustedToUTC: boolean) =>
    ({ type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' } }) as const;

  test.each([
    [date, day, '2024-03-31'],
    [timestamp(false), day, '2024-03-31'],
    [timestamp(false), day + 1, 'lossy_conversion'],
  ])('%o', async (column, moment, expected) => {
    const { found } = await mapped('b.parquet', parquetBook(column, moment), closed('X'), czech, closing);
    expect(found).toEqual({ A: expected, B: expected });
  });

  const utc = timestamp(true);
  // 21:30 in Prague, and 05:30 of the next day in Tokyo.
  const evening = Date.UTC(2024, 2, 30, 20, 30);

  test.each([
    // Midnight in Prague, in winter and in summer time.
    ['X', '{ zone: Europe/Prague }', Date.UTC(2024, 2, 30, 23), '2024-03-31'],
    ['X', '{ zone: Europe/Prague }', Date.UTC(2024, 5, 30, 22), '2024-07-01'],
    ['X', '{ zone: Europe/Prague }', evening, 'lossy_conversion'],
    ['X', '{}', evening, 'lossy_conversion'],
    ['X', '{}', day, '2024-03-31'],
    ['X', '{ zone: Europe/Prague }', day, 'lossy_conversion'],
    ['{ column: X, zone: UTC }', '{ zone: Europe/Prague }', day, '2024-03-31'],
    ['{ column: X, may_lose: true }', '{ zone: Asia/Tokyo }', evening, '2024-03-31'],
    ['{ column: X, may_lose: true }', '{}', evening, '2024-03-30'],
    ['X', '{ dates: yyyy-mm-ddTHH:MM:SSZ }', evening, 'lossy_conversion'],
    ['X', '{ dates: yyyy-mm-ddTHH:MM:SSZ, zone: Asia/Tokyo }', evening, '2024-03-31'],
    [
      '{ cases: [{ when: { X: { after: 2024-03-30 } }, then: { constant: 2030-01-01 } }] }',
      '{ zone: Asia/Tokyo }',
      evening,
      '2030-01-01',
    ],
  ])('%s under %s: the day of a time in UTC is that of the zone', async (value, format, moment, expected) => {
    const { found } = await mapped('b.parquet', parquetBook(utc, moment), closed(value), format, closing);
    expect(found).toEqual({ A: expected, B: expected });
  });

  test('a datetime needs no zone for a time in UTC', async () => {
    const notes = 'notes: { from: accounts, each: { body: { constant: x }, created_at: X } }';
    const { found } = await mapped(
      'b.parquet',
      parquetBook(utc, evening),
      notes,
      czech,
      'notes.0.created_at',
    );
    expect(found).toEqual({ A: '2024-03-30T20:30:00Z', B: '2024-03-30T20:30:00Z' });
  });

  test('and a text follows them', async () => {
    const bytes = parquetBook(date, day);
    const { found } = await mapped('b.parquet', bytes, closed('Y'), czech, closing);
    expect(found).toEqual({ A: 'invalid_date', B: '2024-03-31' });
  });
});
