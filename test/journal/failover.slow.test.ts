import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

const now = 1_000;
const owner = { host: 'host-a', pid: 17, processStart: '' };
const key = (account: string) => ({ supplier: 'S', account });

describe.skipIf(!hasPostgres)('a journal whose server is replaced (needs PostgreSQL)', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let directory: string;
  let opened: Journal[];
  /** Where connections lead, whatever their address says. */
  let routed: number | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    opened = [];
    routed = undefined;
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close().catch(() => undefined);
    await standby.remove();
    await primary.remove();
    rmSync(directory, { recursive: true });
  });

  async function start(settings: string[] = []): Promise<void> {
    primary = await startPostgres(settings);
    standby = await primary.startStandby();
  }

  function storeAt(server: PostgresServer, machine = 'a', database?: string): JournalStore {
    return journalAt({
      ...{ journal: server.url(database), synchronous: 'FULL', clock: systemClock, user: 'nobody' },
      ...{ directory: join(directory, machine), patienceMs: 20_000 },
      password: () => Promise.resolve(server.password),
      connect: async (config) => {
        const client = new pg.Client({ ...config, port: routed ?? config.port ?? 0 });
        client.on('error', () => undefined);
        await client.connect();
        return client;
      },
    });
  }

  async function open(server: PostgresServer, machine?: string, database?: string): Promise<Journal> {
    const journal = await storeAt(server, machine, database).open({ create: true });
    opened.push(journal);
    return journal;
  }

  /** What a run does; gives what it finds. */
  async function used(server: PostgresServer, machine?: string, database?: string): Promise<string> {
    const journal = await open(server, machine, database);
    const finding = await journal.takeMark(now);
    await journal.open('p', key('1'));
    await journal.close();
    return finding;
  }

  async function inDoubt(server: PostgresServer, database?: string): Promise<boolean> {
    const journal = await open(server, 'looks', database);
    const entry = await journal.find('p', key('1'));
    await journal.close();
    return entry?.inDoubtSince !== undefined;
  }

  it('between runs by a standby is the same journal, perhaps an older one, on each machine', async () => {
    await start();
    expect(await used(primary)).toBe('new');
    await primary.reached(standby);
    await primary.stop();
    await standby.promote();
    expect(await used(standby, 'another machine')).toBe('elsewhere');
    expect(await inDoubt(standby)).toBe(true);
    expect(await used(standby)).toBe('current');
    expect(await used(standby, 'another machine')).toBe('current');
  });

  it('by a standby that lacks commits is known by the machine that made them, whatever its address', async () => {
    await start();
    await used(primary);
    await primary.reached(standby);
    await standby.cutOff();
    await used(primary);
    await primary.stop('kill');
    await standby.promote();
    expect(await used(standby)).toBe('went-back');
    expect(await inDoubt(standby)).toBe(true);
    expect(await used(standby)).toBe('current');
  });

  it('under a run by a standby that lacks the commits of one that died with it ends the run', async () => {
    await start();
    const journal = await open(primary);
    await journal.takeMark(now);
    await journal.open('p', key('1'));
    await primary.reached(standby);
    await standby.cutOff();
    const other = await open(primary, 'another machine');
    await other.takeMark(now);
    await other.open('p', key('2'));
    await primary.stop('kill');
    await standby.promote();
    routed = standby.port;
    await expect(journal.open('p', key('3'))).rejects.toThrow(/is on another server or timeline/);
    expect(await inDoubt(standby)).toBe(true);
    expect(await used(primary)).toBe('current');
  });

  it('under a run by a standby that each commit waited for does not end the run', async () => {
    await start(['synchronous_standby_names=*']);
    const journal = await open(primary);
    await journal.takeMark(now);
    await journal.open('p', key('1'));
    await primary.stop('kill');
    await standby.promote();
    routed = standby.port;
    await journal.open('p', key('2'));
    await journal.close();
    expect(await used(standby, 'another machine')).toBe('current');
    expect(await inDoubt(standby)).toBe(false);
  });

  it('is refused while a run goes on in its former place', async () => {
    await start();
    const running = await open(primary);
    await running.takeMark(now);
    const lease = { platform: 'p', supplier: 'S', owner };
    const taken = await running.takeLease(lease, now, now + 60_000, () => false);
    if (taken.held) throw new Error('held');
    await primary.reached(standby);
    await standby.promote();
    const other = await open(standby, 'another machine');
    await expect(other.takeMark(now)).rejects.toMatchObject({
      reason: 'locked',
      message: expect.stringMatching(/process 17 on host-a still uses at .* both take writes/) as unknown,
    });
    await other.close();
    await running.releaseLease('p', 'S', taken.epoch);
    await running.close();
    expect(await used(standby, 'another machine')).toBe('elsewhere');
  });

  it('that has none of its tables any more ends the run, and nothing is written into another journal', async () => {
    await start();
    const journal = await open(primary);
    await journal.takeMark(now);
    await journal.open('p', key('1'));
    await standby.cutOff();
    await standby.promote();
    await standby.query('DROP SCHEMA migrate CASCADE');
    const other = await open(standby, 'another machine');
    await other.open('p', key('9'));
    await other.close();
    await primary.stop('kill');
    routed = standby.port;
    await expect(journal.open('p', key('2'))).rejects.toThrow(/another journal than the one/);
    const writers = await standby.query('SELECT FROM migrate.writer WHERE closed = 0');
    expect(writers).toEqual([]);
    expect(await standby.query('SELECT FROM migrate.restore')).toEqual([]);
  });
});

describe.skipIf(!hasPostgres)('a journal on one server (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let directory: string;
  beforeEach(async () => {
    server = await startPostgres();
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(async () => {
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  async function open(database: string, machine = 'a', host = '127.0.0.1'): Promise<Journal> {
    return journalAt({
      ...{ journal: server.url(database).replace('127.0.0.1', host), synchronous: 'FULL', user: 'nobody' },
      ...{ clock: systemClock, directory: join(directory, machine), patienceMs: 0 },
      password: () => Promise.resolve(server.password),
    }).open({ create: true });
  }

  async function used(...where: Parameters<typeof open>): Promise<string> {
    const journal = await open(...where);
    const finding = await journal.takeMark(now);
    await journal.open('p', key('1'));
    await journal.close();
    return finding;
  }

  it('that is copied into another database is the same journal, perhaps an older one', async () => {
    const database = await server.makeDatabase();
    expect(await used(database)).toBe('new');
    await server.query(`CREATE DATABASE copy TEMPLATE ${database}`);
    expect(await used(database)).toBe('current');
    expect(await used('copy', 'another machine')).toBe('elsewhere');
    expect(await used('copy')).toBe('went-back');
    await server.query(`DROP DATABASE ${database}`);
    await server.query(`ALTER DATABASE copy RENAME TO ${database}`);
    expect(await used(database)).toBe('current');
  });

  it('that is copied into another database is refused there while a run goes on in the first', async () => {
    const database = await server.makeDatabase();
    const running = await open(database);
    await running.takeMark(now);
    const lease = { platform: 'p', supplier: 'S', owner };
    await running.takeLease(lease, now, now + 60_000, () => false);
    await running.close();
    await server.query(`CREATE DATABASE second TEMPLATE ${database}`);
    await expect(used('second', 'another machine')).rejects.toThrow(
      /in the database test_\d+ .*both take writes/,
    );
  });

  it('that was put back is known by each writer of one directory, at whichever address', async () => {
    const database = await server.makeDatabase();
    const run = await open(database);
    await run.takeMark(now);
    await run.open('p', key('1'));
    const retried = await open(database, 'a', 'localhost');
    expect(await retried.takeMark(now)).toBe('current');
    await retried.close();
    await run.open('p', key('2'));
    await run.close();
    await server.query(
      'UPDATE migrate.writer SET commits = commits - 1 WHERE id = (SELECT min(id) FROM migrate.writer WHERE id > 1)',
      database,
    );
    expect(await used(database, 'a', 'localhost')).toBe('went-back');
    expect(await used(database)).toBe('current');
  });
});
