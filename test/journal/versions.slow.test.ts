import Database from 'better-sqlite3';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { restoreJournal } from '../../src/journal/sqlite/restore-journal.ts';
import { journalSpec } from '../../src/journal/sqlite/schema.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { collect } from './conformance/collect.ts';
import { newest, writeJournal, writtenJournals } from './written-journal.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const options = { synchronous: 'NORMAL', create: false } as const;

const platform = 'https://platform.example';
const find = (journal: Journal, account: string) =>
  journal.find(platform, { supplier: 'TENTACLE_ENERGY', account });

it('every version of the schema has a journal, which landed with it', () => {
  const remedy = `Copy the file of the version before to test/journal/versions/${newest}.sql, and add what is new.`;
  const versions = writtenJournals.map(({ version }) => version);
  expect([...new Set(versions)], remedy).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
});

describe.each(writtenJournals)(
  'a journal $fixture that a build of schema version $raisedTo wrote',
  (kind) => {
    const { fixture, version } = kind;
    const hasCells = fixture !== '14-without-cells-index-warning' && version >= 14;

    it('takes an account that is scheduled', async () => {
      writeJournal(file, kind);
      const journal = openJournal(file, options);
      const entry = await find(journal, 'EXT-3');
      await journal.change(entry?.id ?? 0, { state: 'scheduled' });
      await journal.close();
      const again = openJournal(file, options);
      expect((await find(again, 'EXT-3'))?.state).toBe('scheduled');
      await again.close();
    });

    it('is taken forward with all that it holds', async () => {
      writeJournal(file, kind);
      const journal = openJournal(file, options);
      expect(await find(journal, 'EXT-1')).toMatchObject({
        state: 'completed',
        krakenAccountNumber: 'A-00000001',
        stagedHash: 'hash-1',
        planHash: 'plan-1',
        steps: { validate: 'done', process: 'done', notes: 'done', statements: 'none' },
        parts: [
          { step: 'validate' },
          { step: 'stage' },
          { step: 'process' },
          { hash: 'hash-notes:2', status: 201 },
        ],
      });
      const refused = await find(journal, 'EXT-2');
      expect(refused).toMatchObject({ state: 'rejected', code: 'invalid_phone_number' });
      expect(await collect(journal.attempts(refused?.id ?? 0))).toMatchObject([
        { attempt: 1, hash: 'hash-2-0', answeredAt: 1_700_000_001_020 },
        { attempt: 2, hash: 'hash-2-1', state: 'refused' },
      ]);
      expect(await collect(journal.problems(refused?.id ?? 0))).toEqual([
        {
          step: 'validate',
          code: 'invalid_phone_number',
          path: 'customers.0.landline',
          cell: { file: 'accounts.csv', line: 3, column: 'landline' },
        },
        { code: 'elsewhere', path: '' },
      ]);
      const unknown = await find(journal, 'EXT-3');
      expect(unknown?.parts.at(-1)).toEqual({
        ...{ step: 'process', part: 0, state: 'sent', hash: 'hash-3', attempt: 1, run: 1 },
        ...{ sentAt: 1_700_000_001_050, money: version === 1 ? '?' : '{"transfer_balance":"12.50"}' },
      });
      expect(unknown).toMatchObject({ inDoubtSince: undefined });
      expect(await find(journal, 'EXT-4')).toMatchObject({
        state: 'uncertain',
        steps: { agreements: 'uncertain', statements: 'failed' },
      });
      expect(await journal.overview()).toMatchObject([
        { platform: 'embedded-id', accounts: { pending: 1 } },
        {
          platform,
          accounts: { completed: 1, rejected: 1, staged: 1, uncertain: 1 },
          steps: { process: { done: 2 } },
        },
      ]);
      // Older versions did not record it.
      expect((await journal.overview(platform))[0]?.partlyRead).toEqual(
        version < 15 ? [] : [{ place: '/export', accounts: 6 }],
      );
      expect(await journal.lastTroubles(platform, 'TENTACLE_ENERGY')).toEqual(
        version < 5
          ? []
          : [
              { account: 'EXT-4', state: 'uncertain', code: 'connection_reset' },
              { account: 'EXT-2', state: 'rejected', code: 'invalid_phone_number' },
            ],
      );
      expect(await collect(journal.runs())).toMatchObject([
        { id: 2, dryRun: true },
        { id: 1, end: { exit: 8, requests: 13, accounts: { uncertain: 1 } } },
      ]);
      const by = { user: 'jane', host: 'night-1', version: '0.1.0' };
      const isWhoKept = version >= 14;
      expect((await collect(journal.runs())).map((run) => run.by)).toEqual([
        undefined,
        isWhoKept ? by : undefined,
      ]);
      expect(await collect(journal.interventions())).toEqual(
        isWhoKept ? [{ command: 'retry', at: 1_700_000_007_000, accounts: 1, by }] : [],
      );
      const uncertain = await find(journal, 'EXT-4');
      const held = { step: 'agreements', part: 1, cell: { file: 'agreements.csv', line: 7, column: '' } };
      expect(await collect(journal.partCells(uncertain?.id ?? 0))).toEqual(hasCells ? [held] : []);
      await journal.close();
    });

    it('can be written as any other once it was opened', async () => {
      writeJournal(file, kind);
      const journal = openJournal(file, options);
      const lease = {
        platform,
        supplier: 'TENTACLE_ENERGY',
        owner: { host: 'h', pid: 2, processStart: 'b' },
      };
      expect(await journal.takeLease(lease, 1, 2, () => false)).toEqual({ held: false, epoch: 3 });
      const { id } = await journal.open(platform, { supplier: 'TENTACLE_ENERGY', account: 'EXT-3' });
      await journal.settle(
        { accountId: id, step: 'process', part: 0 },
        { state: 'done', outcome: 'adopted', at: 9 },
      );
      await journal.change(id, { state: 'imported', krakenAccountNumber: 'A-3', steps: { process: 'done' } });
      await journal.close();
      const reopened = openJournal(file, options);
      expect(await find(reopened, 'EXT-3')).toMatchObject({ state: 'imported', krakenAccountNumber: 'A-3' });
      await reopened.close();
    });

    it('has in the end the schema that a new one has', () => {
      writeJournal(file, kind);
      const spec = { ...journalSpec, synchronous: 'NORMAL' } as const;
      const schemaOf = (path: string) => {
        const db = openDatabase(path, spec);
        const columns = db
          .prepare(
            `SELECT tables.name AS "table", columns.* FROM pragma_table_list AS tables
           JOIN pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table' ORDER BY 1, columns.cid`,
          )
          .all();
        const indexes = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1").all();
        const version = db.pragma('user_version', { simple: true });
        db.close();
        return { columns, indexes, version };
      };
      expect(schemaOf(file)).toEqual(schemaOf(join(directory, 'new.db')));
    });
  },
);

it('a journal from before it was kept who restored tells of its restores', async () => {
  writeJournal(file, 13);
  const db = new Database(file);
  db.exec('INSERT INTO restore (at) VALUES (5000), (9000)');
  db.close();
  const journal = openJournal(file, options);
  expect(await collect(journal.interventions())).toEqual([
    { command: 'restore', at: 9000 },
    { command: 'restore', at: 5000 },
  ]);
  await journal.close();
});

it('a journal that lacks a column which no upgrade adds is refused by its name, and stays as it is', () => {
  writeJournal(file, 13);
  new Database(file).exec('ALTER TABLE part DROP COLUMN words').close();
  expect(() => openJournal(file, options)).toThrow(
    /is not whole, so it was not upgraded and is unchanged. The column words of part is missing. Restore a backup/,
  );
  const db = new Database(file);
  expect(db.pragma('user_version', { simple: true })).toBe(13);
  db.close();
});

it('an index that somebody removed is made again by the next upgrade', () => {
  writeJournal(file, 19);
  new Database(file).exec('DROP INDEX refused_data').close();
  const db = openDatabase(file, { ...journalSpec, synchronous: 'NORMAL' });
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'refused_data'").all()).toHaveLength(1);
  db.close();
});

it.each(writtenJournals)(
  'the backup of a journal $fixture, raised to version $raisedTo, can be restored',
  async (kind) => {
    const backup = join(directory, 'backup.db');
    writeJournal(backup, kind);
    expect(await restoreJournal(file, backup, { now: 5, isDead: () => true })).toMatchObject({
      kind: 'restored',
    });
    const journal = openJournal(file, options);
    expect(await find(journal, 'EXT-1')).toMatchObject({ state: 'completed' });
    await journal.close();
  },
);

it('a restore that cannot be finished leaves nothing that stops the next', async () => {
  const backup = join(directory, 'backup.db');
  writeJournal(backup, 19);
  new Database(backup).exec('CREATE TABLE upgrade (taken TEXT)').close();
  await expect(restoreJournal(file, backup, { now: 5, isDead: () => true })).rejects.toThrow(
    /upgrade already exists/,
  );
  expect(readdirSync(directory)).toEqual(['backup.db']);
  await openJournal(file, { ...options, create: true }).close();
});

it('a journal that was opened by this version is refused by an older one', () => {
  openDatabase(file, { ...journalSpec, synchronous: 'NORMAL' }).close();
  for (let known = 1; known < newest; known += 1) {
    const older = { ...journalSpec, migrations: journalSpec.migrations.slice(0, known) };
    expect(() => openDatabase(file, { ...older, synchronous: 'NORMAL' })).toThrow(
      /newer version of this tool/,
    );
  }
});

it('an account that was sent in another spelling is found by the composed one, unless that is an account too', async () => {
  writeJournal(file, 19);
  const db = new Database(file);
  const add =
    db.prepare(`INSERT INTO account (supplier, number, state, steps, code, kraken_account_number, staged_hash, plan_hash)
    VALUES ((SELECT supplier FROM account WHERE number = 'EXT-1'), ?, 0, 0, '', NULL, NULL, NULL)`);
  for (const number of ['MU\u0308-1', 'MU\u0308-2', 'M\u00dc-2', 'M\u00dc-3']) add.run(number);
  db.transaction(() => {
    for (let at = 1000; at < 3500; at += 1) add.run(`MU\u0308-${at}`);
  })();
  db.exec('UPDATE tally SET accounts = accounts + 2504 WHERE supplier = 1 AND step = 0 AND state = 0');
  db.close();
  const journal = openJournal(file, options);
  const pages = await collect(journal.upgrades.spellings(platform));
  expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 501]);
  const spelled = pages.flat().map(({ number }) => number);
  expect(new Set(spelled).size).toBe(2501);
  expect(spelled).toContain('MU\u0308-1');
  expect(pages.flat().every(({ composed, number }) => number.normalize('NFC') === composed)).toBe(true);
  expect((await find(journal, 'M\u00dc-1'))?.key.account).toBe('MU\u0308-1');
  expect((await find(journal, 'M\u00dc-2'))?.key.account).toBe('M\u00dc-2');
  expect((await find(journal, 'MU\u0308-3'))?.key.account).toBe('M\u00dc-3');
  await journal.close();
});
