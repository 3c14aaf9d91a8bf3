import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CountedBooks } from '../../src/cli/counted-books.ts';
import type { Journal, RunEntry, SupplierOverview } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { OwnClock } from '../report/fixture.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let path: string;
let journal: Journal;
let clock: OwnClock;
let opened: number;
let books: CountedBooks;

beforeEach(() => {
  space = workspace();
  path = join(space.directory, 'journal.db');
  journal = openJournal(path, { synchronous: 'NORMAL', create: true });
  clock = new OwnClock();
  opened = 0;
  books = new CountedBooks(clock, () => {
    opened += 1;
    return Promise.resolve(openJournal(path, { synchronous: 'NORMAL', create: false, reading: true }));
  });
});
afterEach(async () => {
  await books.end();
  await journal.close();
  space.dispose();
});

async function rejected(account: string, supplier = 'S'): Promise<void> {
  const { id } = await journal.open('p', { supplier, account });
  await journal.change(id, { state: 'rejected', code: 'invalid_postcode' });
}

const runs: readonly RunEntry[] = [];

/** A look at the book, and what was counted once the reading has ended. */
async function look(): Promise<readonly SupplierOverview[]> {
  const suppliers = await journal.overview();
  books.see(suppliers, runs);
  // Reading and closing a journal of a few accounts takes few turns.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  return suppliers;
}

const causesOf = (suppliers: readonly SupplierOverview[]) =>
  suppliers.map((one) => books.of(one, runs)?.survey.failures.map(({ accounts }) => accounts));

it('counts at the first look, then again only where something changed, and not before a rest', async () => {
  await rejected('1');
  expect(causesOf(await look())).toEqual([[1]]);
  await clock.pass(60_000);
  await look();
  expect(opened).toBe(1);

  await rejected('2');
  expect(causesOf(await look())).toEqual([[2]]);
  await rejected('3');
  const [changed] = await look();
  expect(books.of(changed!, runs)).toMatchObject({ isCurrent: false, at: clock.now() });
  expect(opened).toBe(2);
  await clock.pass(10_000);
  expect(causesOf(await look())).toEqual([[3]]);
  expect(books.of(changed!, runs)).toMatchObject({ isCurrent: true });
});

it('counts each supplier of a journal, the one that waited longest first', async () => {
  await rejected('1', 'A');
  await rejected('2', 'B');
  expect(causesOf(await look())).toEqual([[1], undefined]);
  expect(causesOf(await look())).toEqual([[1], [1]]);
});

it('lets others have their turn after some accounts, and ends while it waits', async () => {
  for (let at = 0; at < 250; at += 1) await rejected(String(at));
  const [overview] = await look();
  expect(clock.waiting).toBe(1);
  expect(books.readingOf(overview!)).toBe(100);
  expect(books.of(overview!, runs)).toBeUndefined();
  await books.end();
  expect(clock.waiting).toBe(0);
  expect(books.readingOf(overview!)).toBeUndefined();
  expect(books.of(overview!, runs)).toBeUndefined();
});
