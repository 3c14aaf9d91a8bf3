import { closeSync, existsSync, openSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ExportBroken } from '../../../src/source/fault.ts';
import { KeptFiles } from '../../../src/source/kept-files.ts';
import { KeptIndexes } from '../../../src/source/kept-indexes.ts';
import { openExport } from '../../../src/source/open-export.ts';
import { SortedIndexes, type SortedIndex } from '../../../src/source/sorted/sorted-index.ts';
import { changeIndex, namesOfIndexes } from '../kept-index.ts';
import { directoryWith, key, places, readAll, table, type WholeExport } from '../temporary-export.ts';
import { fileOf } from './file-in-memory.ts';

const files = {
  'accounts.csv': `${key}\n9\n10\n11\n`,
  'notes.csv': `${key},body\n9,a\n10,b\n10,c\n12,stray\n`,
};
const specs = [table('accounts.csv'), table('notes.csv')];

let root: string;
let work: string;
beforeEach(() => {
  root = directoryWith(files);
  work = directoryWith({});
});

const indexes = (version = '1'): KeptIndexes => new KeptIndexes(work, version);
const file = (): string => join(work, namesOfIndexes(work)[0] ?? '');

/** What a command finds, and whether it read the files before it came to the first account. */
async function read(
  kept = indexes(),
  tables = specs,
): Promise<WholeExport & { readonly isReadAhead: boolean }> {
  let isReadAhead = false;
  const found = await readAll(root, tables, { kept, onProgress: () => (isReadAhead = true) });
  return { ...found, isReadAhead };
}

const said = ({ accounts, faults, bundles }: WholeExport) => ({
  ...{ accounts, faults: places(faults), numbers: [...bundles.keys()] },
  bodies: [...bundles.values()].map((bundle) => bundle.records('notes').map(({ line }) => line)),
});

test('unchanged files are read for their accounts alone, and the same is found', async () => {
  const first = await read();
  const second = await read();
  expect([first.isReadAhead, second.isReadAhead]).toEqual([true, false]);
  expect(first.faults).toHaveLength(1);
  expect(said(second)).toEqual(said(first));
  expect(said(second).numbers).toEqual(['9', '10', '11']);
});

test('a changed file is read to its end before the first account', async () => {
  await read();
  writeFileSync(join(root, 'accounts.csv'), `${key}\n9\n10\n12\n`);
  const found = await read();
  expect(found.isReadAhead).toBe(true);
  expect(found.faults).toEqual([]);
});

test('other tables, and another version of the tool, read the files again', async () => {
  await read();
  expect(await read(indexes('2'))).toMatchObject({ isReadAhead: true });
  const trimmed = specs.map((spec) => ({ ...spec, trim: true }));
  expect(await read(indexes(), trimmed)).toMatchObject({ isReadAhead: true });
  expect(await read(indexes(), trimmed)).toMatchObject({ isReadAhead: false });
  expect(await read()).toMatchObject({ isReadAhead: false });
});

test('files that are not sorted are read and kept as before', async () => {
  writeFileSync(join(root, 'accounts.csv'), `${key}\n10\n11\n9\n10\n`);
  expect((await read()).isSorted).toBe(false);
  expect(await read()).toMatchObject({ isReadAhead: true, isSorted: false });
});

test('a file that no longer is what was kept breaks the reading, and the next one reads it to its end', async () => {
  await read();
  changeIndex(work, (index) => ({ ...index, order: 0 }));
  const opened = await openExport(root, specs, { kept: indexes() });
  if ('problems' in opened) throw new Error('it can be opened');
  await expect(async () => {
    for await (const { account } of opened.bundles()) expect(account).not.toBe('');
  }).rejects.toThrow(ExportBroken);
  opened.close();
  expect(await read()).toMatchObject({ isReadAhead: true, accounts: 3 });
});

test('what is kept can be read by its owner only, and has no values', async () => {
  await read();
  expect(statSync(file()).mode & 0o77).toBe(0);
  expect(readFileSync(file(), 'utf8')).not.toContain('stray');
});

test.each([
  ['edited', (whole: string) => whole.replace('"accounts":3', '"accounts":4')],
  ['cut', (whole: string) => whole.slice(0, -1)],
  ['cut after its first line', (whole: string) => whole.slice(0, whole.indexOf('\n') + 1)],
  ['empty', () => ''],
  ['what earlier versions kept', () => '[{"key":"x","order":0}]'],
])('an index that is %s is not believed', async (_what, spoil) => {
  await read();
  const whole = readFileSync(file(), 'utf8');
  expect(spoil(whole)).not.toBe(whole);
  writeFileSync(file(), spoil(whole));
  expect(await read()).toMatchObject({ isReadAhead: true, accounts: 3 });
  expect(await read()).toMatchObject({ isReadAhead: false, accounts: 3 });
});

test('the indexes of the latest exports are kept, and each is read by itself', async () => {
  const roots = Array.from({ length: 10 }, () => directoryWith(files));
  for (const [at, one] of roots.entries()) {
    root = one;
    await read();
    for (const name of namesOfIndexes(work))
      if (Date.now() - statSync(join(work, name)).mtimeMs < 10_000)
        utimesSync(join(work, name), new Date(0), new Date(1_000 * (at + 1)));
  }
  const isReadAhead = async (of: string | undefined) => {
    root = of ?? '';
    return (await read()).isReadAhead;
  };
  expect(namesOfIndexes(work).length).toBe(8);
  expect([await isReadAhead(roots[9]), await isReadAhead(roots[5]), await isReadAhead(roots[0])]).toEqual([
    false,
    false,
    true,
  ]);
});

test('the file in which earlier versions kept all of them is removed', async () => {
  const before = join(work, 'readings.json');
  writeFileSync(before, '[]');
  await read();
  expect(existsSync(before)).toBe(false);
});

const some = [fileOf('')];
const fault = {
  account: null,
  code: 'orphan_row',
  path: '',
  detail: '',
  severity: 'error',
  holdsBack: false,
} as const;
const indexWith = (faults: SortedIndex['faults']): SortedIndex => ({
  ...{ order: 0, accounts: 2, ignoredRows: 0, faults, starts: [[]] },
  counts: {} as SortedIndex['counts'],
});

test.each<[string, SortedIndex['faults'], boolean]>([
  ['no fault', [], true],
  ['a thousand faults', Array.from({ length: 1_000 }, () => fault), true],
  ['more faults', Array.from({ length: 1_001 }, () => fault), false],
  ['the value of a cell', [fault, { ...fault, value: 'secret' }, fault], false],
])('of files with %s what was found is kept only where it may be', (_what, faults, isKept) => {
  const sorted = new SortedIndexes(work, '1');
  expect(sorted.keep(some, indexWith(faults))).toBe(true);
  expect(sorted.find(some)).toEqual(isKept ? indexWith(faults) : undefined);
});

test('nothing is kept where there is no directory, unless it is made', () => {
  const directory = join(work, 'none');
  expect(new SortedIndexes(directory, '1').keep(some, indexWith([]))).toBe(false);
  expect(existsSync(directory)).toBe(false);
  expect(new SortedIndexes(directory, '1', { makesDirectory: true }).keep(some, indexWith([]))).toBe(true);
});

test('a whole file that has no index is not believed', () => {
  const sorted = new SortedIndexes(work, '1');
  sorted.keep(some, indexWith([]));
  const files = new KeptFiles(work, 'index-', { most: 8, makesDirectory: false });
  const [name = ''] = files.namesWith('');
  const [header = ''] = files.lines([name]) ?? [];
  const written = files.write(name);
  written?.line(header);
  expect([written?.finish(), sorted.find(some)]).toEqual([true, undefined]);
});

test('what is found leaves no file open', () => {
  const sorted = new SortedIndexes(work, '1');
  sorted.keep(some, indexWith([]));
  const next = () => {
    const descriptor = openSync(file(), 'r');
    closeSync(descriptor);
    return descriptor;
  };
  const before = next();
  expect(sorted.find(some)).toEqual(indexWith([]));
  expect(next()).toBe(before);
});
