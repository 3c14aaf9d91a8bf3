import { appendFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KeptIndexes } from '../../src/source/kept-indexes.ts';
import type { RowStart } from '../../src/source/sorted/row-starts.ts';
import { changeIndex, keptIndex } from './kept-index.ts';
import { RowCache } from '../../src/source/row-cache.ts';
import { directoryWith, key, readAll, table, type WholeExport } from './temporary-export.ts';

const numbers = Array.from({ length: 1000 }, (_, at) => `EXT-${String(at).padStart(6, '0')}`);
const specs = [table('accounts.csv'), table('notes.csv'), table('remarks.ndjson'), table('odd.json')];

/** Rows of several lines, rows without an account in the export, blank lines, and rows with a fault. */
function notesOf(number: string, at: number): string {
  const long = 'x'.repeat(300);
  if (at % 7 === 0) return '';
  if (at % 500 === 3) return `"${number}",one cell\n"${number}","two\nlines ${long}",b\n`;
  return `${number},"line\n\n""${long}"", of ${number}\n${number},quoted",b\n\n${number},${long},ä€\n`;
}

const files = {
  'accounts.csv': [`${key},name`, ...numbers.map((number, at) => `${number},Name ${at} ${'y'.repeat(300)}`), ''].join('\r\n'),
  'notes.csv': `${key},body,more\n${numbers.map(notesOf).join('')}`,
  'remarks.ndjson': numbers.map((number, at) => `${JSON.stringify({ [key]: number, text: 'z'.repeat(300), at })}\n`).join(''),
  'odd.json': JSON.stringify(numbers.filter((_, at) => at % 10 === 0).map((number) => ({ [key]: number, a: 1 })), null, 1),
}; // prettier-ignore

interface One extends WholeExport {
  /** Whether a file was read to its end. */
  readonly isAllRead: boolean;
}

function searching(root: string, tables = specs) {
  const directory = directoryWith({});
  const kept = () => new KeptIndexes(directory, '1');
  const one = async (account: string, from = kept()): Promise<One> => {
    let isAllRead = false;
    const only = await RowCache.open(join(directory, 'explained.json'), account);
    const found = await readAll(root, tables, { only, kept: from, onProgress: () => (isAllRead = true) });
    return { ...found, isAllRead };
  };
  return { directory, kept, one, all: () => readAll(root, tables, { kept: kept() }) };
}

const said = ({ bundles }: Pick<WholeExport, 'bundles'>, account: string) => {
  const bundle = bundles.get(account);
  return {
    accounts: [...bundles.keys()],
    problems: bundle?.problems,
    rows: ['accounts', 'notes', 'remarks', 'odd'].map((name) =>
      bundle?.records(name).map((one) => [one.line, { ...one.fields }, one.cell('body')]),
    ),
  };
};

test.each([
  ['as it is', (text: string) => text],
  ['with a byte order mark', (text: string) => `\ufeff${text}`],
  ['in windows-1252', (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')],
  ['with CR within cells', (text: string) => text.replaceAll('\n\n""', '\r\n""')],
  ['with CR alone within cells', (text: string) => text.replaceAll('\n\n""', '\r""')],
  ['with lines above the header', (text: string) => `Export of the old system\n\n${text}`],
])('one account of sorted files is found as in a whole reading: notes %s', async (_how, changed) => {
  const root = directoryWith({ ...files, 'notes.csv': changed(files['notes.csv']) });
  const { all, one } = searching(root);
  const whole = await all();
  expect(whole.isSorted).toBe(true);
  for (const at of [0, 503, 700, 999]) {
    const account = numbers[at] ?? '';
    const found = await one(account);
    const expected = { bundles: new Map([...whole.bundles].filter(([number]) => number === account)) };
    expect(said(found, account)).toEqual(said(expected, account));
    expect(found.isAllRead).toBe(false);
  }
});

test('files are read to their ends once, whichever account is searched for', async () => {
  const { one } = searching(directoryWith(files));
  const reading = [await one('EXT-000017'), await one('EXT-000800'), await one('EXT-000003')];
  expect(reading.map(({ isAllRead }) => isAllRead)).toEqual([true, false, false]);
  expect(reading.map(({ accounts, bundles }) => [accounts, ...bundles.keys()])).toEqual([
    [1, 'EXT-000017'],
    [1, 'EXT-000800'],
    [1, 'EXT-000003'],
  ]);
});

test('an account that the export does not have is looked for everywhere', async () => {
  const root = directoryWith(files);
  const { all, one } = searching(root);
  await all();
  for (const account of ['EXT-000000X', 'A', 'ext-000017', 'ZZZ']) {
    const { bundles, isAllRead } = await one(account);
    expect([bundles.size, isAllRead]).toEqual([0, true]);
  }
});

test('a file that has changed is read to its end', async () => {
  const root = directoryWith(files);
  const { all, one } = searching(root);
  await all();
  appendFileSync(join(root, 'notes.csv'), 'EXT-000999,later,c\n');
  const found = await one('EXT-000999');
  expect(found.isAllRead).toBe(true);
  expect(found.bundles.get('EXT-000999')?.records('notes')).toHaveLength(3);
});

test('what is kept of a file is not believed where the file has another row', async () => {
  const root = directoryWith(files);
  const { all, one, directory } = searching(root);
  await all();
  const { starts, ...kept } = keptIndex(directory);
  expect(starts.map(({ length }) => length > 0)).toEqual([true, true, true, false]);
  const [byte, line, account] = starts[1]?.[0] ?? [0, 0, ''];
  for (const damaged of [
    [byte + 1, line, account],
    [byte, line - 1, account],
    [byte, line, 'EXT-000000'],
    [1e12, line, account],
  ] satisfies RowStart[]) {
    changeIndex(directory, () => ({
      ...kept,
      starts: starts.map((ofFile, at) => (at === 1 ? [damaged, ...ofFile.slice(1)] : ofFile)),
    }));
    const found = await one('EXT-000900');
    expect(found.bundles.get('EXT-000900')?.records('notes').map((record) => record.line)).toEqual(
      (await searching(root).one('EXT-000900')).bundles.get('EXT-000900')?.records('notes').map((record) => record.line),
    ); // prettier-ignore
  }
});

test('compressed files, and files that are not sorted, are found as before', async () => {
  const { 'odd.json': _odd, ...others } = files;
  const packed = directoryWith({ ...others, 'notes.csv.gz': gzipSync(files['notes.csv']), 'notes.csv': '' });
  const tables = [table('accounts.csv'), table('notes.csv.gz'), table('remarks.ndjson')];
  const { one } = searching(packed, tables);
  for (const account of ['EXT-000900', 'EXT-000901'])
    expect((await one(account)).bundles.get(account)?.records('notes')).toHaveLength(2);
  const unsorted = directoryWith({ ...files, 'accounts.csv': `${key},name\n9,a\n8,b\n10,c\n9000,d\n7,e\n` });
  const found = await searching(unsorted).one('8');
  expect([...found.bundles.keys()]).toEqual(['8']);
});

test('the same bytes at other times are another file', async () => {
  const root = directoryWith(files);
  const { all, one } = searching(root);
  await all();
  const path = join(root, 'accounts.csv');
  utimesSync(path, statSync(path).atime, new Date(0));
  expect((await one('EXT-000900')).isAllRead).toBe(true);
});
