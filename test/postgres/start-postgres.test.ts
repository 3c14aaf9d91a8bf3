import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgres, type PostgresServer } from './start-postgres.ts';

describe.skipIf(!hasPostgres)('a PostgreSQL server for tests', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['max_connections=20']);
  });
  afterAll(() => server.remove());

  it('answers, keeps what was written over a crash, and makes databases of their own', async () => {
    const [one, two] = [await server.makeDatabase(), await server.makeDatabase()];
    await server.query("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('ä')", one);
    await server.restart('kill');
    expect(await server.query('SELECT word FROM kept', one)).toEqual([{ word: 'ä' }]);
    expect(await server.query("SELECT to_regclass('kept') AS found", two)).toEqual([{ found: null }]);
    expect(await server.query('SHOW max_connections')).toEqual([{ max_connections: '20' }]);
    expect(server.url(one)).not.toContain(server.password);
  });
});
