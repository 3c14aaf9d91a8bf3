import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ExportBroken } from '../../src/source/fault.ts';
import { KeptReadings } from '../../src/source/kept-readings.ts';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith, key, places, readAll, table, type WholeExport } from './temporary-export.ts';

const files = {
  'accounts.csv': `${key}\n9\n10\n11\n`,
  'notes.csv': `${key},body\n9,a\n10,b\n10,c\n12,stray\n`,
};
const specs = [table('accounts.csv'), table('notes.csv')];

let root: string;
let file: string;
beforeEach(() => {
  root = directoryWith(files);
  file = join(directoryWith({}), 'readings.json');
});

const readings = (version = '1'): KeptReadings => new KeptReadings(file, version);

/** What a command finds, and whether it read the files before it came to the first account. */
async function read(
  kept = readings(),
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
  expect(await read(readings('2'))).toMatchObject({ isReadAhead: true });
  const trimmed = specs.map((spec) => ({ ...spec, trim: true }));
  expect(await read(readings(), trimmed)).toMatchObject({ isReadAhead: true });
  expect(await read(readings(), trimmed)).toMatchObject({ isReadAhead: false });
  expect(await read()).toMatchObject({ isReadAhead: false });
});

test('files that are not sorted are read and kept as before', async () => {
  writeFileSync(join(root, 'accounts.csv'), `${key}\n10\n11\n9\n10\n`);
  expect((await read()).isSorted).toBe(false);
  expect(await read()).toMatchObject({ isReadAhead: true, isSorted: false });
});

test('a file that no longer is what was kept breaks the reading, and the next one reads it to its end', async () => {
  await read();
  writeFileSync(file, readFileSync(file, 'utf8').replace('"order":1', '"order":0'));
  const opened = await openExport(root, specs, { kept: readings() });
  if ('problems' in opened) throw new Error('it can be opened');
  await expect(async () => {
    for await (const { account } of opened.bundles()) expect(account).not.toBe('');
  }).rejects.toThrow(ExportBroken);
  opened.close();
  expect(await read()).toMatchObject({ isReadAhead: true, accounts: 3 });
});

test('what is kept can be read by its owner only, has no values, and may be damaged', async () => {
  await read();
  expect(statSync(file).mode & 0o77).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toContain('stray');
  const whole = readFileSync(file, 'utf8');
  for (const damaged of [
    '[{"key":',
    '[null]',
    '{}',
    whole.replace('"accounts"', '"a"'),
    whole.replace('"faults"', '"f"'),
  ]) {
    writeFileSync(file, damaged);
    expect(await read()).toMatchObject({ isReadAhead: true, accounts: 3 });
    expect(await read()).toMatchObject({ isReadAhead: false, accounts: 3 });
  }
});
