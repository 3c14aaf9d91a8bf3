import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith, key, places, table } from './temporary-export.ts';

const accounts = `${key},name\n${Array.from({ length: 60_000 }, (_, at) => `A-${at},somebody\n`).join('')}`;

const changes: readonly (readonly [string, (file: string) => void])[] = [
  ['grows', (file) => appendFileSync(file, 'B-1,x\n')],
  ['is written again', (file) => writeFileSync(file, accounts.replace('A-59999', 'A-59998'))],
  [
    'is replaced by another',
    (file) => {
      writeFileSync(`${file}.new`, accounts);
      utimesSync(`${file}.new`, 1, 1);
      renameSync(`${file}.new`, file);
    },
  ],
  ['has a new date', (file) => utimesSync(file, 1, 1)],
];

test.each(changes)('a file that %s while it is read is refused', async (_name, change) => {
  for (const file of ['accounts.csv', 'accounts.csv.gz']) {
    const content = file.endsWith('.gz') ? gzipSync(accounts, { level: 0 }) : accounts;
    const root = directoryWith({ [file]: content });
    let isChanged = false;
    const found = await openExport(root, [table(file)], {
      onProgress: () => {
        if (!isChanged) change(join(root, file));
        isChanged = true;
      },
    });
    if (!('problems' in found)) throw new Error('it was read');
    expect(places(found.problems)).toEqual([`file_changed - ${file}:1:`]);
    expect(found.problems[0]!.detail).toContain('run again');
  }
});

test('a file that is taken away while it is read is refused', async () => {
  const root = directoryWith({ 'accounts.csv': accounts });
  const found = await openExport(root, [table('accounts.csv')], {
    onProgress: () => rmSync(join(root, 'accounts.csv'), { force: true }),
  });
  if (!('problems' in found)) throw new Error('it was read');
  expect(places(found.problems)).toEqual(['unreadable_file - accounts.csv:1:']);
});
