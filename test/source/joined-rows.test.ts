import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExport } from '../../src/source/open-export.ts';
import { copyRejected } from '../../src/source/copy-rejected.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import {
  directoryWith,
  key,
  places,
  problemsOf,
  readFiles,
  table,
  type WholeExport,
} from './temporary-export.ts';

const accounts = `${key}\nA-1\nA-2\nA-3\nA-4\n`;

/** The accounts that are not sent, or that all are held. */
function blocked(found: WholeExport): string[] | 'all' {
  if (found.faults.some(({ holdsBack }) => holdsBack)) return 'all';
  return [...found.bundles.values()].flatMap(({ account, problems }) =>
    problems.length > 0 ? [account] : [],
  );
}

const record = (account: string, name = 'N'): string => JSON.stringify({ [key]: account, name });
const keyLast = (account: string, name = 'N'): string => JSON.stringify({ name, [key]: account });

test.each<[string, string, string[] | 'all']>([
  ['two records side by side', record('A-2') + record('A-3'), ['A-2', 'A-3']],
  ['three records', record('A-2') + record('A-3') + record('A-4'), ['A-2', 'A-3', 'A-4']],
  ['a comma between them', `${record('A-2')},${record('A-3')}`, ['A-2', 'A-3']],
  ['a tab between them', `${record('A-2')}\t${record('A-3')}`, ['A-2', 'A-3']],
  ['a record separator between them', `${record('A-2')}\u001e${record('A-3')}`, ['A-2', 'A-3']],
  ['a line separator between them', `${record('A-2')}\u2028${record('A-3')}`, ['A-2', 'A-3']],
  ['a byte order mark between them', `${record('A-2')}\ufeff${record('A-3')}`, ['A-2', 'A-3']],
  ['a list of records', `[${record('A-2')},${record('A-3')}]`, 'all'],
  ['a torn one before a whole one', record('A-2').slice(0, -4) + record('A-3'), ['A-2', 'A-3']],
  ['one torn within a name', `{"${key}":"A-2","na${record('A-3')}`, ['A-2', 'A-3']],
  ['one torn before a value', `{"${key}":"A-2","x":${record('A-3')}`, ['A-2', 'A-3']],
  ['one torn before its number', `{"na${record('A-3')}`, 'all'],
  ['one torn before its number, which comes last', `{"name":"N"${keyLast('A-3')}`, 'all'],
  ['one torn before the value of its first member', `{"name":${keyLast('A-3')}`, 'all'],
  ['one torn after its first member', `{"name":"N",${keyLast('A-3')}`, 'all'],
  ['one torn within its number', `{"${key}":"A-${record('A-3')}`, 'all'],
  ['the end of another one behind it', `${record('A-2')}me":"N"}`, 'all'],
  ['the end of another one before it', `me":"N"}${record('A-2')}`, 'all'],
  ['a whole one without a number behind it', `${record('A-2')}{"name":"N"}`, 'all'],
  ['a whole one before a torn one', record('A-2') + record('A-3').slice(0, -1), ['A-2', 'A-3']],
  ['one that has the number twice', `${record('A-2').slice(0, -1)},"${key}":"A-3"}`, 'all'],
  ['a comma too many', `${record('A-2')},`, ['A-2']],
  ['a bracket too many', `${record('A-2')}}`, ['A-2']],
  ['a quote within a name', `{"${key}":"A-2","name":"O"Neill"}`, ['A-2']],
  ['an object with a fault in a list', `{"${key}":"A-2","l":[{"a":1},{"a":01}]}`, ['A-2']],
])('a line with %s blocks every account that it may be of', async (_what, line, expected) => {
  const text = `${record('A-1')}\n${line}\n${record('A-3', 'second')}\n${record('A-4')}\n`;
  const found = await readFiles({ 'accounts.csv': accounts, 'customers.ndjson': text });
  expect(blocked(found)).toEqual(expected);
  expect(found.accounts).toBe(4);
});

const cells = (delimiter: string, at: number, account: string): string =>
  ['N', 'm@example.com', 'x y'].toSpliced(at, 0, account).join(delimiter);

test.each<[string, number, string, string[] | 'all']>([
  ['two rows', 0, cells(';', 0, 'A-2') + cells(';', 0, 'A-3'), ['A-2', 'A-3']],
  ['three rows', 0, ['A-2', 'A-3', 'A-4'].map((one) => cells(';', 0, one)).join(''), ['A-2', 'A-3', 'A-4']],
  ['a delimiter between them', 0, `${cells(';', 0, 'A-2')};${cells(';', 0, 'A-3')}`, ['A-2', 'A-3']],
  ['a blank between them', 0, `${cells(';', 0, 'A-2')} ${cells(';', 0, 'A-3')}`, ['A-2', 'A-3']],
  ['a vertical tab between them', 0, `${cells(';', 0, 'A-2')}\v${cells(';', 0, 'A-3')}`, ['A-2', 'A-3']],
  ['quoted cells', 0, `"A-2";"N";"m";"x""A-3";"N";"m";"x"`, ['A-2', 'A-3']],
  ['one quoted cell at the end of the first', 0, `A-2;N;m;"x"A-3;N;m;x`, ['A-2', 'A-3']],
  ['quoted cells and a blank between', 0, `"A-2";"N";"m";"x" "A-3";"N";"m";"x"`, ['A-2', 'A-3']],
  ['a torn row', 0, `A-2;N${cells(';', 0, 'A-3')}`, ['A-2', 'A-3']],
  ['a row torn within quotes', 0, `"A-2";"N"A-3";"N";"m";"x"`, ['A-2', 'A-3']],
  ['a row torn after its number', 0, `A-2;${cells(';', 0, 'A-3')}`, ['A-2', 'A-3']],
  ['numbers in the second column', 1, cells(';', 1, 'A-2') + cells(';', 1, 'A-3'), ['A-2', 'A-3']],
  ['numbers in the last column', 3, cells(';', 3, 'A-2') + cells(';', 3, 'A-3'), 'all'],
  ['a row torn before its number', 3, `N;m${cells(';', 3, 'A-3')}`, 'all'],
  ['a delimiter in a text', 0, 'A-2;N;m;x;y', ['A-2']],
  ['a delimiter in a text, and another number', 0, 'A-2;N;m;x;see A-3', ['A-2']],
])('a CSV line with %s blocks every account that it may be of', async (_what, at, line, expected) => {
  const header = ['name', 'mail', 'text'].toSpliced(at, 0, key).join(';');
  const row = (account: string): string => cells(';', at, account);
  const text = [header, row('A-1'), line, row('A-4'), row('A-3'), ''].join('\n');
  const found = await readFiles({ 'accounts.csv': accounts, 'customers.csv': text });
  expect(blocked(found)).toEqual(expected);
  expect(found.accounts).toBe(4);
  const inOrder = await readFiles({
    'accounts.csv': accounts,
    'customers.csv': [header, row('A-1'), line, ''].join('\n'),
  });
  expect(blocked(inOrder)).toEqual(expected);
});

test('two accounts on one line of the accounts table make no account of what only looks like a number', async () => {
  const found = await readFiles({
    'accounts.csv': `${key},name\nA-1,N\nA-2,NA-3,N\nA-4,N\n`,
    'notes.csv': `${key}\nA-3\n`,
  });
  expect([...found.bundles.keys()]).toEqual(['A-1', 'A-2', 'A-4']);
  expect(found.accounts).toBe(3);
  expect(problemsOf(found)).toEqual(['wrong_number_of_cells A-2 accounts.csv:3:name']);
  expect(places(found.faults)).toEqual([`orphan_row A-3 notes.csv:2:${key}`]);
  const twice = await readFiles({ 'accounts.csv': `${key},name\nA-1,N\nA-2,NA-3,N\nA-3,N\n` });
  expect(blocked(twice)).toEqual(['A-2', 'A-3']);
  expect(twice.accounts).toBe(3);
});

test('rows through another table are blocked for each account that a joined line may be of', async () => {
  const { tables, files } = {
    tables: [
      table('accounts.csv'),
      table('partners.csv', { key }),
      table('addresses.csv', { key: 'partner', via: { table: 'partners', column: 'partner' } }),
    ],
    files: {
      'accounts.csv': accounts,
      'partners.csv': `${key},partner\nA-1,P1\nA-2,P2\nA-3,P3\nA-4,P4\n`,
      'addresses.csv': `partner,street\nP1,S\nP2,SP3,S\nP4,S\nP3,T\n`,
    },
  };
  const opened = await openExport(directoryWith(files), tables);
  if ('problems' in opened) throw new Error('unreadable');
  const wrong: string[] = [];
  for await (const { account, problems } of opened.bundles()) if (problems.length > 0) wrong.push(account);
  expect(opened.faults).toEqual([]);
  opened.close();
  expect(wrong).toEqual(['A-2', 'A-3']);
});

test('a line with two records is among the rejected rows once, whichever of them is rejected', async () => {
  const root = directoryWith({ 'a.ndjson': `${record('A-1')}\n${record('A-2')}${record('A-3')}\n` });
  const specs = [{ name: 'accounts', file: 'a.ndjson', role: 'accounts', key } as const];
  const directory = temporaryDirectory('rejects-');
  await copyRejected(root, specs, ['a.ndjson'], directory, (account) =>
    account === 'A-3' ? 'why' : undefined,
  );
  const second = { [key]: 'A-3', name: 'N', rejected_because: 'why' };
  expect(readFileSync(join(directory, 'a.ndjson'), 'utf8')).toBe(
    `${record('A-2')}${JSON.stringify(second)}\n`,
  );
});

test.each([
  ['the last name', `${key},note,kindA-2,N,x`],
  ['a delimiter', `${key},note,kind,A-2,N,x`],
])('a first row that is joined to %s of the header holds all accounts back', async (_what, header) => {
  const rows = 'A-1,N,x\nA-3,N,x\nA-4,N,x\n';
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.csv': `${header}\n${rows}` });
  expect(blocked(found)).toBe('all');
  expect(places(found.faults)[0]).toMatch(/^wrong_number_of_cells - notes\.csv:1:kind/);
});

test('a first row with too few cells holds only its account back', async () => {
  const notes = `${key},note,kind\nA-1,N\nA-3,N,x\nA-4,N,x\n`;
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.csv': notes });
  expect(blocked(found)).toEqual(['A-1']);
});
