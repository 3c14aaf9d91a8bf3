import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { journalConformance } from './conformance.ts';
import { postgresJournal } from './postgres/open-postgres-journal.ts';

describe.skipIf(!hasPostgres)('with a PostgreSQL server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['max_connections=400']);
  });
  afterAll(() => server.remove());

  journalConformance('the PostgreSQL journal', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    const database = await server.makeDatabase();
    const kept = await postgresJournal(server, database, directory);
    return {
      open: () => kept.open(),
      remove: async () => {
        await kept.close();
        rmSync(directory, { recursive: true });
      },
    };
  });
});
