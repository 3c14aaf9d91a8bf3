import fc from 'fast-check';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ConnectionPool } from '../journal/postgres/connection-pool.ts';
import { postgresJournal } from '../journal/postgres/open-postgres-journal.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { playShared, type SharedJournal } from './crash/play-shared.ts';
import { sharedSchedules } from './crash/shared-schedule.ts';

/** By `npm run crash -- --engine postgres`. */
const { CRASH_SCHEDULES = '20', CRASH_SEED = '1', CRASH_RUNNERS = '3', CRASH_PATH: path } = process.env;
const [schedules, seed, runners] = [CRASH_SCHEDULES, CRASH_SEED, CRASH_RUNNERS].map(Number);

/** Schedules on one database: it grows with each. */
const schedulesPerDatabase = 50;
const schedulesPerLine = 20;

describe.skipIf(!hasPostgres)('runs that share a book on the PostgreSQL journal', () => {
  let server: PostgresServer;
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  let end = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    // No crash of the server is played here.
    server = await startPostgres(['full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']);
  });
  afterAll(async () => {
    await end();
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  async function journal(): Promise<SharedJournal> {
    await end();
    const database = await server.makeDatabase();
    const [marks, keptMarks] = [join(directory, `${database}-marks`), join(directory, `${database}-kept`)];
    const pool = new ConnectionPool(server.directory);
    const kept = await postgresJournal(server, database, directory, server.port, pool.connect);
    const { directory: host, port, user, password } = server;
    const client = new pg.Client({ host, port, user, password, database, pipeline: true });
    await client.connect();
    end = async () => {
      await kept.close();
      await client.end();
      await pool.close();
    };
    return {
      open: (machine) => kept.open(60_000, join(marks, String(machine))),
      copy: async () => {
        rmSync(keptMarks, { recursive: true, force: true });
        cpSync(marks, keptMarks, { recursive: true });
        const tables = await tablesIn(client);
        await client.query('DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept');
        await client.query(
          [
            // All as of one moment.
            'BEGIN ISOLATION LEVEL REPEATABLE READ',
            ...tables.map((table) => `CREATE TABLE kept.${table} AS TABLE migrate.${table}`),
            'COMMIT',
          ].join('; '),
        );
      },
      failOver: () => replace(true),
      putBack: async () => {
        await replace(false);
        rmSync(marks, { recursive: true });
        cpSync(keptMarks, marks, { recursive: true });
      },
      setClock: (ms) => kept.setClock(ms),
      holderOf: async (platform, partition) => {
        const { rows } = await client.query<{ run: number }>({
          name: 'holder',
          text: `SELECT runner.run FROM migrate.partition JOIN migrate.runner ON runner.id = partition.runner
          WHERE number = $2 AND partition.run_group = (SELECT max(run_group.id) FROM migrate.run_group
            JOIN migrate.platform ON platform.id = run_group.platform WHERE identity = $1)`,
          values: [platform, partition],
        });
        return rows[0]?.run;
      },
    };

    /** Puts back what was copied. `isElsewhere`: as on another server. */
    async function replace(isElsewhere: boolean): Promise<void> {
      const tables = await tablesIn(client);
      pool.forgetIdle();
      await client.query(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
          WHERE application_name = 'migrate' AND datname = current_database()`,
      );
      const columnsOf = (table: string): string =>
        `(SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
            WHERE table_schema = 'migrate' AND table_name = '${table}')`;
      const { rows } = await client.query<Record<string, string>>(
        `SELECT ${tables.map((table) => `${columnsOf(table)} AS ${table}`).join(', ')}`,
      );
      await client.query(
        [
          'BEGIN',
          'SET LOCAL session_replication_role = replica',
          `TRUNCATE ${tables.map((table) => `migrate.${table}`).join(', ')}`,
          ...tables.map(
            (table) =>
              `INSERT INTO migrate.${table} (${rows[0]?.[table] ?? ''}) OVERRIDING SYSTEM VALUE TABLE kept.${table}`,
          ),
          // As on another server, it is another table.
          ...(isElsewhere
            ? ['DROP TABLE migrate.journal_identity', 'ALTER TABLE kept.journal_identity SET SCHEMA migrate']
            : []),
          'COMMIT',
        ].join('; '),
      );
    }
  }

  async function tablesIn(client: pg.Client): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'migrate' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  }

  it(`${schedules} random schedules lose nothing and do nothing twice`, async () => {
    const total = new Map<string, number>();
    let shared: SharedJournal | undefined;
    let n = 0;
    let hasFailed = false;
    const property = fc.asyncProperty(sharedSchedules(runners ?? 3), async (schedule) => {
      // What other schedules recorded is no later than what a journal lacks that goes back.
      const isSnapshot = schedule.nights.some(({ snapshot }) => snapshot !== undefined);
      if (shared === undefined || isSnapshot || n % schedulesPerDatabase === 0) shared = await journal();
      const counts = await playShared(schedule, shared, `platform ${(n += 1)}`).catch((error: unknown) => {
        if (!hasFailed) process.stdout.write(`seed ${seed}: ${String(error)}\nIt is shrunk.\n`);
        hasFailed = true;
        shared = undefined;
        throw error;
      });
      // Accounts of every platform are in doubt in it from now on.
      if (counts.failovers + counts.snapshots > 0) shared = undefined;
      if (hasFailed) return;
      for (const [what, count] of Object.entries<number>({ ...counts }))
        total.set(what, (total.get(what) ?? 0) + count);
      const said = [...total].map(([what, count]) => `${count} ${what}`).join(', ');
      if (n % schedulesPerLine === 0) process.stdout.write(`seed ${seed}: ${n} schedules: ${said}\n`);
    });
    await fc.assert(property, {
      ...{ numRuns: schedules ?? 20, seed: seed ?? 1 },
      ...(path === undefined ? {} : { path }),
    });
  }, 86_400_000);
});
