import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyRejected } from '../../src/source/copy-rejected.ts';
import { csvSample } from '../../src/source/formats/csv/sample.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { directoryWith, key, places, problemsOf, readFiles, refusal, table } from './temporary-export.ts';

const names = (found: Awaited<ReturnType<typeof readFiles>>): (readonly unknown[])[] =>
  [...found.bundles.values()].flatMap((bundle) =>
    bundle.records('accounts').map((record) => [bundle.account, record.value('name'), record.line]),
  );

test('cells in single quotes are read without them', async () => {
  const text = `'${key}','name'\r\n'0017','O''Neill, Ann'\r\n\r\n'0018','say "hi"\r\n''twice''"'\r\n0019,"\r\n'0020',=" 1"\r\n`;
  const found = await readFiles({ 'accounts.csv': text }, { quote: "'" });
  expect([problemsOf(found), places(found.faults)]).toEqual([[], []]);
  expect(names(found)).toEqual([
    ['0017', "O'Neill, Ann", 2],
    ['0018', `say "hi"\r\n'twice'"`, 4],
    ['0019', '"', 6],
    ['0020', ' 1', 7],
  ]);
});

test('an escape before a single quote, and white space around it, are read if they are set', async () => {
  const text = `${key}|name\n 'A-1' | 'O\\'Neill | C:\\\\x' \n`;
  const found = await readFiles({ 'accounts.csv': text }, { quote: "'", escape: '\\', trim: true });
  expect([names(found), places(found.faults)]).toEqual([[['A-1', "O'Neill | C:\\x", 2]], []]);
});

test('quotes in a file without quotes are text', async () => {
  const text = `${key}\tname\nA-1\t"Ann" of 3"\nA-2\t"open\nA-3\t="0017"\n`;
  const found = await readFiles({ 'accounts.csv': text }, { quote: '' });
  expect([problemsOf(found), places(found.faults)]).toEqual([[], []]);
  expect(names(found)).toEqual([['A-1', '"Ann" of 3"', 2], ['A-2', '"open', 3], ['A-3', '0017', 4]]); // prettier-ignore
});

test('a single quote that is not closed, or within a cell, is a problem of its account', async () => {
  const text = `${key},name\n'A-1','Ann' x\n'A-2','Ben'\n'A-3','open\n`;
  const found = await readFiles({ 'accounts.csv': text }, { quote: "'" });
  expect(problemsOf(found)).toEqual(['wrong_quoting A-1 accounts.csv:2:name', 'wrong_quoting A-3 accounts.csv:4:name']); // prettier-ignore
  expect(names(found).map(([account]) => account)).toContain('A-2');
});

test('the refusal of a header in single quotes says what to set, and init sets it', async () => {
  const text = `'${key}','name'\n'A-1','Ann, Ben'\n`;
  const [problem] = await refusal(directoryWith({ 'accounts.csv': text }), [table('accounts.csv')]);
  expect(problem).toMatchObject({ code: 'missing_key_column', detail: expect.stringContaining(`Set quote: "'"`) as string }); // prettier-ignore
  expect(csvSample(Buffer.from(text))).toMatchObject({ quote: "'", columns: [key, 'name'] });
  expect(csvSample(Buffer.from(`${key},name\nA-1,Ann\n`))).not.toHaveProperty('quote');
});

test('rejected rows in single quotes come out as they are, with the reason in a column that is read back', async () => {
  const text = `'id','name'\n'A','1'\n'B','O''Neill, "Ann"'\n`;
  const root = directoryWith({ 'accounts.csv': text });
  const directory = temporaryDirectory('rejects-');
  const spec = { ...table('accounts.csv'), key: 'id', quote: "'" } as const;
  await copyRejected(root, [spec], ['accounts.csv'], directory, (account) => (account === 'B' ? "it's, so" : undefined)); // prettier-ignore
  const copied = readFileSync(join(directory, 'accounts.csv'), 'utf8');
  expect(copied).toBe(`'id','name',rejected_because\n'B','O''Neill, "Ann"',it\`s  so\n`);
  const again = await readFiles({ 'accounts.csv': copied }, { key: 'id', quote: "'" });
  expect(names(again)).toEqual([['B', `O'Neill, "Ann"`, 2]]);
  expect(again.bundles.get('B')?.records('accounts')[0]?.value('rejected_because')).toBe('it`s  so');
});
