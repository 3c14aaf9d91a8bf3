import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const platform = 'https://platform.example';
const env = {
  MIGRATE_BASE_URL: platform,
  MIGRATE_PLATFORM_ID: platform,
  MIGRATE_TOKEN: 'token',
  MIGRATE_TEAM: 'T',
};
const supplier = 'S';

let space: ReturnType<typeof workspace>;
let directory: string;
let file: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  file = join(directory, '.migrate', 'journal.db');
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'export', 'accounts.ndjson'), '{"external_account_number":"1"}\n');
});
afterEach(() => space.dispose());

async function used(work: (journal: Journal) => Promise<unknown>): Promise<void> {
  const journal = openJournal(file, { synchronous: 'FULL', create: true });
  await journal.takeMark(1);
  await work(journal);
  await journal.close();
}

/** A journal of one account, put back after a later run. */
async function putBack(): Promise<void> {
  const start = { platform, platformLabel: platform, dryRun: false, export: 'export', startedAt: 1 };
  await used(async (journal) => {
    await journal.startRun(start);
    await journal.open(platform, { supplier, account: '1' });
  });
  const copy = join(directory, 'copy.db');
  copyFileSync(file, copy);
  await used((journal) => journal.startRun(start));
  copyFileSync(copy, file);
}

const said = /warning: The journal .*journal.db is older than at its last use/g;

it.each([
  ['status'],
  ['show', '1'],
  ['list'],
  ['history'],
  ['report', '--out', 'report.html'],
  ['numbers', '--out', 'numbers.csv'],
  ['plan', 'export'],
  ['journal', 'export'],
])('`migrate %s` warns once of a journal that is older than its mark', async (...args) => {
  await putBack();
  const ended = await ranHere([...args, '--json'], directory, { env });
  expect(ended.code).toBe(0);
  expect(ended.stderr.match(said)).toHaveLength(1);
});

it('nothing is said of a journal that nobody put back, nor after a run has taken it over', async () => {
  await used((journal) => journal.open(platform, { supplier, account: '1' }));
  expect((await ranHere(['status'], directory, { env })).stderr).not.toContain('warning');
  await putBack();
  await used(() => Promise.resolve());
  expect((await ranHere(['status'], directory, { env })).stderr).not.toContain('warning');
});
