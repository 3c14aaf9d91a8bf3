import Database from 'better-sqlite3';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { contents } from './platform-contents.ts';
import { lines, served, start, summaryOf, tool, workspace, type Served } from './tool.ts';

const accounts = 120;
let shared: ReturnType<typeof workspace>;
let book: string;
let whole: Map<string, string>;

const environment = (platform: Served) => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '200',
});

beforeAll(async () => {
  shared = workspace();
  book = join(shared.directory, 'book');
  await generateExport({
    directory: book,
    accounts,
    seed: 17,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  const undisturbed = await served(shared.directory, '--port', '0', '--state', 'undisturbed.db');
  await tool(['run', book, '--yes', '--quiet'], shared.directory, environment(undisturbed));
  await undisturbed.stop();
  whole = contents(join(shared.directory, 'undisturbed.db'));
});
afterAll(() => shared.dispose());

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const journal = (...args: string[]) => ranHere(['journal', ...args, '--json'], directory);

/** Runs the book into a platform of its own; what it holds in the end. */
async function onPlatform(
  work: (run: (...args: string[]) => Promise<Record<string, unknown>>) => Promise<void>,
) {
  const platform = await served(directory, '--port', '0', '--state', 'platform.db');
  try {
    await work(async (...args) => {
      const ended = await tool(['run', book, '--yes', '--json', ...args], directory, environment(platform));
      return summaryOf(ended.stdout);
    });
  } finally {
    await platform.stop();
  }
  return contents(join(directory, 'platform.db'));
}

describe('a journal that is put back from a backup after the run went on without it', () => {
  it('has each account finished once: the platform holds what it does after an undisturbed run', async () => {
    const held = await onPlatform(async (run) => {
      // Some done, some staged, some that exist without their history, and some never seen.
      expect(await run('--limit', '30')).toMatchObject({ exit: 6 });
      await run('--steps', 'validate,stage', '--limit', '20');
      await run('--steps', 'validate,stage,process,notes', '--limit', '40');
      concluded(await journal('backup', 'half.db'), 'journal', 0);
      expect(await run()).toMatchObject({ exit: 0, accounts: { completed: accounts } });
      concluded(await journal('restore', 'half.db', '--yes'), 'journal', 0);
      expect(await run()).toMatchObject({ exit: 0, accounts: { completed: accounts } });
      expect(await run()).toMatchObject({ exit: 0, requests: 0 });
    });
    expect(held).toEqual(whole);
    expect(concluded(await journal('check'), 'journal', 0)).toMatchObject({ faults: 0 });
  });

  it('has left to a person what the platform could not tell apart, and nothing sent twice', async () => {
    // As careful as against a platform of which nothing is known.
    writeFileSync(
      join(directory, '.migraterc'),
      'agreementsMayRepeat: false\nbillingRefusalCountsAsOurs: false\nstatementsRefuseKnownIds: false\n',
    );
    const held = await onPlatform(async (run) => {
      await run('--limit', '30');
      await run('--steps', 'validate,stage,process', '--limit', '30');
      concluded(await journal('backup', 'half.db'), 'journal', 0);
      expect(await run()).toMatchObject({ exit: 0, accounts: { completed: accounts } });
      concluded(await journal('restore', 'half.db', '--yes'), 'journal', 0);
      const again = await run();
      expect(again).toMatchObject({
        exit: 8,
        accounts: { total: accounts, rejected: 0, failed: 0, skipped: 0 },
      });
      const { completed = 0, uncertain = 0 } = again['accounts'] as Record<string, number>;
      expect(completed + uncertain).toBe(accounts);
      expect(completed).toBeGreaterThanOrEqual(30);
      expect(uncertain).toBeGreaterThan(0);
    });
    expect(held).toEqual(whole);
  });

  it('does not hold up what was never sent: it is sent as ever', async () => {
    const held = await onPlatform(async (run) => {
      await run('--limit', '30');
      concluded(await journal('backup', 'half.db'), 'journal', 0);
      concluded(await journal('restore', 'half.db', '--yes'), 'journal', 0);
      const status = async () => concluded(await ranHere(['status', '--json'], directory), 'status', 0);
      expect(await status()).toMatchObject({ suppliers: [{ inDoubt: accounts - 30 }] });
      const { stdout } = await ranHere(['status'], directory);
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        `The journal was restored, and ${accounts - 30} accounts are in doubt`,
      );
      expect(await run()).toMatchObject({ exit: 0, accounts: { completed: accounts } });
      expect(await status()).toMatchObject({ suppliers: [{ inDoubt: 0 }] });
    });
    expect(held).toEqual(whole);
  });
});

describe('migrate journal', () => {
  it('backs up while a run writes, and refuses to restore under it', async () => {
    const child = start(['run', book, '--json', '--concurrency', '2'], directory);
    const closed = once(child, 'close');
    if (child.stdout === null) throw new Error('a child without stdout');
    const seen = createInterface({ input: child.stdout });
    await once(seen, 'line');
    const backup = concluded(await journal('backup', 'live.db'), 'journal', 0);
    expect(backup).toMatchObject({ action: 'backup', backup: 'live.db' });
    refused(
      await journal('restore', 'live.db'),
      'journal',
      7,
      'Nothing is restored: another run holds TENTACLE_ENERGY',
    );
    child.kill('SIGTERM');
    await closed;
    expect(statSync(join(directory, 'live.db')).mode & 0o777).toBe(0o600);
    const check = await ranHere(['journal', 'check', '--json', '--journal', 'live.db'], directory);
    expect(concluded(check, 'journal', 0)).toMatchObject({ faults: 0 });
    refused(await journal('backup', 'live.db'), 'journal', 2, 'live.db already exists.');
    concluded(await journal('backup', 'live.db', '--force'), 'journal', 0);
  });

  it('names what is wrong, for people and programs, and how to go on', async () => {
    await tool(['run', book, '--limit', '3', '--quiet'], directory);
    const file = join(directory, '.migrate/journal.db');
    const db = new Database(file);
    db.exec('UPDATE account SET kraken_account_number = NULL WHERE id = 2');
    db.close();
    const ended = await journal('check', '--journal', '.migrate/journal.db');
    const remedy = 'migrate journal restore FILE --journal .migrate/journal.db.';
    refused(ended, 'journal', 2, `has 1 fault. Restore a backup: ${remedy}`);
    expect(linesOfType(ended.stdout, 'fault')).toEqual([
      expect.objectContaining({ code: 'number_without_account', account: expect.stringMatching(/^EXT-/) }),
    ]);
    const told = await ranHere(['journal', 'check'], directory);
    expect(told.stdout).toMatch(
      /^EXT-\d+ of TENTACLE_ENERGY: It has a new number .* \(number_without_account\)\n$/,
    );
  });

  it('exports all that it holds, account by account, without payloads', async () => {
    writeFileSync(join(directory, 'five.txt'), [1, 2, 3, 4, 5].map((at) => `EXT-00000${at}\n`).join(''));
    await tool(['run', book, '--accounts', 'five.txt', '--quiet'], directory);
    const ended = await journal('export');
    const records = lines(ended.stdout);
    const types = ['run', ...Array.from({ length: 120 }, () => 'account'), 'summary'];
    expect(records.map(({ type }) => type)).toEqual(types);
    expect(summaryOf(ended.stdout)).toMatchObject({ action: 'export', runs: 1, accounts: 120 });
    expect(records.filter(({ state }) => state === 'completed')).toHaveLength(5);
    const [, account] = records;
    expect(account).toMatchObject({
      account: 'EXT-000001',
      supplier: 'TENTACLE_ENERGY',
      state: 'completed',
      krakenAccountNumber: expect.stringMatching(/^A-/),
      stagedHash: expect.stringMatching(/^[\w-]{22}$/),
      inDoubtSince: null,
      steps: { process: 'done' },
    });
    const staged = { step: 'stage', state: 'done', status: 201, hash: account?.['stagedHash'] };
    expect(account?.['attempts']).toContainEqual(expect.objectContaining(staged));
    expect(ended.stdout).not.toMatch(/family_name|@/);
    const plain = await ranHere(['journal', 'export'], directory);
    expect(lines(plain.stdout)).toEqual(records.slice(0, -1));
  });

  it.each(['check', 'backup x.db', 'export'])(
    '%s says so where there is no journal, and makes none',
    async (line) => {
      refused(await journal(...line.split(' ')), 'journal', 2, 'There is no journal at');
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it('restores where there is none', async () => {
    await tool(['run', book, '--limit', '3', '--quiet', '--journal', 'a/journal.db'], directory);
    const backup = readFileSync(join(directory, 'a/journal.db'));
    writeFileSync(join(directory, 'backup.db'), backup);
    const ended = await ranHere(['journal', 'restore', 'backup.db', '--journal', 'b.db'], directory);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^backup\.db is restored as .*b\.db\.\nWhat it does not have as done/);
    expect(existsSync(join(directory, 'b.db'))).toBe(true);
  });
});
