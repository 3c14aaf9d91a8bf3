import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExport } from '../../src/source/open-export.ts';
import type { ReadProgress } from '../../src/source/reading.ts';
import { directoryWith, places, readAll, readFiles, refusal, table } from './temporary-export.ts';

const twoAccounts = 'external_account_number,name\nA-1,Ann\nA-2,Bob\n';

test('the rows of an account come together from every file, in file order, whatever the order of the files', async () => {
  const root = directoryWith({
    'accounts.csv': 'external_account_number,name\nB,Bob\n\u{1f600},Emoji\nA,Ann\n\uffee,Wide\nb,bee\n',
    'notes.csv': 'body,external_account_number\nfirst,A\nsecond,B\nthird,A\n',
    'documents.json': '[{"external_account_number":"B","n":1},{"external_account_number":"A","n":2}]',
    'extra.ndjson': '{"external_account_number":"A","n":3}\n{"external_account_number":"A","n":4}',
  });
  const specs = ['extra.ndjson', 'notes.csv', 'accounts.csv', 'documents.json'].map((file) => table(file));
  const found = await readAll(root, specs);

  expect(found.accounts).toBe(5);
  expect(found.faults).toEqual([]);
  expect(found.tables.map(({ name, format }) => [name, format])).toEqual([
    ['extra', 'ndjson'],
    ['notes', 'csv'],
    ['accounts', 'csv'],
    ['documents', 'json'],
  ]);
  // By code point: U+FFEE comes before U+1F600, though its first UTF-16 unit is the greater.
  expect([...found.bundles.keys()]).toEqual(['A', 'B', 'b', '\uffee', '\u{1f600}']);
  const a = found.bundles.get('A')!;
  expect(a.problems).toEqual([]);
  expect(a.records('accounts').map(({ fields }) => fields)).toEqual([
    { external_account_number: 'A', name: 'Ann' },
  ]);
  expect(a.records('notes').map(({ fields }) => fields['body'])).toEqual(['first', 'third']);
  expect(a.records('extra').map(({ fields }) => fields['n'])).toEqual([3, 4]);
  expect(a.records('documents').map(({ fields }) => fields['n'])).toEqual([2]);
  expect(found.bundles.get('b')!.records('notes')).toEqual([]);
  expect(a.records('unheard of')).toEqual([]);
});

test('a missing file is a problem with a suggestion', async () => {
  const root = directoryWith({ 'Accounts.csv': twoAccounts });
  const problems = await refusal(root, [table('accounts.csv'), table('notes.csv')]);
  expect(places(problems)).toEqual(['missing_file - accounts.csv:1:', 'missing_file - notes.csv:1:']);
  expect(problems[0]!.detail).toContain('Did you mean Accounts.csv?');
});

test('every file that cannot be read is named at once', async () => {
  const root = directoryWith({
    'accounts.csv': twoAccounts,
    'empty.csv': '',
    'blank.csv': ' \n\n',
    'twice.csv': '\n\na,external_account_number,a\n',
    'keyless.csv': 'external_acount_number,x\n',
    'quotes.csv': '"external_account_number,x\nA-1,y\n',
    'bytes.csv': Buffer.from('external_account_number,stra\xdfe\n', 'latin1'),
    'object.json': ' {"external_account_number":"A-1"}',
    'nothing.json': '\n',
  });
  mkdirSync(join(root, 'directory.csv'));
  const files = ['accounts', 'directory', 'empty', 'blank', 'twice', 'keyless', 'quotes'].map((name) =>
    table(`${name}.csv`),
  );
  const problems = await refusal(root, [
    ...files,
    table('bytes.csv', { encoding: 'utf-8' }),
    table('object.json'),
    table('nothing.json'),
  ]);
  expect(places(problems)).toEqual([
    'unreadable_file - directory.csv:1:',
    'no_header - empty.csv:1:',
    'no_header - blank.csv:1:',
    'repeated_column - twice.csv:3:a',
    'missing_key_column - keyless.csv:1:external_account_number',
    'wrong_quoting - quotes.csv:1:',
    'invalid_encoding - bytes.csv:1:',
    'not_an_array - object.json:1:',
    'not_an_array - nothing.json:1:',
  ]);
  expect(problems[4]!.detail).toContain("'external_acount_number'");
});

test('an export without a single account has none, and no problem', async () => {
  for (const [file, content] of [
    ['accounts.csv', 'external_account_number\n'],
    ['accounts.json', '[ ]'],
    ['accounts.ndjson', '\n'],
  ] as const)
    expect(await readFiles({ [file]: content })).toMatchObject({ accounts: 0, faults: [] });
});

test('an account that is there twice is laid at its door with both places', async () => {
  const found = await readFiles({
    'accounts.csv': 'external_account_number,name\nA-1,Ann\nA-2,Bob\nA-1,Anna\n',
    'notes.csv': 'external_account_number,body\nA-1,x\n',
  });
  expect(found.accounts).toBe(2);
  expect(found.faults).toEqual([]);
  const { problems } = found.bundles.get('A-1')!;
  expect(places(problems)).toEqual(['duplicate_account A-1 accounts.csv:4:external_account_number']);
  expect(problems[0]!.detail).toContain('line 2 of accounts.csv');
  expect(found.bundles.get('A-2')!.problems).toEqual([]);
});

test('rows without their account are faults that hold nothing back', async () => {
  const found = await readFiles({
    'accounts.csv': twoAccounts,
    'notes.csv': 'external_account_number,body\nA-3,x\nA-1,y\nA-0,z\nA-3,w\n',
    'documents.json': '[\n {"x": 1,\n  "external_account_number": "A-9"}\n]',
  });
  expect(places(found.faults)).toEqual([
    'orphan_row A-3 notes.csv:2:external_account_number',
    'orphan_row A-0 notes.csv:4:external_account_number',
    'orphan_row A-3 notes.csv:5:external_account_number',
    'orphan_row A-9 documents.json:3:external_account_number',
  ]);
  expect(found.faults.every(({ holdsBack }) => !holdsBack)).toBe(true);
  expect(found.accounts).toBe(2);
  expect([...found.bundles.keys()]).toEqual(['A-1', 'A-2']);
});

test('many faults of one kind are counted, not listed', async () => {
  const rows = Array.from({ length: 2500 }, (_, at) => `X-${at},x\n`).join('');
  const found = await readFiles({
    'accounts.csv': twoAccounts,
    'notes.csv': `external_account_number,body\n${rows}`,
  });
  expect(found.faults).toHaveLength(1001);
  expect(found.faults.at(-1)).toMatchObject({ code: 'orphan_row', account: null, cell: { line: 2501 } });
  expect(found.faults.at(-1)!.detail).toContain('1500 more rows');
});

test('progress ends with every byte and row', async () => {
  const root = directoryWith({
    'accounts.csv': twoAccounts,
    'notes.ndjson': '{"external_account_number":"A-1"}',
  });
  const seen: ReadProgress[] = [];
  await readAll(root, [table('accounts.csv'), table('notes.ndjson')], {
    onProgress: (progress) => seen.push(progress),
  });
  const totalBytes = twoAccounts.length + 33;
  expect(seen.at(-1)).toEqual({ rows: 3, bytes: totalBytes, totalBytes });
});

test('an abort ends reading, before the bundles and among them', async () => {
  const root = directoryWith({ 'accounts.csv': twoAccounts });
  const reason = new Error('enough');
  await expect(openExport(root, [table('accounts.csv')], { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );

  const controller = new AbortController();
  const opened = await openExport(root, [table('accounts.csv')], { signal: controller.signal });
  if ('problems' in opened) throw new Error('unreadable');
  const bundles = opened.bundles()[Symbol.asyncIterator]();
  await bundles.next();
  controller.abort(reason);
  await expect(bundles.next()).rejects.toBe(reason);
  opened.close();
});

test('closing ends the bundles, and may be repeated', async () => {
  const root = directoryWith({ 'accounts.csv': twoAccounts });
  const opened = await openExport(root, [table('accounts.csv')]);
  if ('problems' in opened) throw new Error('unreadable');
  for await (const { account } of opened.bundles()) expect(account).toMatch(/^A-/);
  const bundles = opened.bundles()[Symbol.asyncIterator]();
  expect((await bundles.next()).value).toMatchObject({ account: 'A-1' });
  opened.close();
  opened.close();
  expect((await bundles.next()).done).toBe(true);
});

test('the bundles may be read again', async () => {
  const root = directoryWith({ 'accounts.csv': twoAccounts });
  const opened = await openExport(root, [table('accounts.csv')]);
  if ('problems' in opened) throw new Error('unreadable');
  for (const _time of ['first', 'second']) {
    const accounts: string[] = [];
    for await (const { account } of opened.bundles()) accounts.push(account);
    expect(accounts).toEqual(['A-1', 'A-2']);
  }
  opened.close();
});
