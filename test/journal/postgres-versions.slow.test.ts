import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { migrations } from '../../src/journal/postgres/migrations.ts';
import { meantStructure, structureQuery } from '../../src/journal/postgres/structure.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import { writeStamp } from '../../src/journal/safety/stamp.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { collect } from './conformance/collect.ts';

const fixtures = readdirSync(join(import.meta.dirname, 'postgres/versions')).sort();

it('every version of the PostgreSQL schema has a journal, which landed with it', () => {
  const remedy = `Copy the file of the version before to test/journal/postgres/versions/${migrations.length}.sql, and add what is new.`;
  const versions = fixtures.map((name) => Number.parseInt(name));
  expect(
    [...new Set(versions)].sort((a, b) => a - b),
    remedy,
  ).toEqual(migrations.map((_, at) => at + 1));
});

describe.skipIf(!hasPostgres)('a PostgreSQL journal of an earlier version', () => {
  let server: PostgresServer;
  let directory: string;
  let database: string;
  beforeAll(async () => {
    server = await startPostgres();
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterAll(async () => {
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  /** The mark that this machine has of the journal. */
  function mark(identity: string, commits: number): void {
    const name = createHash('sha256').update([server.host, server.port, database, 'migrate'].join('\0'));
    const file = join(directory, `journal-${name.digest('hex').slice(0, 16)}-mark`);
    writeFileSync(file, writeStamp({ identity, commits }));
  }

  function opened() {
    return journalAt({
      journal: server.url(database),
      synchronous: 'FULL',
      clock: systemClock,
      user: 'nobody',
      directory,
      patienceMs: 0,
      password: () => Promise.resolve(server.password),
    });
  }

  /** A database with a journal as a build wrote it, and as later builds raised it to `raisedTo`. */
  async function written(fixture: string, raisedTo = Number.parseInt(fixture)): Promise<void> {
    database = await server.makeDatabase();
    const sql = readFileSync(join(import.meta.dirname, 'postgres/versions', fixture), 'utf8');
    const raised = migrations.slice(Number.parseInt(fixture), raisedTo);
    await server.query(
      [sql, ...raised, `UPDATE journal_version SET version = ${raisedTo}`].join(';\n'),
      database,
    );
  }

  it.each([
    ...fixtures.map((fixture) => [fixture, Number.parseInt(fixture)] as const),
    ...[2, 3, 4, 5, 6, 7].map((raisedTo) => ['1-runs-numbered-by-the-server.sql', raisedTo] as const),
  ])(
    '%s, raised to version %i, is whole, has in the end the structure of a new one, and numbers a run',
    async (fixture, raisedTo) => {
      await written(fixture, raisedTo);
      const store = opened();
      expect(await collect(store.faults())).toEqual([]);
      const journal = await store.open({ create: false });
      const names = await server.query(structureQuery, database, ['migrate']);
      const own = names.map(({ name }) => String(name));
      expect(own.sort()).toEqual([...meantStructure(migrations.length)].sort());
      const start = { platform: 'p', platformLabel: 'P', dryRun: false, export: './export', startedAt: 4000 };
      expect(await journal.startRun(start)).toBe(2);
      expect(await collect(journal.runs())).toMatchObject([{ id: 2 }, { id: 1, by: { user: 'ann' } }]);
      await journal.close();
      expect(await collect(store.faults())).toEqual([]);
    },
  );

  it('finds an account that was sent in another spelling by the composed one', async () => {
    await written('8.sql');
    await server.query(
      `INSERT INTO migrate.account (supplier, number, state, steps, code)
      SELECT supplier, other, 0, 0, '' FROM migrate.account, unnest(ARRAY['MU\u0308-1', 'MU\u0308-2', 'M\u00dc-2']) AS other
      WHERE account.number = 'A';
      INSERT INTO migrate.account (supplier, number, state, steps, code)
      SELECT supplier, 'MU\u0308-' || other, 0, 0, '' FROM migrate.account, generate_series(1000, 2199) AS other
      WHERE account.number = 'A'`,
      database,
    );
    const journal = await opened().open({ create: false });
    const pages = await collect(journal.upgrades.spellings('p'));
    expect(pages.map(({ length }) => length)).toEqual([1000, 201]);
    expect(new Set(pages.flat().map(({ number }) => number)).size).toBe(1201);
    expect(pages.flat()).toContainEqual({ composed: 'M\u00dc-1', number: 'MU\u0308-1' });
    const found = async (account: string) =>
      (await journal.find('p', { supplier: 'S', account }))?.key.account;
    expect(await found('M\u00dc-1')).toBe('MU\u0308-1');
    expect(await found('M\u00dc-2')).toBe('M\u00dc-2');
    expect(await found('MU\u0308-2')).toBe('MU\u0308-2');
    await journal.close();
  });

  it('names what is missing, in `check` and where it refuses to upgrade', async () => {
    await written('6.sql');
    await server.query('ALTER TABLE migrate.part DROP COLUMN words; DROP TABLE migrate.part_cell', database);
    expect(await collect(opened().faults())).toEqual([
      { code: 'wrong_structure', detail: 'The table part_cell is missing.' },
      { code: 'wrong_structure', detail: 'The column words of part is missing, or has another type.' },
      { code: 'wrong_structure', detail: 'The index part_cell_pkey is missing.' },
    ]);
    await expect(opened().open({ create: false })).rejects.toThrow(
      /was not upgraded and is unchanged. The table part_cell is missing/,
    );
    expect(await server.query('SELECT version FROM migrate.journal_version', database)).toEqual([
      { version: 6 },
    ]);
  });

  it.each([
    ['the newest', '0123456789abcdef0123456789abcdef', 17, 'current'],
    ['one that was restored since', 'fedcba9876543210fedcba9876543210', 9, 'current'],
    ['one that is ahead of it', '0123456789abcdef0123456789abcdef', 18, 'went-back'],
    ['one of another journal', '00112233445566778899aabbccddeeff', 1, 'replaced'],
  ] as const)(
    'keeps what it has, and is compared with its mark: %s',
    async (_, identity, commits, finding) => {
      await written('1.sql');
      mark(identity, commits);
      const store = opened();
      const journal = await store.open({ create: false });
      expect(await journal.takeMark(9000)).toBe(finding);
      expect((await journal.overview())[0]).toMatchObject({ accounts: { completed: 1, failed: 1 } });
      const found = await journal.find('p', { supplier: 'S', account: 'B' });
      expect(found?.parts).toMatchObject([{ state: 'failed' }]);
      await journal.change(found?.id ?? 0, { state: 'imported', code: '' });
      expect((await journal.overview())[0]).toMatchObject({
        accounts: { completed: 1, failed: 0, imported: 1 },
      });
      expect(await collect(journal.runs())).toMatchObject([{ by: { user: 'ann' } }]);
      if (finding === 'current')
        expect(await journal.finishedRuns('p')).toMatchObject([{ run: 1, suppliers: ['S'] }]);
      const owner = { host: 'h2', pid: 1, processStart: '' };
      const lease = { platform: 'p', supplier: 'S', owner };
      expect(await journal.takeLease(lease, 0, 1000, () => false)).toEqual({ held: false, epoch: 3 });
      await journal.close();
      const again = await store.open({ create: false });
      expect(await again.takeMark(9500)).toBe('current');
      expect((await again.overview())[0]).toMatchObject({
        accounts: { completed: 1, failed: 0, imported: 1 },
      });
      await again.close();
    },
  );
});
