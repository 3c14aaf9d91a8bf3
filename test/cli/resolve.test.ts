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

const key = { supplier: 'S', account: '1' };

/** An account of which two agreements are uncertain. */
beforeAll(async () => {
  const journal = openJournal(join(directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  await journal.startRun({ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 });
  const { id } = await journal.open('p', key);
  for (const part of [0, 1]) {
    const ref = { accountId: id, step: 'agreements', part } as const;
    await journal.intend(ref, { hash: `h${part}`, run: 1, at: 1 });
    await journal.settle(ref, { state: 'uncertain', outcome: 'unknown', code: 'connection_reset', at: 2 });
  }
  const steps = { process: 'done', agreements: 'uncertain' } as const;
  await journal.change(id, { state: 'imported' });
  await journal.change(id, { state: 'uncertain', steps, code: 'connection_reset' });
  await journal.close();
});

const resolve = (...args: string[]) =>
  ranHere(['resolve', '1', '--step', 'agreements', '--json', ...args], directory);

async function shown(): Promise<unknown> {
  const story = concluded(await ranHere(['show', '1', '--json'], directory), 'show', 0);
  const attempts = story['attempts'] as { part: number; state: string; outcome: string }[];
  const ruled = attempts
    .filter(({ outcome }) => outcome === 'ruling')
    .map(({ part, state }) => [part, state]);
  return [story['state'], ruled];
}

it('takes a ruling on one part of a step, by the number that show gives it', async () => {
  expect((await resolve('--as', 'done', '--part', '2')).code).toBe(0);
  expect(await shown()).toEqual(['uncertain', [[2, 'done']]]);
  refused(
    await resolve('--as', 'done', '--part', '2', '--journal', '.migrate/journal.db'),
    'resolve',
    2,
    '1: that part of its step agreements is not uncertain, and nothing of it was refused. `migrate show 1 --journal .migrate/journal.db`',
  );
  expect((await resolve('--as', 'repeat')).code).toBe(0);
  expect(await shown()).toEqual(['imported', [[1, 'failed'], [2, 'done']]]); // prettier-ignore
});

it('takes a part of one account alone', async () => {
  const args = ['resolve', '--accounts', 'list.txt', '--step', 'agreements', '--as', 'done', '--json'];
  refused(await ranHere([...args, '--part', '1'], directory), 'resolve', 2, '--part is for one account');
});

it.each([['resolve', '--step', 'agreements', '--as', 'done'], ['retry']])(
  '%s says what of a list is in no journal',
  async (...command) => {
    writeFileSync(join(directory, 'list.txt'), '1\n2\n');
    const ended = await ranHere([...command, '--accounts', 'list.txt'], directory);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('warning: 1 account of the list is not in the journal ');
    expect(ended.stderr).toContain('journal.db: 2. Check the list.');
  },
);
