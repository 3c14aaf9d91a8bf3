import { chmodSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listExport } from '../../src/source/list-export.ts';
import { directoryWith } from './temporary-export.ts';

async function problemOf(path: string): Promise<string> {
  const listing = await listExport(path);
  if (!('problems' in listing)) throw new Error('it was listed');
  expect(listing.problems).toHaveLength(1);
  expect(listing.problems[0]!.detail).toContain(path);
  return listing.problems[0]!.code;
}

test('the data files of a directory are listed by name, and nothing else', async () => {
  const root = directoryWith({
    'notes.ndjson': '',
    'accounts.CSV': '',
    'a.json': '',
    'b.jsonl': '',
    'c.json.gz': '',
    'd-01.CSV.zst': '',
    'e.tsv': '',
    'f.gz': '',
    'README.md': '',
    '._accounts.csv': '',
    'old/accounts.csv': '',
  });
  expect(await listExport(root)).toEqual({
    root,
    files: ['a.json', 'accounts.CSV', 'b.jsonl', 'c.json.gz', 'd-01.CSV.zst', 'e.tsv', 'notes.ndjson'],
  });
});

test('a single file is an export of its own', async () => {
  const file = join(directoryWith({ 'accounts.ndjson': '', 'notes.csv': '' }), 'accounts.ndjson');
  expect(await listExport(file)).toEqual({ root: dirname(file), files: [basename(file)] });
});

test('an export that is not there, not readable, empty or no data at all is told apart', async () => {
  const root = directoryWith({ 'README.md': '', 'table.pdf': '' });
  expect(await problemOf(join(root, 'nowhere'))).toBe('unreadable_export');
  expect(await problemOf(join(root, 'README.md', 'x'))).toBe('unreadable_export');
  expect(await problemOf(root)).toBe('empty_export');
  expect(await problemOf(join(root, 'table.pdf'))).toBe('not_a_data_file');
});

test.skipIf(process.getuid?.() === 0)(
  'a directory without permission is named (needs a user other than root)',
  async () => {
    const root = directoryWith({ 'accounts.csv': '' });
    chmodSync(root, 0);
    expect(await problemOf(root)).toBe('unreadable_export');
    chmodSync(root, 0o700);
  },
);
