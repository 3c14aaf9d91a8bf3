import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodingName } from '../../src/domain/text-file.ts';
import { listExport } from '../../src/source/list-export.ts';
import { tableFiles } from '../../src/source/table-files.ts';
import { directoryWith, key, readAll, table } from './temporary-export.ts';
import { bookParts, inline, rowsXml, zipOf } from './workbook.ts';

const utf8 = 0x800;

/** A ZIP file whose names are these bytes. */
function zip(entries: readonly (readonly [name: Buffer, flags: number, content: string])[]): Buffer {
  const [files, list]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, flags, content] of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    files.push(Buffer.from('PK\x03\x04'), common, name, packed);
    list.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name);
    offset += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

const rows = `${key},name\nA-1,Ann\n`;

async function listed(bytes: Buffer): Promise<readonly string[] | string> {
  const found = await listExport(join(directoryWith({ 'export.zip': bytes }), 'export.zip'));
  return 'problems' in found ? (found.problems[0]?.detail ?? '') : found.files;
}

const shiftJis = Buffer.from([0x8c, 0x5f, 0x96, 0xf1, ...Buffer.from('.csv')]);

test.each([
  ['UTF-8 with its mark, decomposed', Buffer.from('Zähler.csv'.normalize('NFD')), utf8, 'Zähler.csv'],
  ['UTF-8 without its mark', Buffer.from('Zähler.csv'), 0, 'Zähler.csv'],
  ['UTF-8 without its mark, decomposed', Buffer.from('Zähler.csv'.normalize('NFD')), 0, 'Zähler.csv'],
  ['the encoding of DOS', Buffer.from('Z\x84hler.csv', 'latin1'), 0, 'Zähler.csv'],
  ['the encoding of DOS, in capitals', Buffer.from('B\x9aROSTRA\xe1E.csv', 'latin1'), 0, 'BÜROSTRAßE.csv'],
  ['the encoding of Windows', Buffer.from('Zähler.csv', 'latin1'), 0, 'Zähler.csv'],
  [
    'the encoding of Windows, at the end of a word',
    Buffer.from('Année Übersicht.csv', 'latin1'),
    0,
    'Année Übersicht.csv',
  ],
  ['Shift JIS', shiftJis, 0, '契約.csv'],
  ['a directory of its own', Buffer.from('./Z.csv'), 0, 'Z.csv'],
  ['backslashes', Buffer.from('.\\Z.csv'), 0, 'Z.csv'],
])('the name of a file in an archive is read: %s', async (_what, name, flags, text) => {
  expect(await listed(zip([[name, flags, rows]]))).toEqual([text]);
});

test.each([
  ['one byte', Buffer.from('\n')],
  ['zero bytes', Buffer.alloc(512)],
  ['many bytes', Buffer.alloc(60_000, 'x')],
])('bytes after the end of an archive do not keep it from being read: %s', async (_what, after) => {
  const bytes = Buffer.concat([zip([[Buffer.from('Z.csv'), 0, rows]]), after]);
  expect(await listed(bytes)).toEqual(['Z.csv']);
});

test('an archive that is cut short is still told', async () => {
  const bytes = zip([[Buffer.from('Z.csv'), 0, rows]]);
  expect(await listed(bytes.subarray(0, -25))).toContain('cut short');
});

test('a file in an archive is found whatever form its letters have', async () => {
  const name = Buffer.from('Zähler.csv'.normalize('NFD'));
  const root = join(directoryWith({ 'export.zip': zip([[name, utf8, rows]]) }), 'export.zip');
  const { bundles } = await readAll(root, [{ ...table('Zähler.csv'.normalize('NFD')), role: 'accounts' }]);
  expect([...bundles.keys()]).toEqual(['A-1']);
});

test('a table is found whatever form the letters of its file have, and so are its parts', () => {
  const [composed, decomposed] = ['NFC', 'NFD'].map((form) => 'Zähler.csv'.normalize(form)) as [
    string,
    string,
  ];
  expect(tableFiles(table(composed), [decomposed])).toEqual([decomposed]);
  expect(tableFiles(table(decomposed), [composed])).toEqual([composed]);
  const part = 'Zähler-1.csv.gz'.normalize('NFD');
  expect(tableFiles(table(composed), [part])).toEqual([part]);
  expect(tableFiles(table('Zäh*.csv'), [decomposed])).toEqual([decomposed]);
});

test('a workbook with macros is read, and the lock file beside an open workbook is not', async () => {
  const book = await zipOf(bookParts(rowsXml([[inline(key)], [inline('A-1')]])));
  const root = directoryWith({ 'Kunden.xlsm': book, '~$Kunden.xlsm': 'someone' });
  expect(await listExport(root)).toMatchObject({ files: ['Kunden.xlsm'] });
  const { bundles } = await readAll(root, [{ ...table('Kunden.xlsm'), role: 'accounts' }]);
  expect([...bundles.keys()]).toEqual(['A-1']);
});

test.each([
  ['cp932', 'shift_jis'],
  ['CP932', 'shift_jis'],
  ['ms932', 'shift_jis'],
  ['Windows-31J', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp1252', 'windows-1252'],
  ['cp65001', 'utf-8'],
  ['latin9', 'iso-8859-15'],
])('the encoding %s is %s', (label, name) => {
  expect(encodingName(label)).toBe(name);
});
