import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/journal/postgres/migrations.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { compileInto, linesOf } from './crash/programs.ts';

describe.skipIf(!hasPostgres)('an upgrade in PostgreSQL by a process of its own', () => {
  let server: PostgresServer;
  let compiled: string;
  beforeAll(async () => {
    compiled = mkdtempSync(join(tmpdir(), 'compiled-'));
    compileInto(compiled);
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(compiled, { recursive: true });
  });

  async function written(version: number): Promise<string> {
    const database = await server.makeDatabase();
    await server.query(
      readFileSync(join(import.meta.dirname, `postgres/versions/${version}.sql`), 'utf8'),
      database,
    );
    return database;
  }
  const standing = async (database: string) => [
    await server.query('SELECT version FROM migrate.journal_version', database),
    await server.query('SELECT * FROM migrate.account ORDER BY id', database),
    await server.query("SELECT to_regclass('migrate.spelling') IS NULL AS is_old", database),
  ];
  const upgraded = (database: string, killAt = 0) =>
    linesOf(compiled, 'upgrader.js', [server.url(database), String(killAt), server.password]);

  it('that is killed fifty times within its transaction leaves the journal as it was, and the next does it', async () => {
    for (const version of [1, 7, 8]) {
      const database = await written(version);
      const before = await standing(database);
      const steps = migrations.length - version + 1;
      for (let round = 0; round < (version === 1 ? 30 : 10); round += 1) {
        const lines = await upgraded(database, 1 + (round % steps));
        expect(lines.at(-1)).not.toBe('upgraded');
        expect(await standing(database)).toEqual(before);
      }
      expect((await upgraded(database)).at(-1)).toBe('upgraded');
      expect(await server.query('SELECT version FROM migrate.journal_version', database)).toEqual([
        { version: migrations.length },
      ]);
      expect(
        await server.query('SELECT from_schema FROM migrate.upgrade ORDER BY id DESC LIMIT 1', database),
      ).toEqual([{ from_schema: version }]);
    }
  });

  it('happens once where several begin it in the same moment', async () => {
    const database = await written(1);
    const said = await Promise.all([1, 2, 3].map(() => upgraded(database)));
    expect(said.map((lines) => lines.at(-1)).toSorted()).toEqual([
      'nothing to do',
      'nothing to do',
      'upgraded',
    ]);
    expect(await server.query('SELECT count(*)::int AS n FROM migrate.upgrade', database)).toEqual([
      { n: 1 },
    ]);
  });
});
