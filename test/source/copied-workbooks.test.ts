import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { read, utils } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { copyRejected } from '../../src/source/copy-rejected.ts';
import type { TableSpec } from '../../src/source/export.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { directoryWith, readAll } from './temporary-export.ts';
import { bookParts, inline, rowsXml, workbook, zipOf } from './workbook.ts';

const file = 'book.xlsx';
const specs: TableSpec[] = [
  { name: 'accounts', file, sheet: 'Kunden', role: 'accounts', key: 'NR' },
  { name: 'notes', file, sheet: 'Notizen', role: 'child', key: 'NR' },
];

/** The copy of a workbook with the rows of accounts that begin with B. */
async function copied(bytes: Buffer, tables: readonly TableSpec[] = specs): Promise<string> {
  const root = directoryWith({ [file]: bytes });
  const directory = temporaryDirectory('rejects-');
  const refused = await copyRejected(
    root,
    tables,
    [file],
    directory,
    (account) => (account.startsWith('B') ? 'wrong date' : undefined),
    ({ sheet, line }) =>
      new Map(
        sheet === 'Kunden' && line === 5
          ? [['SEIT', { text: 'a_code: do <this> & "that"', isFault: true }]]
          : sheet === 'Notizen' && line === 3
            ? [['', { text: 'of_row: x', isFault: true }]]
            : [],
      ),
  );
  expect(refused).toBeUndefined();
  return directory;
}

const hostile = "=cmd|'/C calc'!A0";
const rows = [
  ['Titel'],
  [],
  ['NR', 'NAME', 'SEIT', 'SALDO', 'AKTIV'],
  ['A1', 'x', new Date(Date.UTC(2020, 0, 1)), 1, true],
  ['B2', hostile, new Date(Date.UTC(2020, 0, 2)), 12.3, false],
  ['B1', ' _x000D_\r\n😀 <&> ', new Date(Date.UTC(2020, 0, 3)), -4, true],
];

test('the rejected rows are a workbook of the same sheets, in their order, with what is wrong at the cells', async () => {
  const directory = await copied(
    workbook({
      Kunden: rows,
      Notizen: [
        ['NR', 'TEXT'],
        ['A1', 'a'],
        ['B1', '+49 30'],
      ],
      Anders: [['x']],
    }),
  );
  const path = join(directory, file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  // By a reader that is not the tool's own.
  const book = read(readFileSync(path), { cellNF: true, cellStyles: true, cellFormula: true });
  expect(book.SheetNames).toEqual(['Kunden', 'Notizen']);
  const sheet = book.Sheets['Kunden']!;
  const texts = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false });
  expect(texts.map(([nr]) => nr)).toEqual(['NR', 'B2', 'B1']);
  expect(texts[0]?.at(-1)).toBe('rejected_because');
  expect(texts[1]).toEqual(['B2', hostile, '2020-01-02', '12.3', 'FALSE', 'wrong date']);
  expect(sheet['B2']).toMatchObject({ t: 's', v: hostile, z: '@' });
  expect(sheet['B2']).not.toHaveProperty('f');
  expect(sheet['D2']).toMatchObject({ t: 'n', v: 12.3 });
  expect(sheet['C2']?.c?.[0]?.t).toBe('a_code: do <this> & "that"');
  expect(sheet['C3']?.c).toBeUndefined();
  // What is wrong with a whole row is at its key.
  expect(book.Sheets['Notizen']?.['A2']?.c?.[0]?.t).toBe('of_row: x');
});

test('the copy is read as the rows that it was made of', async () => {
  const bytes = workbook({
    Kunden: rows,
    Notizen: [
      ['NR', 'TEXT'],
      ['B1', '+49 30'],
    ],
  });
  const before = await readAll(directoryWith({ [file]: bytes }), specs);
  const after = await readAll(await copied(bytes), specs);
  expect(after.faults).toEqual([]);
  for (const account of ['B1', 'B2'])
    for (const table of ['accounts', 'notes'])
      expect(
        after.bundles
          .get(account)
          ?.records(table)
          .map(({ fields: { rejected_because: _reason, ...fields } }) => fields),
      ).toEqual(
        before.bundles
          .get(account)
          ?.records(table)
          .map(({ fields }) => fields),
      );
});

test('errors stay errors, formulas become their results, and days of 1904 stay the same days', async () => {
  const sheet = rowsXml([
    [inline('NR'), inline('A'), inline('B'), inline('C'), inline('D')],
    [
      inline('B1'),
      '<c t="e"><v>#REF!</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c s="1"><v>43920</v></c>',
      '<c s="2"><v>7</v></c>',
    ],
  ]);
  const bytes = await zipOf(bookParts(sheet, { formats: ['dd.mm.yyyy', '0000'], is1904: true }));
  const [accounts] = specs;
  const { bundles, faults } = await readAll(await copied(bytes, [accounts!]), [accounts!]);
  expect(faults).toEqual([]);
  const bundle = bundles.get('B1');
  expect(bundle?.problems.map(({ code }) => code)).toEqual(['cell_error']);
  expect(bundle?.records('accounts')[0]?.fields).toMatchObject({ B: '2', C: '2024-03-31', D: '0007' });
});
