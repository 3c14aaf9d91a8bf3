import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { directoryWith, key, places, problemsOf, readAll, refusal, table } from './temporary-export.ts';

const accounts = (...numbers: string[]): string => `${key},name\n${numbers.map((n) => `${n},x\n`).join('')}`;
const notes = (...bodies: string[]): string =>
  `body,${key}\n${bodies.map((body) => `${body},A-1\n`).join('')}`;

test.each([
  [['accounts-001.csv', 'accounts-002.csv.gz', 'accounts-003.csv']],
  [['accounts_0.csv', 'accounts_1.csv.gz', 'accounts_2.csv']],
  [['accounts.part1.csv', 'accounts.part2.csv.gz', 'accounts.part3.csv']],
  [['accounts-part-1.csv', 'accounts-part-02.csv.gz', 'accounts.3.csv']],
] as const)('numbered parts are one table, and each row keeps its file (%j)', async (names) => {
  const root = directoryWith({
    [names[2]]: `name,${key}\ny,B-1\n`,
    [names[0]]: accounts('A-1', 'C-1'),
    [names[1]]: gzipSync(accounts('B-1')),
    'notes-2.csv': notes('third'),
    'notes-1.csv': notes('first', 'second'),
    'README-1.txt': '',
  });
  const found = await readAll(root, [table('accounts.csv'), table('notes.csv')]);
  expect(found.accounts).toBe(3);
  expect(found.tables.map(({ name, file }) => [name, file])).toEqual([
    ['accounts', names[0]],
    ['notes', 'notes-1.csv'],
  ]);
  expect(found.files.map(({ file }) => file)).toEqual([...names, 'notes-1.csv', 'notes-2.csv']);
  expect(problemsOf(found)).toEqual([`duplicate_account B-1 ${names[2]}:2:${key}`]);
  expect(found.bundles.get('B-1')!.problems[0]!.detail).toContain(`line 2 of ${names[1]}`);
  const records = found.bundles.get('A-1')!.records('notes');
  expect(records.map(({ fields, table: of }) => [fields['body'], of.file])).toEqual([
    ['first', 'notes-1.csv'],
    ['second', 'notes-1.csv'],
    ['third', 'notes-2.csv'],
  ]);
  expect(records[2]!.cell('body')).toEqual({ file: 'notes-2.csv', line: 2, column: 'body' });
});

test('headers that differ between parts are a problem that names both, and so are gaps and doubles', async () => {
  const root = directoryWith({
    'accounts-1.csv': accounts('A-1'),
    'accounts-2.csv': `${key},nam\nA-2,x\n`,
    'notes-1.csv': notes('x'),
    'notes-3.csv': notes('x'),
    'late-2.csv': notes('x'),
    'both.csv': notes('x'),
    'both-1.csv': notes('x'),
    'same-1.csv': notes('x'),
    'same-1.csv.gz': gzipSync(notes('x')),
    'wide-1.csv': notes('x'),
    'wide-2.csv': `body,more,${key}\nx,y,A-1\n`,
  });
  const specs = ['accounts', 'notes', 'late', 'both', 'same', 'wide'].map((name) => table(`${name}.csv`));
  const problems = await refusal(root, specs);
  expect(places(problems)).toEqual([
    'different_parts - accounts-2.csv:1:name',
    'missing_part - notes-3.csv:1:',
    'missing_part - late-2.csv:1:',
    'ambiguous_file - both-1.csv:1:',
    'ambiguous_file - same-1.csv.gz:1:',
    'different_parts - wide-2.csv:1:more',
  ]);
  expect(problems[0]!.detail).toMatch(/accounts-2\.csv.*accounts-1\.csv/);
  expect(problems[1]!.detail).toContain('part 2 is missing');
});

test('a pattern takes every file that fits, a part by its own name stands alone', async () => {
  const root = directoryWith({
    'accounts.csv': accounts('A-1'),
    'notes-2023-01.csv': notes('a'),
    'notes-2023-12.csv': notes('b'),
    'notes-2024-2.csv': notes('c'),
    'notes-2024-10.csv': notes('d'),
    'other-1.csv.gz': gzipSync(notes('e')),
  });
  const found = await readAll(root, [
    table('accounts.csv'),
    table('notes-*.csv', { name: 'notes' }),
    table('notes-2024-2.csv', { name: 'one' }),
    table('other-1.csv', { name: 'two' }),
  ]);
  const of = (name: string): unknown[] =>
    found.bundles
      .get('A-1')!
      .records(name)
      .map(({ fields }) => fields['body']);
  expect(of('notes')).toEqual(['a', 'b', 'c', 'd']);
  expect(of('one')).toEqual(['c']);
  expect(of('two')).toEqual(['e']);
  expect(places(await refusal(root, [table('accounts.csv'), table('bills-*.csv')]))).toEqual([
    'missing_file - bills-*.csv:1:',
  ]);
});
