import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { writeJournal } from '../journal/written-journal.ts';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { lines, workspace } from './tool.ts';

const platform = 'https://platform.example';
const env = {
  MIGRATE_BASE_URL: platform,
  MIGRATE_PLATFORM_ID: platform,
  MIGRATE_TOKEN: 't',
  MIGRATE_TEAM: 'T',
};

let space: ReturnType<typeof workspace>;
let directory: string;
let file: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  mkdirSync(join(directory, '.migrate'), { mode: 0o700 });
  file = join(directory, '.migrate', 'journal.db');
});
afterEach(() => space.dispose());

const here = (...args: string[]) => ranHere(args, directory, { env });

/** Accounts that a build of schema 19 called rejected, because the platform refused the repetition of a lost request. */
function refuseRepetitions(...steps: readonly ('notes' | 'agreements')[]): void {
  const numbers = { notes: 4, agreements: 6 };
  const db = new Database(file);
  for (const [at, step] of steps.entries()) {
    const id = 100 + at;
    const packed = 2 + 2 * 8 + 2 * 64 + 3 * 8 ** (numbers[step] - 1);
    db.exec(`INSERT INTO account (id, supplier, number, state, steps, code, kraken_account_number, plan_hash)
      VALUES (${id}, 1, 'LOST-${at}', 4, ${packed}, 'invalid', 'A-${id}', 'plan-${id}');
    INSERT INTO part (account, step, part, state, hash, attempt, run, sent_at, took, outcome, status)
      VALUES (${id}, 3, 0, 1, 'process-${id}', 1, 1, 1700000001000, 20, 'ok', 201);
    INSERT INTO part (account, step, part, state, hash, attempt, run, sent_at, took, outcome, status, code)
      VALUES (${id}, ${numbers[step]}, 0, 2, 'hash-${id}:1', 2, 1, 1700000003000, 20, 'refused', 400, 'invalid');
    INSERT INTO attempt (account, step, part, state, hash, attempt, run, sent_at, took, outcome)
      VALUES (${id}, ${numbers[step]}, 0, 0, 'hash-${id}:1', 1, 1, 1700000002000, 20, 'unknown');
    UPDATE tally SET accounts = accounts + 1 WHERE supplier = 1 AND (step, state) IN ((0, 4), (1, 2), (2, 2), (3, 2));
    INSERT INTO tally VALUES (1, ${numbers[step]}, 3, 1)
      ON CONFLICT DO UPDATE SET accounts = accounts + 1`);
  }
  db.close();
}

it('accounts that were rejected for a refused repetition are put right by the upgrade, once, and it says so', async () => {
  writeJournal(file, 19);
  refuseRepetitions('notes', 'notes', 'agreements');
  const upgraded = await here('journal', 'upgrade');
  expect(upgraded.code).toBe(0);
  const said = upgraded.stderr.replaceAll(/\s+/g, ' ');
  expect(said).toContain('3 accounts are no longer rejected: the platform refused the repetition');
  expect(said).toContain('The next run settles 2 accounts. 1 account waits for a ruling');
  const listed = lines((await here('list', '--json', '--state', 'uncertain')).stdout).slice(0, -1);
  expect([...new Set(listed.map(({ account }) => account))]).toEqual(['EXT-4', 'LOST-2']);
  const again = await here('journal', 'upgrade');
  expect(again.stdout).toContain('is of this version already');
  expect(again.stderr).not.toContain('no longer rejected');
  expect((await here('journal', 'check')).code).toBe(0);

  const history = await here('history', '--json');
  expect(concluded(history, 'history', 0)).toMatchObject({ upgrades: 2 });
  expect(linesOfType(history.stdout, 'upgrade')).toMatchObject([
    { fromSchema: 25, toSchema: 25, accounts: 3 },
    { fromSchema: 19, toSchema: 25, fromVersion: '0.1.0', accounts: 0 },
  ]);
  const text = (await here('history')).stdout;
  expect(text).toContain('Upgrades of the journal');
  expect(text).toContain('schema 19 to 25, written by');
});

it('a supplier that a run holds is concluded by the next command', async () => {
  writeJournal(file, 19);
  refuseRepetitions('notes');
  await here('journal', 'upgrade');
  const db = new Database(file);
  db.exec(`UPDATE conclusion SET rules = 0;
    UPDATE lease SET host = 'elsewhere', pid = 1, expires_at = ${Date.now() + 600_000} WHERE supplier = 1`);
  await here('journal', 'upgrade');
  expect(db.prepare('SELECT rules FROM conclusion').pluck().get()).toBe(0);
  db.exec('UPDATE lease SET expires_at = 0');
  await here('journal', 'upgrade');
  expect(db.prepare('SELECT rules FROM conclusion').pluck().get()).toBe(1);
  db.close();
});

it.each([
  ['status'],
  ['show', 'EXT-1'],
  ['list'],
  ['history'],
  ['report', '--out', 'r.html'],
  ['numbers', '--out', 'n.csv'],
  ['journal', 'export'],
  ['plan', 'export'],
])('`migrate %s` leaves a journal of an earlier version as it is, and says what to do', async (...args) => {
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'export', 'accounts.ndjson'), '{"external_account_number":"1"}\n');
  writeJournal(file, 19);
  const ended = await here(...args, '--json');
  expect(ended.code).toBe(2);
  expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain('Upgrade it with `migrate journal upgrade`');
  expect(readdirSync(join(directory, '.migrate')).filter((name) => !name.startsWith('index-'))).toEqual([
    'journal.db',
  ]);
});

it('a journal of this version is opened by every command without a word', async () => {
  const journal = openJournal(file, { synchronous: 'FULL', create: true });
  await journal.takeMark(1);
  await journal.close();
  for (const command of ['status', 'history', 'list']) expect((await here(command)).stderr).toBe('');
});
