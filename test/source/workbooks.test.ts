import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { utils } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { place } from '../../src/domain/cell.ts';
import type { TableSpec } from '../../src/source/export.ts';
import { openExport } from '../../src/source/open-export.ts';
import { read, textOf } from './read-workbook.ts';
import { directoryWith, readAll, refusal } from './temporary-export.ts';
import { bookParts, inline, rowsXml, workbook, zipOf } from './workbook.ts';

const accounts: TableSpec = { name: 'accounts', file: 'book.xlsx', role: 'accounts', key: 'NR' };

const number = (value: string): string => `<c><v>${value}</v></c>`;

test('a sheet is a table: the header is found below titles, and every value knows its cell', async () => {
  const bytes = workbook(
    {
      Notizen: [
        ['NR', 'Text'],
        ['0017', 'hallo'],
      ],
      Kunden: [
        ['Kundenliste', null, null],
        [],
        ['nr', 'Name\r\nlang', 'seit', 'aktiv', 'Saldo'],
        ['0017', ' Müller ', new Date(Date.UTC(2020, 4, 17)), true, 12.3],
        [],
        ['0018', 'A & <B>', new Date(Date.UTC(1999, 11, 31)), false, -1e-7],
      ],
    },
    (book) => (book.Sheets['Kunden']!['!merges'] = [utils.decode_range('A1:C1')]),
  );
  const root = directoryWith({ 'book.xlsx': bytes });
  const { bundles, faults } = await readAll(root, [
    { ...accounts, sheet: 'kunden' },
    { ...accounts, name: 'notes', role: 'child', sheet: 'Notizen' },
  ]);
  expect(faults).toEqual([]);
  const [first, second] = ['0017', '0018'].map((account) => bundles.get(account)?.records('accounts')[0]);
  expect(first?.fields).toEqual({
    nr: '0017',
    'Name lang': ' Müller ',
    seit: '2020-05-17',
    aktiv: 'true',
    Saldo: '12.3',
  });
  expect(second?.fields).toMatchObject({ 'Name lang': 'A & <B>', seit: '1999-12-31', Saldo: '-0.0000001' });
  expect(second?.cell('Saldo')).toEqual({
    file: 'book.xlsx',
    line: 6,
    column: 'Saldo',
    sheet: 'Kunden',
    ref: 'E6',
  });
  expect(bundles.get('0017')?.records('notes')[0]?.value('Text')).toBe('hallo');
});

test.each([
  ['12.300000000000001', '12.3'],
  ['0.30000000000000004', '0.3'],
  ['1.1000000000000001', '1.1'],
  ['1E-3', '0.001'],
  ['-1.5e2', '-150'],
  ['12.50', '12.5'],
  ['123456789012345', '123456789012345'],
  ['0', '0'],
])('the number %s is read as %s', async (stored, text) => {
  expect(await textOf(number(stored))).toBe(text);
});

test.each(['1234567890123456', '4111111111111110', '1E+15'])(
  'the number %s is told: a workbook does not keep it exactly',
  async (stored) => {
    expect(await textOf(number(stored))).toBe('too_many_digits');
  },
);

test.each([
  ['dd.mm.yyyy', '45382', '2024-03-31'],
  ['[$-407]d. mmmm yyyy;@', '45382', '2024-03-31'],
  ['yyyy&quot; mit Uhr h:mm&quot;', '45382', '2024-03-31'],
  ['dd.mm.yyyy hh:mm', '45382', '2024-03-31T00:00:00'],
  ['dd.mm.yyyy hh:mm', '45382.104166666664', '2024-03-31T02:30:00'],
  ['dd.mm.yyyy', '45382.5', '2024-03-31T12:00:00'],
  ['hh:mm', '0.5', '12:00:00'],
  ['[h]:mm', '1.5', '36:00:00'],
  ['mmm', '61', '1900-03-01'],
  ['dd.mm.yyyy', '60', 'ambiguous_date'],
  ['dd.mm.yyyy', '1', 'ambiguous_date'],
  ['dd.mm.yyyy', '0', 'ambiguous_date'],
  ['dd.mm.yyyy', '-1', 'date_out_of_range'],
  ['###\\-####', '1', 'number_not_shown'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '1', 'number_not_shown'],
  ['dd.mm.yyyy', '2958466', 'date_out_of_range'],
  ['00000', '1067', '01067'],
  ['0.00', '1067', '1067'],
  ['#,##0.00 &quot;EUR&quot;', '12.5', '12.5'],
  ['[Red]0%', '0.19', '0.19'],
  ['@', '17', '17'],
])('by the format %s, %s is %s', async (format, stored, text) => {
  expect(await textOf(number(stored), format)).toBe(text);
});

test('a workbook of 1904 counts its days from there', async () => {
  expect(await textOf(number('43920'), 'dd.mm.yyyy', { is1904: true })).toBe('2024-03-31');
  expect(await textOf(number('0'), 'dd.mm.yyyy', { is1904: true })).toBe('1904-01-01');
});

test.each([
  ['text in the cell', inline('a_x000D_b'), 'a\rb'],
  [
    'rich text',
    '<c t="inlineStr"><is><r><t>a</t></r><rPh><t>x</t></rPh><r><t xml:space="preserve"> b</t></r></is></c>',
    'a b',
  ],
  ['an entity of XML', inline('a &amp; &#246;'), 'a & ö'],
  ['a truth', '<c t="b"><v>1</v></c>', 'true'],
  ['a truth as LibreOffice writes it', '<c t="b"><f aca="false">FALSE()</f><v>0</v></c>', 'false'],
  ['a date as text', '<c t="d"><v>2024-03-31T00:00:00</v></c>', '2024-03-31T00:00:00'],
  ['an error', '<c t="e"><v>#REF!</v></c>', 'cell_error'],
  ['a formula that was never calculated', '<c><f>A1</f></c>', 'formula_without_value'],
  ['a formula with an empty text', '<c t="str"><f>A1</f><v></v></c>', 'formula_value'],
])('%s', async (_what, cell, text) => {
  expect(await textOf(cell)).toBe(text);
});

test('formulas and cells without a header are told once for a column, at the first cell', async () => {
  const formula = '<c><f>1+1</f><v>2</v></c>';
  const sheet = rowsXml([
    [inline('NR'), inline('X')],
    [inline('1'), formula, inline('?')],
    [inline('2'), formula],
  ]);
  const { fields, told } = await read(await zipOf(bookParts(sheet)));
  expect(fields.map(({ X }) => X)).toEqual(['2', '2']);
  expect(told).toEqual(['formula_value book.xlsx:Kunden!B2', 'cell_without_header book.xlsx:Kunden!C2']);
});

test('a row that lacks a value because its cell is merged with another is told', async () => {
  const sheet = rowsXml([
    [inline('NR'), inline('X'), inline('Y')],
    [inline('1'), inline('a'), inline('b')],
    [inline('2'), '<c/>', inline('c')],
    [inline('3'), inline('d'), '<c/>'],
    [inline('4'), inline('e'), inline('f')],
  ]);
  const merges =
    '<mergeCells><mergeCell ref="B2:B3"/><mergeCell ref="B4:C4"/><mergeCell ref="F5:G5"/></mergeCells>';
  const { fields, told } = await read(await zipOf(bookParts(`${sheet}${merges}<phoneticPr/>`)));
  expect(fields.map(({ NR }) => NR)).toEqual(['1', '2', '3', '4']);
  expect(told).toEqual(['merged_cells book.xlsx:Kunden!B3', 'merged_cells book.xlsx:Kunden!C4']);
});

test('names with prefixes, places that are left out and a mark within a text are read', async () => {
  const parts = bookParts('');
  parts['xl/worksheets/sheet1.xml'] =
    '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>' +
    '<x:row><x:c t="inlineStr"><x:is><x:t>NR</x:t></x:is></x:c></x:row>' +
    '<x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[1</x:sheetData>]]></x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
  expect((await read(await zipOf(parts))).fields).toEqual([{ NR: '1</x:sheetData>' }]);
});

async function refused(bytes: Buffer, more: Partial<TableSpec> = {}): Promise<string> {
  const [problem] = await refusal(directoryWith({ 'book.xlsx': bytes }), [{ ...accounts, ...more }]);
  return problem?.code ?? '';
}

test('files that only look like a workbook are refused by what they are', async () => {
  const good = workbook({
    Kunden: [
      ['NR', 'X'],
      ['1', 'a'],
    ],
  });
  expect(await refused(good.subarray(0, good.length - 200))).toBe('truncated_file');
  expect(await refused(Buffer.from('NR;X\n1;2\n'))).toBe('not_a_workbook');
  expect(await refused(Buffer.alloc(0))).toBe('not_a_workbook');
  expect(await refused(await zipOf({ 'a.csv': 'NR' }))).toBe('not_a_workbook');
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
  expect(await refused(old)).toBe('not_a_workbook');
  expect(await refused(Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe(
    'encrypted_file',
  );
  const bomb = { ...bookParts(rowsXml([[inline('NR')]])), 'xl/media/x': Buffer.alloc(80 * 1024 * 1024) };
  expect(await refused(await zipOf(bomb))).toBe('zip_bomb');
  const flipped = Buffer.from(good);
  const at = flipped.indexOf('xl/worksheets/sheet1.xml') + 60;
  flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  expect(await refused(flipped)).toBe('damaged_file');
});

test('a sheet whose XML is not sound is refused', async () => {
  const sheet = rowsXml([[inline('NR')], [inline('1')]]);
  const parts = bookParts(sheet);
  const name = 'xl/worksheets/sheet1.xml';
  const text = parts[name] ?? '';
  const withSheet = (xml: string): Promise<Buffer> => zipOf({ ...parts, [name]: xml });
  expect(await refused(await withSheet(text.slice(0, -30)))).toBe('damaged_file');
  const hostile = text.replace('?>', '?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>');
  expect(await refused(await withSheet(hostile.replace('<t>1', '<t>&b;')))).toBe('damaged_file');
  expect(await refused(await withSheet(text.replace('<t>1', '<t>&b;')))).toBe('damaged_file');
  expect(await refused(await withSheet(text.replace('r="2"', 'r="1"')))).toBe('damaged_file');
  expect(await refused(await withSheet(text.replace('r="A2"', 'r="XFE2"')))).toBe('damaged_file');
  const { [name]: _sheet, ...without } = parts;
  expect(await refused(await zipOf(without))).toBe('damaged_file');
});

test('a text that the workbook lacks is not taken for empty', async () => {
  const sheet = rowsXml([['<c t="s"><v>0</v></c>'], ['<c t="s"><v>1</v></c>']]);
  expect(await refused(await zipOf(bookParts(sheet)))).toBe('damaged_file');
  const one = bookParts(sheet, { strings: '<si><t>NR</t></si>' });
  expect(await refused(await zipOf(one))).toBe('damaged_file');
  const both = bookParts(sheet, { strings: '<si><t>NR</t></si><si><r><t>a</t></r><r><t>b</t></r></si>' });
  expect((await read(await zipOf(both))).fields).toEqual([{ NR: 'ab' }]);
});

test('a sheet is named where there are several, and the nearest name is told', async () => {
  const rows = [
    ['NR', 'X'],
    ['1', 'a'],
  ];
  const bytes = workbook({ Kunden: rows, Alt: rows });
  expect(await refused(bytes)).toBe('unknown_sheet');
  expect(await refused(bytes, { sheet: 'Kundn' })).toBe('unknown_sheet');
  expect((await read(bytes, { sheet: 'Alt' })).fields).toEqual([{ NR: '1', X: 'a' }]);
  const [problem] = await refusal(directoryWith({ 'a.csv': 'NR\n1\n' }), [
    { ...accounts, file: 'a.csv', sheet: 'x' },
  ]);
  expect(problem?.code).toBe('unknown_sheet');
});

test('a sheet without a header, or with a name twice in it, is refused', async () => {
  expect(await refused(workbook({ Kunden: [] }))).toBe('no_header');
  expect(
    await refused(
      workbook({
        Kunden: [
          ['1', 'a'],
          ['2', 'b'],
        ],
      }),
    ),
  ).toBe('missing_key_column');
  expect(
    await refused(
      workbook({
        Kunden: [
          ['NR', 'X', 'X'],
          ['1', 'a', 'b'],
        ],
      }),
    ),
  ).toBe('repeated_column');
});

test('more texts than are kept in memory come from the disk unchanged', async () => {
  const text = (at: number): string => `${at} ${'x'.repeat(300)}`;
  const rows = Array.from({ length: 30_000 }, (_, at) => [
    String(at + 1_000_000),
    text(at),
    text((at * 7919) % 30_000),
  ]);
  const { bundles } = await readAll(
    directoryWith({ 'book.xlsx': workbook({ Kunden: [['NR', 'X', 'Y'], ...rows] }) }),
    [accounts],
  );
  const wrong = rows.filter(([nr = '', x, y]) => {
    const record = bundles.get(nr)?.records('accounts')[0];
    return record?.value('X') !== x || record?.value('Y') !== y;
  });
  expect([bundles.size, wrong]).toEqual([30_000, []]);
});

test('a sheet that is sorted is parsed once: its accounts come also after the workbook is gone', async () => {
  const rows = Array.from({ length: 3000 }, (_, at) => [`A-${10_000 + at}`, `Wert ${at} \ud800 "ä"`]);
  const root = directoryWith({ 'book.xlsx': workbook({ Kunden: [['NR', 'X'], ...rows], Rest: [['NR', 'Y'], ['A-10002', 'y']] }) }); // prettier-ignore
  const specs = [{ ...accounts, sheet: 'Kunden' }, { ...accounts, name: 'rest', role: 'child' as const, sheet: 'Rest' }]; // prettier-ignore
  const opened = await openExport(root, specs);
  if ('problems' in opened) throw new Error('it is unreadable');
  expect(opened.isSorted).toBe(true);
  rmSync(join(root, 'book.xlsx'));
  for (const _time of [1, 2]) {
    const found = [];
    for await (const bundle of opened.bundles()) found.push(bundle);
    expect(found).toHaveLength(3000);
    expect(found[2]?.records('rest')[0]?.value('Y')).toBe('y');
    expect(place(found[2999]!.records('accounts')[0]!.cell('X'))).toBe('book.xlsx:Kunden!B3001');
    expect(found[2999]?.records('accounts')[0]?.value('X')).toContain('Wert 2999');
  }
  opened.close();
});

test('rows that cannot be kept are a problem of the workbook', async () => {
  const root = directoryWith({ 'book.xlsx': workbook({ Kunden: [['NR', 'X'], ['A-1', 'x']] }) }); // prettier-ignore
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(root, 'nowhere');
  try {
    const [problem] = await refusal(root, [accounts]);
    expect(problem).toMatchObject({ code: 'staging_failed', detail: expect.stringMatching(/^book\.xlsx cannot be kept in .*directory does not exist/) as string }); // prettier-ignore
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});
