import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

const open = () =>
  openJournal(join(directory, '.migrate/journal.db'), { synchronous: 'NORMAL', create: true });

/** Accounts of two suppliers with one number, whose registrations are uncertain. */
beforeAll(async () => {
  const journal = open();
  await journal.startRun({ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 });
  for (const [supplier, account] of [
    ['A', '17'],
    ['B', '17'],
    ['B', '18'],
  ] as const) {
    await journal.open('p', { supplier, account });
    const ref = { platform: 'p', step: 'registration', item: `${supplier}/${account}` };
    await journal.items.intend(ref, { hash: 'h', run: 1, at: 1 });
    await journal.items.settle(ref, { state: 'uncertain', outcome: 'unknown', code: 'lost_answer', at: 2 });
  }
  await journal.close();
});

async function states(): Promise<unknown> {
  const journal = open();
  const found: string[] = [];
  for await (const { item, state } of journal.items.unfinished('p', 'registration'))
    found.push(`${item} ${state}`);
  await journal.close();
  return found;
}

const resolve = (names: string, ...args: string[]) => {
  writeFileSync(join(directory, 'list.txt'), names);
  const of = ['--accounts', 'list.txt', '--step', 'registration', '--as', 'repeat'];
  return ranHere(['resolve', ...of, '--json', ...args], directory);
};

it('a list rules on nothing where a name of it is that of two suppliers', async () => {
  refused(await resolve('17\n18\n'), 'resolve', 2, '(17). Write SUPPLIER/NAME');
  expect(await states()).toEqual(['A/17 uncertain', 'B/17 uncertain', 'B/18 uncertain']);
  expect(concluded(await resolve('B/17\n18\n'), 'resolve', 0)).toMatchObject({ items: 2 });
  expect(await states()).toEqual(['A/17 uncertain', 'B/17 failed', 'B/18 failed']);
  expect(concluded(await resolve('17\n', '--supplier', 'A'), 'resolve', 0)).toMatchObject({ items: 1 });
});
