import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { collected } from '../../src/cli/collected.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { FaultyNetwork } from './postgres/faulty-network.ts';
import { postgresJournal, type KeptJournal } from './postgres/open-postgres-journal.ts';

const key = { supplier: 'S', account: '1' };

describe.skipIf(!hasPostgres)('a journal on a PostgreSQL server that fails', () => {
  let server: PostgresServer;
  let network: FaultyNetwork;
  let directory: string;
  let database: string;
  let kept: KeptJournal;
  let opened: Journal[];
  beforeAll(async () => {
    // The driver takes it where no password is given.
    vi.stubEnv('PGPASSWORD', undefined);
    server = await startPostgres();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.remove();
  });
  beforeEach(async () => {
    network = await FaultyNetwork.before(server.port);
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    database = await server.makeDatabase();
    kept = await postgresJournal(server, database, directory, network.port);
    opened = [];
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close().catch(() => undefined);
    await kept.close();
    await network.close();
    rmSync(directory, { recursive: true });
  });

  async function open(patienceMs?: number): Promise<Journal> {
    const journal = await kept.open(patienceMs);
    opened.push(journal);
    return journal;
  }

  async function sent(journal: Journal): Promise<number> {
    const found = await journal.find('p', key);
    return found?.parts[0]?.attempt ?? 0;
  }

  const notes = (accountId: number) => ({ accountId, step: 'notes', part: 0 }) as const;
  const intent = { hash: 'h', run: 1, at: 1 };

  it('records a batch once when the answer to its commit is lost', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    network.commitsToLose = 1;
    await journal.intend(notes(id), intent);
    expect(network.commitsToLose).toBe(0);
    expect(await sent(journal)).toBe(1);
    network.commitsToLose = 2;
    const other = await journal.open('p', { ...key, account: '2' });
    expect(other.id).not.toBe(id);
    expect((await journal.overview())[0]?.accounts.pending).toBe(2);
  });

  it('records it once when the commit does not arrive, or the connection ends before it', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    network.commitsToStop = 2;
    await journal.intend(notes(id), intent);
    expect(await sent(journal)).toBe(1);
    for (const text of ['BEGIN', 'load', 'put_parts', 'COMMIT']) {
      const isCut = network.cutAt(text);
      await Promise.all([journal.intend(notes(id), intent), isCut]);
    }
    expect(await sent(journal)).toBe(5);
  });

  it('is made once where another run makes it while this one looks whether it is there', async () => {
    const empty = await server.makeDatabase();
    const at = (connect?: (config: pg.ClientConfig) => Promise<pg.Client>) =>
      journalAt({
        journal: server.url(empty),
        synchronous: 'FULL',
        clock: systemClock,
        user: 'nobody',
        directory,
        patienceMs: 0,
        password: () => Promise.resolve(server.password),
        ...(connect === undefined ? {} : { connect }),
      });
    let isMade = false;
    const store = at(async (config) => {
      const client = new pg.Client(config);
      await client.connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      client.query = (async (...args: unknown[]) => {
        const result = await query(...args);
        if (!isMade && JSON.stringify(args).includes('to_regclass')) {
          isMade = true;
          opened.push(await at().open({ create: true }));
        }
        return result;
      }) as typeof client.query;
      return client;
    });
    opened.push(await store.open({ create: true }));
    expect(isMade).toBe(true);
  });

  it('goes on after the server was restarted, also while reading', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    for (const how of ['fast', 'kill'] as const) {
      const restarting = server.restart(how);
      const written = journal.intend(notes(id), intent);
      const read = journal.overview();
      await Promise.all([restarting, written, read]);
    }
    expect(await sent(journal)).toBe(2);
    expect((await journal.overview())[0]?.accounts.pending).toBe(1);
  });

  it('refuses every write once its patience is at an end', async () => {
    const journal = await open(0);
    const { id } = await journal.open('p', key);
    await server.stop();
    try {
      await expect(journal.intend(notes(id), intent)).rejects.toThrow(/cannot be reached|nothing listens/);
    } finally {
      await server.start();
    }
    await expect(journal.intend(notes(id), intent)).rejects.toThrow(/cannot be reached|nothing listens/);
    expect(await sent(await open())).toBe(0);
  });

  it('says how long it waited for a server that did not come back', async () => {
    const journal = await open(1_000);
    const { id } = await journal.open('p', key);
    await server.stop();
    try {
      await expect(journal.intend(notes(id), intent)).rejects.toThrow(
        /lasted for [0-2] s, longer than the run waits \(journalPatienceMs\)/,
      );
    } finally {
      await server.start();
    }
  });

  it('notices a server that lacks commits, ends, and puts every account in doubt', async () => {
    const journal = await open();
    expect(await journal.takeMark(1000)).toBe('new');
    const { id } = await journal.open('p', key);
    await server.query('UPDATE migrate.writer SET commits = commits - 1', database);
    await expect(journal.intend(notes(id), intent)).rejects.toThrow(/lacks its last 1 commit/);
    await expect(journal.change(id, { code: 'c' })).rejects.toThrow(/lacks its last/);
    const again = await open();
    expect(await again.find('p', key)).toHaveProperty('inDoubtSince');
  });

  it('is found to have gone back between runs, by the mark of this machine', async () => {
    const journal = await open();
    await journal.takeMark(1000);
    await journal.open('p', key);
    await journal.close();
    await server.query('UPDATE migrate.writer SET commits = commits - 1', database);
    const again = await open();
    expect(await again.compareMark()).toBe('went-back');
    expect(await again.takeMark(5000)).toBe('went-back');
    expect(await again.find('p', key)).toMatchObject({ inDoubtSince: 5000 });
    await again.close();
    expect(await (await open()).takeMark(6000)).toBe('current');
  });

  describe('that several machines use', () => {
    const machine = () => {
      const own = mkdtempSync(join(directory, 'machine-'));
      return async () => {
        const journal = await journalAt({
          ...{ journal: server.url(database), synchronous: 'FULL', clock: systemClock, user: 'nobody' },
          ...{ directory: own, patienceMs: 60_000, password: () => Promise.resolve(server.password) },
        }).open({ create: true });
        opened.push(journal);
        await journal.takeMark(systemClock.now());
        await journal.open('p', key);
        return journal;
      };
    };
    const listed = async (journal: Journal) => (await collected(journal.interventions())).length;
    const lose = () => server.query('UPDATE migrate.writer SET commits = commits - 1', database);

    it('lists the loss that each of their runs notices once, and the next runs notice none', async () => {
      const [one, two, three] = [machine(), machine(), machine()];
      const running = [await one(), await two(), await three()];
      await lose();
      for (const ended of await Promise.allSettled(running.map((journal) => journal.open('p', key))))
        expect(ended).toMatchObject({ status: 'rejected', reason: { message: /lacks its last/ } });
      for (const journal of running) await journal.close();
      expect(await listed(await one())).toBe(1);
      expect(await listed(await two())).toBe(1);
    });

    it('lists a loss between runs once, and the next one again', async () => {
      const [one, two] = [machine(), machine()];
      for (const times of [1, 2]) {
        for (const open of [one, two]) await (await open()).close();
        await lose();
        for (const open of [one, two]) {
          const journal = await open();
          expect(await listed(journal)).toBe(times);
          await journal.close();
        }
      }
    });
  });

  it('gives a lease to one of those who ask at the same time', async () => {
    const journals = [await open(), await open(), await open()];
    const taken = await Promise.all(
      journals.map((journal, pid) =>
        journal.takeLease(
          { platform: 'p', supplier: 'S', owner: { host: 'h', pid, processStart: '' } },
          1000,
          2000,
          () => false,
        ),
      ),
    );
    expect(taken.filter(({ held }) => !held)).toHaveLength(1);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, /refuses the password/],
    ['no password', { password: undefined }, /asks for a password/],
    ['a database that does not exist', { database: 'nowhere' }, /no database nowhere. Create it/],
    ['a port where nothing listens', { port: 1 }, /nothing listens at 127.0.0.1:1/],
    ['TLS that the server does not offer', { query: '?sslmode=require' }, /does not offer TLS/],
    ['no journal', { create: false }, /There is no journal in the schema migrate/],
    ['a user without rights', { user: 'reader' }, /lacks rights/],
  ])('says what is wrong and what to do: %s', async (_, wrong, message) => {
    if ('user' in wrong)
      await server.query(
        "DO $$ BEGIN CREATE ROLE reader LOGIN PASSWORD 'reads'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
      );
    const user = 'user' in wrong ? wrong.user : server.user;
    const password = 'password' in wrong ? wrong.password : 'user' in wrong ? 'reads' : server.password;
    const store = journalAt({
      journal: `postgres://${user}@127.0.0.1:${'port' in wrong ? wrong.port : server.port}/${'database' in wrong ? wrong.database : database}${'query' in wrong ? wrong.query : ''}`,
      synchronous: 'FULL',
      clock: systemClock,
      user: 'nobody',
      directory,
      patienceMs: 0,
      password: () => Promise.resolve(password),
    });
    await expect(store.open({ create: !('create' in wrong) })).rejects.toThrow(message);
  });

  it('refuses a schema of a newer version, and of another program', async () => {
    await open();
    await server.query('UPDATE migrate.journal_version SET version = 99', database);
    await expect(open()).rejects.toThrow(/newer version of this tool \(schema 99, known up to \d+\)/);
    await server.query('DROP TABLE migrate.journal_version', database);
    await expect(open()).rejects.toThrow(/tables of another program/);
  });
});
