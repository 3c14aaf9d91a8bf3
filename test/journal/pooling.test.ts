import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { hasPgbouncer, startPgbouncer, type Pooler } from '../postgres/start-pgbouncer.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

describe.skipIf(!hasPostgres || !hasPgbouncer)('a journal behind PgBouncer', () => {
  let server: PostgresServer;
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  function storeAt(journal: string): JournalStore {
    return journalAt({
      ...{ journal, synchronous: 'FULL', clock: systemClock, user: 'nobody', directory, patienceMs: 0 },
      password: () => Promise.resolve(server.password),
    });
  }

  async function behind(settings: string[], work: (pooler: Pooler) => Promise<void>): Promise<void> {
    const pooler = await startPgbouncer(server, [
      'ignore_startup_parameters = extra_float_digits',
      ...settings,
    ]);
    try {
      await work(pooler);
    } finally {
      await pooler.stop();
    }
  }

  const tables = async (database: string): Promise<number> =>
    Number(
      (await server.query("SELECT count(*) AS n FROM pg_tables WHERE schemaname = 'migrate'", database))[0]?.[
        'n'
      ],
    );

  it.each([
    [['pool_mode = transaction']],
    [['pool_mode = statement']],
    [['pool_mode = transaction', 'server_round_robin = 1']],
    [['pool_mode = transaction', 'server_round_robin = 1', 'min_pool_size = 5']],
    [['pool_mode = transaction', 'default_pool_size = 1']],
    [['pool_mode = transaction', 'min_pool_size = 5']],
  ])('with %j is refused by name before anything is written', async (settings) => {
    const database = await server.makeDatabase();
    await behind(settings, async (pooler) => {
      const store = storeAt(pooler.url(database));
      await expect(store.open({ create: true })).rejects.toThrow(/PgBouncer with pool_mode = transaction/);
      await expect(store.target()).rejects.toThrow(/pool_mode = session/);
    });
    expect(await tables(database)).toBe(0);
  });

  it('in session mode is used as one without it', async () => {
    const database = await server.makeDatabase();
    await behind(['pool_mode = session', 'min_pool_size = 3'], async (pooler) => {
      const store = storeAt(pooler.url(database));
      for (const name of ['1', '2']) {
        const journal = await store.open({ create: true });
        await journal.open('p', { supplier: 'S', account: name });
        expect((await journal.overview())[0]?.accounts.pending).toBe(Number(name));
        await journal.close();
      }
    });
  });
});
