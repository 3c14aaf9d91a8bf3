import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BlockIndexes, type ReadAs } from '../../../src/source/blocks/block-index.ts';
import { ReadingInBlocks } from '../../../src/source/blocks/reading-in-blocks.ts';
import { ComparedAccounts } from '../../../src/source/compared-accounts.ts';
import type { PrintedAccount } from '../../../src/source/export.ts';
import { FileCounter } from '../../../src/source/file-counts.ts';
import { orders } from '../../../src/source/merge.ts';
import { openTables } from '../../../src/source/open-tables.ts';
import { placeAt } from '../../../src/source/places/places.ts';
import { RowFaults } from '../../../src/source/row-faults.ts';
import { directoryWith, key, table } from '../temporary-export.ts';

const number = (at: number) => `A${String(at).padStart(4, '0')}`;
const numbers = Array.from({ length: 100 }, (_, at) => number(at));
const accounts = `${key},name\n${numbers.map((one) => `${one},x\n`).join('')}`;
const notes = `${key},body\n${numbers.map((one) => `${one},"a\nb"\n${one},c\n`).join('')}`;

let root: string;
let kept: string;
beforeEach(() => {
  root = directoryWith({ 'accounts.csv': accounts, 'notes.csv': notes });
  kept = directoryWith({});
});

const indexes = (version = '1') => new BlockIndexes(kept, version, { accountsEach: 10 });

async function asked(trim = false): Promise<ReadAs> {
  const place = await placeAt(root, {});
  const specs = ['accounts.csv', 'notes.csv'].map((file) => table(file, trim ? { trim } : {}));
  const opened = await openTables(place, specs, readdirSync(root));
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const [order] = orders;
  if (order === undefined) throw new Error('there is an order');
  return { files: opened.flat(), at: 0, order, mostBytes: undefined };
}

/** The accounts whose rows are parsed, and those about which is asked. */
async function read({ version = '1', trim = false, isAll = true } = {}) {
  const read = await asked(trim);
  const tables = read.files.map((file) => file.table);
  const told: string[] = [];
  const recognise = (list: readonly PrintedAccount[]) => {
    told.push(...list.map(({ account }) => account));
    return Promise.resolve(
      list.map(({ account }) => (isAll || account !== number(55) ? 'unchanged' : 'unknown')),
    );
  };
  const compared = new ComparedAccounts(tables, recognise);
  const learning = { findings: new RowFaults(tables), counter: new FileCounter(read.files), compared };
  const blocks = await ReadingInBlocks.of(read, indexes(version), learning);
  if (blocks === undefined) throw new Error('they can be read by blocks');
  const parsed: string[] = [];
  for await (const rows of blocks.groups({})) {
    const [{ account } = { account: '' }] = rows;
    parsed.push(account);
    const print = await compared.add(rows);
    if (print !== undefined) blocks.print({ account, print });
  }
  await compared.finish();
  blocks.finish();
  blocks.close();
  const others = [...compared.others()].map(({ rows }) =>
    rows.map(({ account, row }) => [account, row.line]),
  );
  compared.close();
  return { parsed, told, others };
}

const from = (first: number, after: number) => numbers.slice(first, after);

test('a block is parsed if one of its rows has changed, and the first one always', async () => {
  expect((await read()).parsed).toEqual(numbers);
  expect((await read()).parsed).toEqual(from(0, 10));
  writeFileSync(join(root, 'notes.csv'), notes.replace('A0042,c', 'A0042,d'));
  const changed = await read();
  expect(changed.parsed).toEqual([...from(0, 10), ...from(40, 50)]);
  expect(changed.told).toEqual(numbers);
});

test('rows that are added move the others, and only their own block is parsed', async () => {
  await read();
  writeFileSync(join(root, 'notes.csv'), notes.replace('A0050,"a', 'A0049,late\nA0050,"a'));
  expect((await read()).parsed).toEqual([...from(0, 10), ...from(40, 50)]);
  expect((await read()).parsed).toEqual(from(0, 10));
});

test('an account that leaves the export takes the beginning of its block with it', async () => {
  await read();
  writeFileSync(join(root, 'accounts.csv'), accounts.replace('A0050,x\n', ''));
  writeFileSync(join(root, 'notes.csv'), notes.replace('A0050,"a\nb"\nA0050,c\n', ''));
  const found = await read();
  expect(found.parsed).toEqual([...from(0, 10), ...from(40, 50), ...from(51, 60)]);
  expect(found.told).toEqual(numbers.filter((one) => one !== number(50)));
});

test('an export of another name is compared with the one before', async () => {
  await read();
  root = directoryWith({ 'accounts.csv': accounts, 'notes.csv': notes.replace('A0042,c', 'A0042,d') });
  expect((await read()).parsed).toEqual([...from(0, 10), ...from(40, 50)]);
});

test('rows of an account that the journal does not have as unchanged are read, at their lines', async () => {
  await read();
  const { parsed, others } = await read({ isAll: false });
  expect(parsed).toEqual(from(0, 10));
  expect(others).toEqual([
    [
      ['A0055', 57],
      ['A0055', 167],
      ['A0055', 169],
    ],
  ]);
});

const file = () => join(kept, readdirSync(kept)[0] ?? '');

test.each([
  ['edited', () => writeFileSync(file(), readFileSync(file(), 'utf8').replace('A0015', 'A0016'))],
  ['cut', () => writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, -60))],
  [
    'cut after a block',
    () => writeFileSync(file(), readFileSync(file(), 'utf8').replace(/\n[^\n]*\n(end.*)$/, '\n$1')),
  ],
  ['empty', () => writeFileSync(file(), '')],
])('an index that is %s is not believed', async (_what, spoil) => {
  await read();
  spoil();
  expect((await read()).parsed).toEqual(numbers);
  expect((await read()).parsed).toEqual(from(0, 10));
});

test('blocks of another version, or of other settings of a table, are not believed', async () => {
  await read();
  expect((await read({ version: '2' })).parsed).toEqual(numbers);
  expect((await read({ version: '2', trim: true })).parsed).toEqual(numbers);
  expect((await read({ version: '2', trim: true })).parsed).toEqual(from(0, 10));
});

test('the latest exports are kept, for their owner alone, and what was not finished is removed after a day', async () => {
  for (let one = 0; one < 7; one += 1) {
    root = directoryWith({ 'accounts.csv': accounts, 'notes.csv': notes });
    const left = indexes().write(await asked());
    expect(left).toBeDefined();
    await read();
  }
  const found = readdirSync(kept);
  expect(found.filter((name) => !name.endsWith('.new')).length).toBe(4);
  for (const name of found) {
    expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);
    if (name.endsWith('.new')) utimesSync(join(kept, name), new Date(0), new Date(0));
  }
  await read();
  expect(readdirSync(kept).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('a directory that is gone keeps no index, and the reading is the same', async () => {
  kept = join(kept, 'gone');
  expect(await read()).toEqual(await read());
});
