import { expect, test } from 'vitest';
import type { PrintedAccount } from '../../src/source/export.ts';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith, key, table } from './temporary-export.ts';

const accounts = `${key},name\nA-1,Ada\nA-2,"Ben, x"\nA-3,Cy\n`;
const notes = `${key},body\nA-1,one\nA-2,two\nA-2,three\n`;
const specs = [table('accounts.csv'), table('notes.csv')];

/** The fingerprints of the accounts of these files. */
async function printsOf(
  files: Readonly<Record<string, string>>,
  tables = specs,
): Promise<ReadonlyMap<string, string>> {
  const opened = await openExport(directoryWith(files), tables);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const prints = new Map<string, string>();
  const keep = (asked: readonly PrintedAccount[]) => {
    for (const { account, print } of asked) prints.set(account, print);
    return Promise.resolve(asked.map(() => 'unknown' as const));
  };
  const found: string[] = [];
  for await (const { account, rows } of opened.bundlesSince(keep)) {
    expect(rows?.print).toBe(prints.get(account));
    found.push(account);
  }
  opened.close();
  expect(found).toEqual([...new Set(found)]);
  return prints;
}

/** The accounts whose fingerprints differ, or that only one has. */
function different(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

test.each([
  ['a cell', { 'accounts.csv': accounts.replace('Cy', 'Di'), 'notes.csv': notes }, ['A-3']],
  [
    'a row of another table',
    { 'accounts.csv': accounts, 'notes.csv': notes.replace('three', 'four') },
    ['A-2'],
  ],
  ['a new row', { 'accounts.csv': accounts, 'notes.csv': `${notes}A-3,new\n` }, ['A-3']],
  ['a new account', { 'accounts.csv': `${accounts}A-4,x\n`, 'notes.csv': notes }, ['A-4']],
])('%s changes the fingerprint of its account alone', async (_what, files, expected) => {
  const before = await printsOf({ 'accounts.csv': accounts, 'notes.csv': notes });
  expect(before.size).toBe(3);
  expect(different(before, await printsOf(files))).toEqual(expected);
});

test.each([
  ['where a row is', { 'accounts.csv': accounts.replace('A-1', '\n\nA-1'), 'notes.csv': notes }],
  [
    'the order of rows',
    { 'accounts.csv': accounts, 'notes.csv': `${key},body\nA-1,one\nA-2,three\nA-2,two\n` },
  ],
  ['how lines end', { 'accounts.csv': accounts.replaceAll('\n', '\r\n'), 'notes.csv': notes }],
  ['the encoding', { 'accounts.csv': `\ufeff${accounts}`, 'notes.csv': notes }],
  [
    'which part has it',
    {
      'accounts-1.csv': accounts.slice(0, accounts.indexOf('A-2')),
      'accounts-2.csv': `${key},name\n${accounts.slice(accounts.indexOf('A-2'))}`,
      'notes.csv': notes,
    },
  ],
])('%s does not matter', async (_what, files) => {
  const before = await printsOf({ 'accounts.csv': accounts, 'notes.csv': notes });
  expect(different(before, await printsOf(files))).toEqual([]);
});

test.each([
  ['the names of columns', `${key},given\nA-1,Ada\nA-2,Ben\n`],
  ['the order of columns', `name,${key}\nAda,A-1\nBen,A-2\n`],
])('%s matter: the same text means something else', async (_what, other) => {
  const before = await printsOf({ 'accounts.csv': `${key},name\nA-1,Ada\nA-2,Ben\n`, 'notes.csv': notes });
  const after = await printsOf({ 'accounts.csv': other, 'notes.csv': notes });
  expect(different(before, after)).toEqual(['A-1', 'A-2']);
});

test('an account with a row that cannot be read has no fingerprint', async () => {
  const found = await printsOf({ 'accounts.csv': accounts, 'notes.csv': `${notes}A-3\n` });
  expect([...found.keys()]).toEqual(['A-1', 'A-2']);
});

const many = (count: number) =>
  `${key},name\n${Array.from({ length: count }, (_, at) => `A-${String(at).padStart(6, '0')},x${at}\n`).join('')}`;

/** Everything that is given when accounts are recognised as told, and how often each was asked about. */
async function compared(
  text: string,
  {
    first,
    then,
  }: {
    first?: (account: string) => 'unchanged' | 'changed';
    then: (account: string) => 'unchanged' | 'changed';
  },
): Promise<{ given: { account: string; isChanged: boolean; name: unknown }[]; asked: number }> {
  let asked = 0;
  const answering =
    (answer: (account: string) => 'unchanged' | 'changed') => (list: readonly PrintedAccount[]) => {
      asked += list.length;
      return Promise.resolve(list.map(({ account }) => answer(account)));
    };
  const root = directoryWith({ 'accounts.csv': text });
  const opened = await openExport(root, [table('accounts.csv')], {
    ...(first === undefined ? {} : { recognise: answering(first) }),
  });
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const given = [];
  for (let pass = 0; pass < 2; pass += 1) {
    given.length = 0;
    for await (const bundle of opened.bundlesSince(answering(then))) {
      const name = bundle.records('accounts')[0]?.fields['name'];
      given.push({ account: bundle.account, isChanged: bundle.rows?.found === 'changed', name });
    }
  }
  opened.close();
  return { given, asked: asked / 2 };
}

const isThird = (account: string) => (Number(account.slice(2)) % 1000 === 3 ? 'changed' : 'unchanged');

test.each([
  ['in the first reading', { first: isThird, then: isThird }],
  ['in the second reading', { then: isThird }],
])('accounts that are recognised %s are left out, and the others are whole', async (_when, answers) => {
  const { given } = await compared(many(5_000), answers);
  expect(given).toEqual(
    [3, 1003, 2003, 3003, 4003].map((at) => ({
      account: `A-${String(at).padStart(6, '0')}`,
      isChanged: true,
      name: `x${at}`,
    })),
  );
});

test('in files that are not sorted, the same', async () => {
  const [header, ...rows] = many(2_000).trim().split('\n');
  const { given } = await compared(`${[header, ...rows.reverse()].join('\n')}\n`, {
    first: isThird,
    then: isThird,
  });
  expect(given.map(({ account, name }) => [account, name])).toEqual([
    ['A-000003', 'x3'],
    ['A-001003', 'x1003'],
  ]);
});

test('an account that is not known any more in the second reading is read again', async () => {
  const { given } = await compared(many(2_000), {
    first: isThird,
    then: (account) => (account === 'A-000777' ? 'changed' : isThird(account)),
  });
  expect(given.map(({ account, name }) => [account, name])).toEqual([
    ['A-000003', 'x3'],
    ['A-001003', 'x1003'],
    ['A-000777', 'x777'],
  ]);
});

test('where most accounts are others, their rows are not kept, and the files are read again', async () => {
  const { given } = await compared(many(3_000), { first: () => 'changed', then: isThird });
  expect(given.map(({ account }) => account)).toEqual(['A-000003', 'A-001003', 'A-002003']);
});

test.each([
  ['known from the first reading', true],
  ['read for it', false],
])("another runner's accounts are not asked about, nor given: %s", async (_how, isFirst) => {
  const asked: string[] = [];
  const recognise = (list: readonly PrintedAccount[]) => {
    asked.push(...list.map(({ account }) => account));
    return Promise.resolve(list.map(({ account }) => isThird(account)));
  };
  const root = directoryWith({ 'accounts.csv': many(3_000) });
  const first = isFirst ? { recognise } : {};
  const opened = await openExport(root, [table('accounts.csv')], first);
  if ('problems' in opened) throw new Error('unreadable');
  const isOurs = (account: string) => Number(account.slice(2)) < 1_010;
  asked.length = 0;
  const given: string[] = [];
  for await (const { account } of opened.bundlesSince(recognise, isOurs)) given.push(account);
  opened.close();
  expect(given).toEqual(['A-000003', 'A-001003']);
  expect(asked).toHaveLength(isFirst ? 1_008 : 1_010);
});

test('an error of who is asked ends the reading', async () => {
  const root = directoryWith({ 'accounts.csv': many(500) });
  const failing = () => Promise.reject(new Error('gone'));
  await expect(openExport(root, [table('accounts.csv')], { recognise: failing })).rejects.toThrow('gone');
  const opened = await openExport(root, [table('accounts.csv')]);
  if ('problems' in opened) throw new Error('unreadable');
  await expect(opened.bundlesSince(failing)[Symbol.asyncIterator]().next()).rejects.toThrow('gone');
  opened.close();
});
