import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith } from '../source/temporary-export.ts';
import { bookParts, inline, rowsXml, workbook, zipOf } from '../source/workbook.ts';

const head = (file: string, format: string): string => `version: 1
format: ${format}
tables:
  accounts: { file: ${file}, key: NR }
account:
  import_supplier: { constant: S }
`;
const german = '{ decimal_mark: ",", thousands_mark: ".", sign: trailing }';

/** What a field of each account is, or the codes of its problems. */
async function mapped(file: string, bytes: Buffer, field: string, format = german) {
  const mapping = readMapping('mapping.yaml', `${head(file, format)}  ${field}\n`, {});
  if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
  const opened = await openExport(directoryWith({ [file]: bytes }), mapping.tables);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const plan = mapping.bind(opened.tables);
  if (typeof plan !== 'function') throw new Error(JSON.stringify(plan.problems));
  const found: Record<string, unknown> = {};
  const name = field.split(':')[0] ?? '';
  for await (const bundle of opened.bundles()) {
    const { payload, problems } = plan(bundle);
    found[bundle.account] = problems.length > 0 ? problems.map(({ code }) => code).join() : payload[name];
  }
  const { isSorted } = opened;
  opened.close();
  return { found, isSorted };
}

const book = (rows: readonly (readonly (string | number)[])[]): Buffer =>
  workbook({ Kunden: [['NR', 'X'], ...rows] });

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
