// Errors of a real server, each brought about as in a database of a customer: what a run makes of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { addressOf } from '../../src/journal/postgres/address.ts';
import { isPassing, refusalOf } from '../../src/journal/postgres/refusal.ts';
import { hasPgbouncer, startPgbouncer } from '../postgres/start-pgbouncer.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

describe.skipIf(!hasPostgres)('a real server (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let directory: string;
  let database: string;
  let opened: Journal[];
  let told: string[];
  beforeAll(async () => {
    server = await startPostgres(['wal_level=logical', 'max_connections=12']);
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    database = await server.makeDatabase();
    opened = [];
    told = [];
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close().catch(() => undefined);
    rmSync(directory, { recursive: true });
  });

  async function open(url = server.url(database), patienceMs = 60_000): Promise<Journal> {
    const journal = await journalAt({
      ...{ journal: url, synchronous: 'FULL', clock: systemClock, user: 'nobody', directory, patienceMs },
      password: () => Promise.resolve(server.password),
    }).open({ create: true, warn: (message) => told.push(message) });
    opened.push(journal);
    return journal;
  }
  async function client(of = database, port = server.port): Promise<pg.Client> {
    const { host, user, password } = server;
    const connected = new pg.Client({ host, port, user, password, database: of });
    connected.on('error', () => undefined);
    await connected.connect();
    return connected;
  }
  const key = { supplier: 'S', account: '1' };
  const intent = { hash: 'h', run: 1, at: 1 };
  const failing = (what: Promise<unknown>): Promise<Error> =>
    what.then(
      () => new Error('it succeeded'),
      (error: unknown) => error as Error,
    );
  const sentence = (error: Error): string =>
    (refusalOf(error, addressOf(server.url(database))) as Error).message;
  const connections = (): Promise<Record<string, unknown>[]> =>
    server.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'migrate'", database);
  async function needs(version: number, { skip }: TestContext): Promise<void> {
    const [row] = await server.query("SELECT current_setting('server_version_num')::int AS version");
    skip(Number(row?.['version']) < version * 10_000, `PostgreSQL ${version} has this setting`);
  }

  it('that ends idle connections (57P05) costs a connection, and no write', async (context) => {
    await needs(14, context);
    const journal = await open();
    const { id } = await journal.open('p', key);
    await server.query(`ALTER ROLE postgres IN DATABASE ${database} SET idle_session_timeout = '100ms'`);
    await server.cut(database);
    for (let part = 0; part < 3; part += 1) {
      await journal.intend({ accountId: id, step: 'notes', part }, intent);
      // The server ends the connection by itself.
      while ((await connections()).length > 0);
    }
    expect((await journal.find('p', key))?.parts).toHaveLength(3);
    expect(told.join()).not.toMatch(/bug|57P05/);
  });

  it('that ends an idle connection says so to who asks it next (57P05)', async (context) => {
    await needs(14, context);
    const idle = await client();
    const ended = new Promise<Error>((resolve) => idle.once('error', resolve));
    await idle.query("SET idle_session_timeout = '10ms'");
    const error = await ended;
    expect(error).toMatchObject({ code: '57P05' });
    expect(isPassing(error)).toBe(true);
    expect(sentence(error)).toContain('(idle_session_timeout). Turn idle_session_timeout off');
  });

  it.for([
    ['25P03', 'idle_in_transaction_session_timeout', 14],
    ['25P04', 'transaction_timeout', 17],
  ] as const)(
    'that ends a transaction (%s, %s) is tried again',
    async ([code, setting, version], context) => {
      await needs(version, context);
      const slow = await client();
      const ended = new Promise<Error>((resolve) => slow.once('error', resolve));
      await slow.query(`SET ${setting} = '10ms'; BEGIN`).catch(() => undefined);
      const error = await ended;
      expect(error).toMatchObject({ code });
      expect(isPassing(error)).toBe(true);
      expect(sentence(error)).toContain(`(${setting}). Turn ${setting} off`);
    },
  );

  it('whose publication of all tables meets one without a key (55000) ends the run, with the remedy', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    await server.query('CREATE PUBLICATION everything FOR ALL TABLES', database);
    const [table] = await server.query(
      "SELECT conname FROM pg_constraint WHERE conrelid = 'migrate.writer'::regclass AND contype = 'p'",
      database,
    );
    await server.query(
      `ALTER TABLE migrate.writer DROP CONSTRAINT ${String(table?.['conname'])} CASCADE`,
      database,
    );
    const error = await failing(journal.intend({ accountId: id, step: 'notes', part: 0 }, intent));
    expect(error.message).toMatch(/a publication of all tables needs a key of each.*replica identity/);
    expect(told).toEqual([]);
  });

  it('in another encoding cannot hold every name (22P05)', async () => {
    await server.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const latin = await client('latin');
    await latin.query('CREATE TABLE name (text text)');
    const error = await failing(latin.query('INSERT INTO name VALUES ($1)', ['漢']));
    await latin.end();
    expect(error).toMatchObject({ code: '22P05' });
    expect(isPassing(error)).toBe(false);
    expect(sentence(error)).toContain('Create one in UTF-8');
  });

  it('without a free connection (53300) is awaited, and goes on when there is one', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    // An ordinary user: some connections are kept for superusers.
    await server.query(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
    await server.query(`CREATE ROLE runner LOGIN PASSWORD 'r'`);
    const { host, port } = server;
    const refused = new pg.Client({ host, port, user: 'runner', password: 'r', database });
    const error = await failing(refused.connect());
    expect(error).toMatchObject({ code: '53300' });
    expect(isPassing(error)).toBe(true);
    expect(sentence(error)).toContain('too many connections');
    await server.query(`ALTER DATABASE ${database} CONNECTION LIMIT -1`);
    await journal.intend({ accountId: id, step: 'notes', part: 0 }, intent);
  });

  it('whose database is deleted under a run ends it, and says so', async () => {
    const journal = await open(undefined, 60_000);
    const { id } = await journal.open('p', key);
    await server.query(`DROP DATABASE ${database} WITH (FORCE)`);
    const error = await failing(journal.intend({ accountId: id, step: 'notes', part: 0 }, intent));
    expect(error.message).toMatch(/has no database|was deleted/);
  });

  describe.skipIf(!hasPgbouncer)('behind PgBouncer in transaction mode', () => {
    async function pooled(settings: readonly string[], work: (port: number) => Promise<void>): Promise<void> {
      const pool = ['pool_mode = transaction', 'ignore_startup_parameters = extra_float_digits', ...settings];
      // From 1.21 on, PgBouncer keeps prepared statements unless it is told not to; before, it does not know the setting.
      const pooler = await startPgbouncer(server, [...pool, 'max_prepared_statements = 0']).catch(() =>
        startPgbouncer(server, pool),
      );
      try {
        await work(Number(new URL(pooler.url(database)).port));
      } finally {
        await pooler.stop();
      }
    }
    const kept = { name: 'kept', text: 'SELECT pg_backend_pid() AS pid' };
    function expectPooler(error: Error, code: string): void {
      expect(error).toMatchObject({ code });
      expect(isPassing(error)).toBe(false);
      expect(sentence(error)).toContain('as behind a pooler in transaction mode');
    }

    it('a statement that another client prepared is named as the pooler’s (42P05)', () =>
      pooled(['default_pool_size = 1'], async (port) => {
        const [one, other] = [await client(database, port), await client(database, port)];
        await one.query(kept);
        expectPooler(await failing(other.query(kept)), '42P05');
        await Promise.all([one.end(), other.end()]);
      }));

    it('a statement that another process of the server prepared is named as the pooler’s (26000)', () =>
      pooled(['default_pool_size = 2', 'server_round_robin = 1'], async (port) => {
        const [one, holder] = [await client(database, port), await client(database, port)];
        const pid = (await one.query<{ pid: number }>(kept)).rows[0]?.pid;
        for (;;) {
          const { rows } = await holder
            .query<{ pid: number }>({ text: `BEGIN; ${kept.text}` })
            .then((results) => [results].flat().at(-1) ?? { rows: [] });
          if (rows[0]?.pid === pid) break;
          await holder.query('ROLLBACK');
        }
        // The process that knows the statement is busy.
        expectPooler(await failing(one.query(kept)), '26000');
        await Promise.all([one.end(), holder.end()]);
      }));
  });
});
