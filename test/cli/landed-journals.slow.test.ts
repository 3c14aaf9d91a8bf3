import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { newest, writeJournal, writtenJournals } from '../journal/written-journal.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, served, workspace, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
let platform: Served;
beforeEach(async () => {
  space = workspace();
  ({ directory } = space);
  mkdirSync(join(directory, '.migrate'), { mode: 0o700 });
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'operator.yaml'), operator);
  platform = await served(directory, '--state', 'state.db', '--operator', 'operator.yaml');
});
afterEach(async () => {
  await platform.stop();
  space.dispose();
});

/** Every second answer to what can be asked about again is lost. */
const operator = `suppliers: { TENTACLE_ENERGY: {}, S: {} }
faults:
  seed: 3
  rules:
    - { kind: reset, when: after, on: [process, transactions], rate: 0.5 }
`;

/** Accounts of the fixtures, under numbers that a journal has or does not know. */
function writeExport(numbers: readonly string[], supplier = 'TENTACLE_ENERGY'): void {
  for (const table of ['accounts', 'notes', 'transactions']) {
    const rows = readFileSync(project(`fixtures/interface/${table}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    const own = numbers.flatMap((number, at) =>
      rows
        .filter((row) => row.includes(`"EXT-00000${at + 1}"`))
        .map((row) =>
          row
            .replace(
              `"external_account_number":"EXT-00000${at + 1}"`,
              `"external_account_number":"${number}"`,
            )
            .replace('"import_supplier":"TENTACLE_ENERGY"', `"import_supplier":"${supplier}"`),
        ),
    );
    writeFileSync(join(directory, 'export', `${table}.ndjson`), `${own.join('\n')}\n`);
  }
}

/** `journal`: where the journal is, and the platform and accounts that it has. */
let journal: Readonly<Record<string, string>> = {};
const here = (...args: string[]) =>
  ranHere([...args, '--json'], directory, {
    env: {
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_TEAM: 'MIGRATIONS',
      MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
      MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
      MIGRATE_RETRY_BASE_MS: '5',
      MIGRATE_RETRY_CAP_MS: '20',
      ...journal,
    },
  });

/** What the journal says of accounts that no run touches, and of what people did. */
async function untouched(accounts: readonly unknown[]): Promise<unknown[]> {
  const told = lines((await here('journal', 'export')).stdout).filter(
    ({ type, account }) => type === 'intervention' || accounts.includes(account),
  );
  // The platform's address is that of this test.
  return told.map((one) => ({ ...one, platformLabel: undefined }));
}

/** Takes the journal through a whole run of `sent`; nothing else of it changes. */
async function wholeRun(sent: readonly string[], left: readonly string[], counts: object): Promise<void> {
  expect((await here('journal', 'upgrade')).code).toBe(0);
  const before = await untouched(left);
  expect(before.length).toBeGreaterThanOrEqual(left.length);
  expect(concluded(await here('run', 'export', '--yes'), 'run', 0)['accounts']).toMatchObject(counts);
  const there = [...dumpAccounts(join(directory, 'state.db'))];
  expect(there.map(({ account }) => account).sort()).toEqual(sent);
  for (const { account, notes, transactions } of there) {
    expect(new Set(notes).size, account).toBe(notes.length);
    expect(new Set(transactions).size, account).toBe(transactions.length);
  }
  expect(await untouched(left)).toEqual(before);
  expect(concluded(await here('run', 'export', '--yes'), 'run', 0)['requests']).toBe(0);
  expect((await here('journal', 'check')).code).toBe(0);
}

const title =
  'is taken through a whole run with lost answers: nothing twice, nothing lost, rulings as they were';

describe.each(writtenJournals.filter(({ version, raisedTo }) => version === raisedTo && version < newest))(
  'a journal $fixture',
  (kind) => {
    it(title, async () => {
      // Refused, and sent without an answer; the others it does not know.
      const numbers = ['EXT-2', 'EXT-3', 'EXT-7', 'EXT-8'];
      writeExport(numbers);
      journal = { MIGRATE_PLATFORM_ID: 'https://platform.example' };
      const file = join(directory, '.migrate', 'journal.db');
      writeJournal(file, kind);
      // A new platform gives the first numbers again.
      new Database(file)
        .exec("UPDATE account SET kraken_account_number = replace(kraken_account_number, 'A-0', 'A-9')")
        .close();
      await wholeRun(numbers, ['EXT-1', 'EXT-4'], { completed: 5, uncertain: 1, rejected: 0, failed: 0 });
    });
  },
);

const fixtures = join(import.meta.dirname, '../journal/postgres/versions');
const landed = readdirSync(fixtures).sort();

describe.skipIf(!hasPostgres)('a journal in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());

  /** Makes a database with a journal that a build wrote. */
  async function written(fixture: string): Promise<string> {
    const database = await server.makeDatabase();
    await server.query(readFileSync(join(fixtures, fixture), 'utf8'), database);
    journal = { MIGRATE_PLATFORM_ID: 'p', MIGRATE_JOURNAL: server.url(database), ...server.env };
    return database;
  }

  it.each(landed)(`%s ${title}`, async (fixture) => {
    // B could not be sent.
    const numbers = ['B', 'EXT-7', 'EXT-8'];
    writeExport(numbers, 'S');
    await written(fixture);
    await wholeRun(numbers, ['A'], { completed: 4, uncertain: 0, rejected: 0, failed: 0 });
  });

  it.each(landed.filter((fixture) => Number.parseInt(fixture) < 8))(
    '%s: accounts that were rejected for a refused repetition are put right, once, and it says so',
    async (fixture) => {
      const database = await written(fixture);
      const change = (sql: string) => server.query(`SET search_path TO migrate; ${sql}`, database);
      for (const [number, step] of [
        ['LOST-1', 4],
        ['LOST-2', 6],
      ] as const) {
        const packed = 2 + 2 * 8 + 2 * 64 + 3 * 8 ** (step - 1);
        const [account] = await change(
          `INSERT INTO account (supplier, number, state, steps, code, kraken_account_number, plan_hash)
          VALUES (1, '${number}', 4, ${packed}, 'invalid', 'K-${number}', 'p') RETURNING id`,
        );
        const id = Number(account?.['id']);
        await change(
          `INSERT INTO part (account, step, part, state, hash, attempt, run, sent_at, took, outcome, status, code)
          VALUES (${id}, 3, 0, 1, 'process', 1, 1, 1000, 20, 'ok', 201, NULL),
            (${id}, ${step}, 0, 2, 'hash:1', 2, 1, 3000, 20, 'refused', 400, 'invalid');
          INSERT INTO attempt (account, step, part, state, hash, attempt, run, sent_at, took, outcome)
          VALUES (${id}, ${step}, 0, 0, 'hash:1', 1, 1, 2000, 20, 'unknown')`,
        );
      }
      await change(
        `UPDATE tally SET accounts = accounts + 2 WHERE supplier = 1 AND (step, state) IN ((1, 2), (2, 2), (3, 2));
        INSERT INTO tally (supplier, step, state, accounts) VALUES (1, 0, 4, 2), (1, 4, 3, 1), (1, 6, 3, 1)`,
      );
      const upgraded = await here('journal', 'upgrade');
      expect(upgraded.code).toBe(0);
      const said = upgraded.stderr.replaceAll(/\s+/g, ' ');
      expect(said).toContain('2 accounts are no longer rejected: the platform refused the repetition');
      expect(said).toContain('The next run settles 1 account. 1 account waits for a ruling');
      const listed = lines((await here('list', '--state', 'uncertain')).stdout).slice(0, -1);
      expect([...new Set(listed.map(({ account }) => account))]).toEqual(['LOST-2']);
      expect((await here('journal', 'upgrade')).stderr).not.toContain('no longer rejected');
      expect((await here('journal', 'check')).code).toBe(0);
      const upgrades = lines((await here('history')).stdout).filter(({ type }) => type === 'upgrade');
      expect(upgrades).toMatchObject([{ accounts: 2 }, { fromVersion: '0.1.0', accounts: 0 }]);
    },
  );
});
