import Database from 'better-sqlite3';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

it('a report does not call an export complete of which rows belong to no account', async () => {
  const directory = join(space.directory, 'rows');
  cpSync(project('fixtures/flat'), join(directory, 'flat'), { recursive: true });
  const notes = join(directory, 'flat/notes.csv');
  const whole = readFileSync(notes, 'utf8');
  writeFileSync(notes, `${whole.trimEnd()}\n,Lost,2024-01-20T23:51:31Z,true,,\n`);
  const run = (...args: string[]) => ranHere(['run', 'flat', ...args, '--json'], directory);
  const page = async () => {
    const { stdout } = await ranHere(['report', '--out', '-'], directory);
    return stdout.replaceAll(/\s+/g, ' ');
  };
  concluded(await run('--skip-unreadable'), 'run', 3);
  expect(await page()).toContain('All of 50 accounts, but not all rows');
  expect(await page()).toContain('The export has rows that belong to no account, which were not sent.');
  expect(await page()).toContain('migrate validate flat');
  writeFileSync(notes, whole);
  concluded(await run(), 'run', 0);
  expect(await page()).toContain('Complete: all of 50 accounts');
});

describe('a report', () => {
  const { directory } = space;
  beforeAll(async () => {
    const run = await ranHere(
      ['run', project('fixtures/faulty/export'), '--skip-unreadable', '--json'],
      directory,
    );
    expect(run.code).toBe(3);
  });

  it('is one page that tells what went wrong, in which cells, and what to type next', async () => {
    const ended = await ranHere(
      ['report', '--journal', '.migrate/journal.db', '--out', 'report.html', '--json'],
      directory,
    );
    const { accounts } = concluded(ended, 'report', 0);
    expect(accounts).toMatchObject({
      completed: expect.any(Number) as number,
      rejected: expect.any(Number) as number,
    });
    const file = join(directory, 'report.html');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const page = readFileSync(file, 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('Not complete');
    expect(page).toContain('invalid_<wbr />');
    expect(page).toContain('ledgers.csv:13:ledger_balance');
    expect(page).toMatch(/migrate run \S+ --supplier TENTACLE_ENERGY --journal .migrate\/journal.db</);
    expect(page).toContain('SUPPLY_');
  });

  it('goes to standard output where that is named, and to nothing beside it', async () => {
    const ended = await ranHere(['report', '--out', '-'], directory);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^<!doctype html>[^]*<\/html>\s*$/);
    refused(await ranHere(['report', '--out', '-', '--json'], directory), 'report', 2, '--out -');
  });

  it('is refused where its place cannot be written, and leaves nothing there', async () => {
    const ended = await ranHere(['report', '--out', 'no/where.html', '--json'], directory);
    refused(ended, 'report', 2, 'its directory does not exist');
  });

  it('is of all suppliers together and of each, unless one is named', async () => {
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: false,
    });
    const [{ platform } = { platform: '' }] = await journal.platforms();
    await journal.open(platform, { supplier: 'ANOTHER', account: '1' }, '/elsewhere/export');
    await journal.close();
    const { stdout } = await ranHere(['report', '--out', '-'], directory);
    const page = stdout.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(page).toContain('Migration of 2 import suppliers');
    expect(page).toMatch(/all together 63\+ 34 28 0 1/);
    const ids = [...stdout.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // No command names the export of one supplier for another.
    expect(page).not.toMatch(/faulty\S* --supplier ANOTHER/);
    const ended = await ranHere(
      ['report', '--out', 'report.html', '--json', '--supplier', 'ANOTHER'],
      directory,
    );
    expect(concluded(ended, 'report', 0)).toMatchObject({ supplier: 'ANOTHER', accounts: { pending: 1 } });
    const both = await ranHere(['report', '--out', 'report.html', '--json'], directory);
    expect(concluded(both, 'report', 0)).toMatchObject({
      ...{ supplier: null, accounts: null },
      suppliers: [{ supplier: 'ANOTHER' }, { supplier: 'TENTACLE_ENERGY', accounts: { total: 62 } }],
    });
  });
});

describe('where no account names an import supplier', () => {
  it('the page and status say that there were runs, and that the journal has no accounts', async () => {
    const directory = join(space.directory, 'unnamed');
    mkdirSync(join(directory, 'book'), { recursive: true });
    writeFileSync(join(directory, 'book', 'accounts.ndjson'), '{"external_account_number": "A-1"}\n');
    concluded(await ranHere(['run', 'book', '--dry-run', '--json'], directory), 'run', 3);
    const { stdout } = await ranHere(['status'], directory);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The journal has runs, and no accounts: no account that was read names an import supplier',
    );
    expect(
      concluded(await ranHere(['report', '--out', 'r.html', '--json'], directory), 'report', 0),
    ).toMatchObject({
      supplier: null,
      runs: 1,
    });
    const page = readFileSync(join(directory, 'r.html'), 'utf8');
    expect(page).toContain('The journal has runs, and no accounts');
    expect(page).not.toContain('Nothing was run yet');
    refused(
      await ranHere(['reconcile', '--json'], directory),
      'reconcile',
      2,
      'The journal has runs, and no accounts',
    );
    // As a kill before the first account leaves it.
    const journal = new Database(join(directory, '.migrate', 'journal.db'));
    journal.exec('UPDATE run SET ended_at = NULL, exit = NULL');
    journal.close();
    const yet =
      'The journal has no accounts yet: the last run is still before its first account, or was killed';
    expect((await ranHere(['status'], directory)).stdout.replaceAll(/\s+/g, ' ')).toContain(yet);
    refused(await ranHere(['reconcile', '--json'], directory), 'reconcile', 2, yet);
  });

  it('status of another platform says that its accounts are elsewhere', async () => {
    const { stdout } = await ranHere(['status'], space.directory, {
      env: { MIGRATE_BASE_URL: 'https://api.example.com' },
    });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The journal has accounts, but none of this platform');
  });
});

describe('where nothing was run', () => {
  it('says so on a page of its own, or that there is no journal', async () => {
    const directory = join(space.directory, 'empty');
    mkdirSync(directory);
    refused(
      await ranHere(['report', '--out', 'r.html', '--json'], directory),
      'report',
      2,
      'There is no journal at',
    );
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: true,
    });
    await journal.close();
    const ended = await ranHere(['report', '--out', 'r.html', '--json'], directory);
    expect(concluded(ended, 'report', 0)).toMatchObject({ supplier: null, accounts: null, runs: 0 });
    expect(readFileSync(join(directory, 'r.html'), 'utf8')).toContain('Nothing was run yet');
  });
});
