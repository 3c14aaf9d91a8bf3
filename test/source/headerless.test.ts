import { expect, test } from 'vitest';
import { openExport } from '../../src/source/open-export.ts';
import type { TableSpec } from '../../src/source/export.ts';
import { directoryWith, places, readAll } from './temporary-export.ts';

const spec = (key: string, more: Partial<TableSpec> = {}): TableSpec => ({
  name: 'accounts',
  file: 'accounts.csv',
  role: 'accounts',
  key,
  ...more,
});

async function problemsOf(text: string, table: TableSpec): Promise<string[]> {
  const opened = await openExport(directoryWith({ 'accounts.csv': text }), [table]);
  if ('problems' in opened) return places(opened.problems);
  opened.close();
  return [];
}

test.each([
  ['a number', '1001,Ann\n1002,Bob\n', '1001'],
  ['an account of its own pattern', 'K-1001,Ann\nK-1002,Bob\n', 'K-1001'],
  [
    'a GUID',
    '0f8fad5b-d9cb-469f-a165-70867728950e,Ann\n7c9e6679-7425-40de-944b-e07fc1f90ae7,Bob\n',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ],
  ['an e-mail address beside the key', 'ALFKI,a@example.com\nANATR,b@example.com\n', 'ALFKI'],
])('a header that is a row of data is a problem: %s', async (_what, text, key) => {
  expect(await problemsOf(text, spec(key))).toEqual(['header_is_data - accounts.csv:1:']);
});

test.each([
  ['years', 'ID,2019,2020\nA-1,5,6\n', 'ID'],
  ['days', 'ID,2024-01-01,2024-01-02\nA-1,5,6\n', 'ID'],
  ['a name with a digit', 'ID1,NAME2\nAB2,x\n', 'ID1'],
])('a header may have %s', async (_what, text, key) => {
  expect(await problemsOf(text, spec(key))).toEqual([]);
});

test('the columns of a file without a header are named by the mapping, and no row is lost', async () => {
  const found = await readAll(directoryWith({ 'accounts.csv': '1001;"Ann;\nLee"\n1002;Bob\n' }), [
    spec('id', { names: ['id', 'name'] }),
  ]);
  expect(found.faults).toEqual([]);
  expect([...found.bundles.keys()]).toEqual(['1001', '1002']);
  const [record] = found.bundles.get('1002')?.records('accounts') ?? [];
  expect(record?.value('name')).toBe('Bob');
  expect(record?.cell('name')).toMatchObject({ file: 'accounts.csv', line: 3, column: 'name' });
});

test('names for more columns than there are, and a key that is none of them, are problems', async () => {
  expect(await problemsOf('1001,Ann\n', spec('id', { names: ['id', 'name', 'town'] }))).toEqual([
    'wrong_number_of_cells - accounts.csv:1:',
  ]);
  expect(await problemsOf('1001,Ann\n', spec('no', { names: ['id', 'name'] }))).toEqual([
    'missing_key_column - accounts.csv:1:',
  ]);
});

test('a header that is there, though the mapping names the columns, is left out with a warning', async () => {
  const found = await readAll(directoryWith({ 'accounts.csv': 'id,name\n1001,Ann\n' }), [
    spec('id', { names: ['id', 'name'] }),
  ]);
  expect(found.faults).toMatchObject([{ code: 'repeated_header', severity: 'warning' }]);
  expect([...found.bundles.keys()]).toEqual(['1001']);
});
