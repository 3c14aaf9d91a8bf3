import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import { migrations } from '../../src/journal/postgres/migrations.ts';
import type { UpgradeOptions } from '../../src/journal/store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

describe.skipIf(!hasPostgres)('a journal of an earlier version in PostgreSQL', () => {
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
  beforeEach(async () => {
    database = await server.makeDatabase();
    await server.query(readFileSync(join(import.meta.dirname, 'postgres/versions/1.sql'), 'utf8'), database);
  });

  const store = () =>
    journalAt({
      ...{
        journal: server.url(database),
        synchronous: 'FULL',
        clock: systemClock,
        user: 'nobody',
        directory,
      },
      patienceMs: 0,
      password: () => Promise.resolve(server.password),
    });
  const versionOf = async () =>
    (await server.query('SELECT version FROM migrate.journal_version', database))[0]?.['version'];
  const upgrade: UpgradeOptions = {
    now: 5000,
    isDead: () => false,
    owner: { host: 'night-1', pid: 7, processStart: '' },
    by: { user: 'jane', host: 'night-1', version: '0.2.0' },
    sleep: (ms) => systemClock.sleep(ms),
    tell: () => undefined,
  };

  it('is left as it is by a command that reads', async () => {
    await expect(store().open({ create: false, reading: true })).rejects.toMatchObject({
      reason: 'outdated',
    });
    expect(await versionOf()).toBe(1);
  });

  it('is upgraded once where two begin it in the same moment, and who did it is recorded', async () => {
    const both = await Promise.all([store().upgrade(upgrade), store().upgrade(upgrade)]);
    expect(both.filter((one) => one !== undefined)).toEqual([{ from: 1, to: migrations.length }]);
    const [recorded, ...others] = await server.query('SELECT * FROM migrate.upgrade', database);
    expect(others).toEqual([]);
    expect(recorded).toMatchObject({
      at: '5000',
      from_schema: 1,
      to_schema: migrations.length,
      from_version: '0.1.0',
    });
  });

  it('is unchanged wherever its upgrade fails, fifty times', async () => {
    for (let round = 0; round < 50; round += 1) {
      const failAt = 2 + (round % migrations.length);
      const step = (version: number): void => {
        if (version === failAt) throw new Error('cut short');
      };
      await expect(store().upgrade({ ...upgrade, step })).rejects.toThrow('cut short');
      expect(await versionOf()).toBe(1);
    }
    expect(await store().upgrade(upgrade)).toMatchObject({ from: 1 });
  });

  it('of a newer version is refused with the version that wrote it', async () => {
    await store().upgrade(upgrade);
    await server.query('UPDATE migrate.journal_version SET version = 99', database);
    await expect(store().open({ create: false })).rejects.toThrow(
      /Use version 0\.2\.0, which wrote it, or a later one/,
    );
  });

  it('can be read after the upgrade by a role that could read it before', async () => {
    await server.query(
      `CREATE ROLE looking LOGIN; GRANT USAGE ON SCHEMA migrate TO looking;
      GRANT SELECT ON ALL TABLES IN SCHEMA migrate TO looking`,
      database,
    );
    await store().upgrade(upgrade);
    const rows = await server.query(
      `SELECT has_table_privilege('looking', 'migrate.upgrade', 'SELECT') AS may,
        has_table_privilege('looking', 'migrate.upgrade', 'INSERT') AS may_write`,
      database,
    );
    expect(rows).toEqual([{ may: true, may_write: false }]);
  });
});
