import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { listExport } from '../../src/source/list-export.ts';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith, key, places, problemsOf, readAll, refusal, table } from './temporary-export.ts';
import { workbook, zipOf } from './workbook.ts';

const accounts = `${key},name\nA-1,Öl\nA-2,x\n`;
const notes = `{"${key}":"A-1","body":"one"}\n{"${key}":"A-1",\n`;

async function archive(parts: Readonly<Record<string, string | Buffer>>): Promise<string> {
  return join(directoryWith({ 'export.zip': await zipOf(parts) }), 'export.zip');
}

/** What keeps an archive from being listed: its code, and the words about it. */
async function refused(path: string): Promise<string> {
  const listing = await listExport(path);
  if (!('problems' in listing)) throw new Error('it was listed');
  const { code, detail } = listing.problems[0]!;
  expect(detail).toContain(path);
  return `${code} ${detail}`;
}

/** The archive with a text of its directory and of its parts exchanged for another of the same length. */
async function altered(parts: Record<string, string>, from: string, to: string): Promise<string> {
  const bytes = (await zipOf(parts)).toString('latin1').replaceAll(from, to);
  return join(directoryWith({ 'export.zip': Buffer.from(bytes, 'latin1') }), 'export.zip');
}

test('the data files of an archive are listed like those of a directory', async () => {
  const path = await archive({
    'notes.ndjson': '',
    'accounts.csv': accounts,
    'README.md': '',
    '._accounts.csv': '',
    '__MACOSX/._notes.ndjson': '',
    '__MACOSX/more.csv': '',
    'old/accounts.csv': '',
  });
  expect(await listExport(path)).toEqual({
    root: path,
    label: 'export.zip',
    files: ['accounts.csv', 'notes.ndjson'],
  });
});

test('the only directory of an archive is the export', async () => {
  const path = await archive({ 'night/accounts.csv': accounts, 'night/notes.ndjson': '', 'README.md': '' });
  expect(await listExport(path)).toEqual({
    root: path,
    label: 'export.zip/night',
    files: ['accounts.csv', 'notes.ndjson'],
  });
  const found = await readAll(path, [table('accounts.csv')]);
  expect(found.accounts).toBe(2);
});

test('many parts of an archive are read side by side, and some of them not to their ends', async () => {
  const numbers = Array.from({ length: 2_000 }, (_, at) => `A-${String(at).padStart(5, '0')}`);
  // What is hardly packed takes several reads.
  const rows = (text: string) =>
    numbers.map((number) => `${number},${hash('sha512', text + number)}\n`).join('');
  const files: Record<string, string> = { 'accounts.csv': `${key},name\n${rows('of')}` };
  for (const part of [1, 2, 3, 4, 5])
    files[`notes-00${part}.csv`] = `${key},body\n${rows(`note ${part} of`)}`;
  const specs = [table('accounts.csv'), table('notes.csv')];
  const packed = await readAll(await archive(files), specs);
  expect([packed.accounts, packed.isSorted]).toEqual([2_000, true]);
  expect(packed.bundles.get('A-01999')?.records('notes')).toHaveLength(5);
});

test('a directory that is called like an archive is a directory', async () => {
  const root = join(directoryWith({ 'export.zip/accounts.csv': accounts }), 'export.zip');
  expect(await listExport(root)).toEqual({ root, files: ['accounts.csv'] });
});

test('what is read from an archive is what is read from its files', async () => {
  const files = { 'accounts.csv': accounts, 'notes.ndjson': notes };
  const specs = Object.keys(files).map((file) => table(file));
  const packed = await readAll(await archive(files), specs, { namedUnder: 'export.zip' });
  const plain = await readAll(directoryWith(files), specs, { namedUnder: 'export.zip' });
  expect(packed.bundles.get('A-1')?.records('accounts')[0]?.fields).toEqual(
    plain.bundles.get('A-1')?.records('accounts')[0]?.fields,
  );
  expect(packed.isSorted).toBe(true);
  expect(problemsOf(packed)).toEqual([
    'malformed_json A-1 export.zip/notes.ndjson:3:external_account_number',
  ]);
  expect(problemsOf(plain)).toEqual(problemsOf(packed));
  expect(packed.bundles.get('A-1')?.records('notes')[0]?.cell('body')).toEqual({
    file: 'export.zip/notes.ndjson',
    line: 1,
    column: 'body',
  });
});

test('workbooks and compressed files in an archive are read', async () => {
  const { gzipSync } = await import('node:zlib');
  const book = workbook({ Kunden: [['NR', 'SALDO'], ['A-1', 12.3]], Notizen: [['NR', 'TEXT'], ['A-1', 'x']] }); // prettier-ignore
  const path = await archive({ 'book.xlsx': book, 'more.csv.gz': gzipSync('NR,b\nA-1,y\n') });
  const found = await readAll(path, [
    table('book.xlsx', { name: 'accounts', role: 'accounts', sheet: 'Kunden', key: 'NR' }),
    table('book.xlsx', { name: 'notes', sheet: 'Notizen', key: 'NR' }),
    table('more.csv', { name: 'more', key: 'NR' }),
  ]);
  const bundle = found.bundles.get('A-1');
  expect(['accounts', 'notes', 'more'].map((name) => bundle?.records(name)[0]?.fields)).toEqual([
    { NR: 'A-1', SALDO: '12.3' },
    { NR: 'A-1', TEXT: 'x' },
    { NR: 'A-1', b: 'y' },
  ]);
});

test('a file that an archive does not have is missing, and the nearest name is told', async () => {
  const path = await archive({ 'accounts.csv': accounts });
  const [problem] = await refusal(path, [table('accounts.csv'), table('account.csv')]);
  expect(problem).toMatchObject({ code: 'missing_file', detail: expect.stringContaining('accounts.csv?') as string }); // prettier-ignore
});

test('a file that is no archive, and an archive that is cut short, are told apart', async () => {
  const whole = await zipOf({ 'accounts.csv': accounts });
  const root = directoryWith({ 'a.zip': 'ID,NAME\n', 'b.zip': whole.subarray(0, 60), 'c.zip': '' });
  expect(await refused(join(root, 'a.zip'))).toMatch(/^not_a_zip /);
  expect(await refused(join(root, 'b.zip'))).toMatch(/^truncated_file /);
  expect(await refused(join(root, 'c.zip'))).toMatch(/^not_a_zip /);
});

test.each([
  ['leads out of the directory', '../x/accounts.csv'],
  ['leads out of it later', 'a/../../acc.csv'],
  ['is absolute', '/etc/x/accounts.csv'],
])('an archive with a name that %s is refused', async (_what, name) => {
  const path = await altered({ ['z'.repeat(name.length)]: accounts }, 'z'.repeat(name.length), name);
  expect(await refused(path)).toMatch(/^unsafe_path .*acc/);
});

test('an archive with two files of one name is refused', async () => {
  const path = await altered({ 'accounts.csv': accounts, 'accountz.csv': accounts }, 'accountz', 'accounts');
  expect(await refused(path)).toMatch(/^damaged_file .*accounts\.csv twice/);
});

test('what an archive holds damaged, encrypted or by another method is named', async () => {
  const whole = await zipOf({ 'accounts.csv': accounts.repeat(100), 'notes.ndjson': '' });
  const directory = whole.lastIndexOf('PK\x01\x02', -1, 'latin1');
  const first = whole.indexOf('PK\x01\x02', 0, 'latin1');
  expect(directory).toBeGreaterThan(first);
  const changed = (act: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(whole);
    act(bytes);
    return join(directoryWith({ 'export.zip': bytes }), 'export.zip');
  };
  const of = async (path: string): Promise<string[]> => places(await refusalUnder(path));
  const refusalUnder = async (path: string) => {
    const opened = await openExport(path, [table('accounts.csv')], { namedUnder: basename(path) });
    if ('problems' in opened) return opened.problems;
    opened.close();
    throw new Error('it was read');
  };
  expect(await of(changed((bytes) => bytes.fill(0x55, 60, 90)))).toEqual([
    'damaged_file - export.zip/accounts.csv:1:',
  ]);
  expect(await of(changed((bytes) => bytes.writeUInt16LE(1, first + 8)))).toEqual([
    'encrypted_file - export.zip/accounts.csv:1:',
  ]);
  expect(await of(changed((bytes) => bytes.writeUInt16LE(9, first + 10)))).toEqual([
    'unknown_compression - export.zip/accounts.csv:1:',
  ]);
});

test('an archive that changes while it is read is refused', async () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => `A-${at},somebody\n`).join('');
  for (const change of [
    (path: string) => appendFileSync(path, 'x'),
    (path: string) => {
      writeFileSync(`${path}.new`, 'x');
      renameSync(`${path}.new`, path);
    },
  ]) {
    const path = await archive({ 'accounts.csv': `${key},name\n${rows}` });
    let isChanged = false;
    const found = await openExport(path, [table('accounts.csv')], {
      onProgress: () => {
        if (!isChanged) change(path);
        isChanged = true;
      },
    });
    if (!('problems' in found)) throw new Error('it was read');
    expect(places(found.problems)).toEqual(['file_changed - accounts.csv:1:']);
  }
});
