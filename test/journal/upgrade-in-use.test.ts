import Database from 'better-sqlite3';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function storeAt(journal: string, password?: string): JournalStore {
  return journalAt({
    ...{ journal, synchronous: 'FULL', clock: systemClock, user: 'nobody', directory, patienceMs: 0 },
    password: () => Promise.resolve(password),
  });
}

const refused = {
  reason: 'locked',
  message: expect.stringMatching(/earlier version .* process 7 on host-a uses it/) as unknown,
};
const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

describe('a journal of an earlier version in a file', () => {
  it('is not upgraded while a run of that version holds a supplier, and is once it does not', async () => {
    const file = join(directory, 'journal.db');
    const db = new Database(file);
    db.exec(read('versions/15.sql'));
    const hold = db.prepare<[number]>("UPDATE lease SET host = 'host-a', pid = 7, expires_at = ?");
    hold.run(systemClock.now() + 60_000);
    await expect(storeAt(file).open({ create: false })).rejects.toMatchObject(refused);
    expect(db.pragma('user_version', { simple: true })).toBe(15);
    hold.run(systemClock.now() - 1);
    db.close();
    const journal = await storeAt(file).open({ create: false });
    await journal.close();
  });
});

describe.skipIf(!hasPostgres)('a journal of an earlier version in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('is not upgraded while a run of that version holds a supplier, and is once it does not', async () => {
    const database = await server.makeDatabase();
    await server.query(read('postgres/versions/1.sql'), database);
    const hold = (ms: number) =>
      server.query(
        `UPDATE migrate.lease SET host = 'host-a', pid = 7, expires_at = (extract(epoch FROM now()) * 1000)::bigint + ${ms}`,
        database,
      );
    await hold(60_000);
    const store = storeAt(server.url(database), server.password);
    await expect(store.open({ create: false })).rejects.toMatchObject(refused);
    expect(await server.query('SELECT version FROM migrate.journal_version', database)).toEqual([
      { version: 1 },
    ]);
    await hold(-1);
    const journal = await store.open({ create: false });
    await journal.close();
  });

  it('is upgraded at once if the process that held the supplier is certainly gone', async () => {
    const database = await server.makeDatabase();
    await server.query(read('postgres/versions/7.sql'), database);
    const soon = '(extract(epoch FROM now()) * 1000)::bigint + 60000';
    await server.query(
      `UPDATE migrate.lease SET host = 'host-a', pid = 7, expires_at = ${soon}, run_group = NULL;
      UPDATE migrate.runner SET host = 'host-a', pid = 8, expires_at = ${soon}`,
      database,
    );
    const store = storeAt(server.url(database), server.password);
    const upgrade = (...gone: readonly number[]) =>
      store.upgrade({
        now: 5000,
        isDead: ({ pid }) => gone.includes(pid),
        owner: { host: 'host-a', pid: 9, processStart: '' },
        by: { user: 'jane', host: 'host-a', version: '0.4.0' },
        sleep: () => Promise.resolve(),
        tell: () => undefined,
      });
    await expect(upgrade(7)).rejects.toThrow('process 8 on host-a uses it');
    await expect(upgrade(8)).rejects.toThrow('process 7 on host-a uses it');
    expect(await upgrade(7, 8)).toMatchObject({ from: 7 });
  });
});
