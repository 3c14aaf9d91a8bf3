// What a server, or the way to it, can answer: each has its sentence, and it is known whether it passes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { addressOf } from '../../src/journal/postgres/address.ts';
import { isPassing, refusalOf } from '../../src/journal/postgres/refusal.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

const address = addressOf('postgres://migrate@db.example.com/books');
const failure = (code: string, message = 'said by the server') => Object.assign(new Error(message), { code });
const sentence = (error: Error): string => (refusalOf(error, address) as Error).message;

describe('an error', () => {
  it.each([
    ['ENOTFOUND', true, 'no host db.example.com'],
    ['EAI_AGAIN', true, 'no host db.example.com'],
    ['ECONNREFUSED', true, 'nothing listens'],
    ['EHOSTUNREACH', true, 'cannot be reached'],
    ['08006', true, 'cannot be reached'],
    ['25006', true, 'read-only'],
    ['55P03', true, 'lock_timeout'],
    ['57014', true, 'statement_timeout'],
    ['57P05', true, 'idle_session_timeout'],
    ['25P03', true, 'idle_in_transaction_session_timeout'],
    ['25P04', true, 'transaction_timeout'],
    ['57P01', true, 'when it stops'],
    ['57P03', true, 'starting or stopping'],
    ['53200', true, 'no memory left'],
    ['53300', true, 'too many connections'],
    ['28P01', false, 'refuses the password'],
    ['3D000', false, 'no database books'],
    ['42501', false, 'lacks rights'],
    ['53100', false, 'no space left'],
    ['22P05', false, 'Create one in UTF-8'],
    ['22021', false, 'Create one in UTF-8'],
    ['26000', false, 'pooler in transaction mode'],
    ['42P05', false, 'pooler in transaction mode'],
    ['57P04', false, 'was deleted'],
    ['58030', false, 'disk of the PostgreSQL server'],
    ['XX001', false, 'reports damage'],
    ['42601', false, 'reports 42601'],
  ])('%s passes: %s, and is told as "%s"', (code, passes, words) => {
    expect(isPassing(failure(code))).toBe(passes);
    expect(sentence(failure(code))).toContain(words);
    expect(sentence(failure(code))).toMatch(/^The journal postgres:\/\/migrate@db\.example\.com\/books: /);
  });

  it('of a table without a key that is published names the remedy', () => {
    const said = 'cannot update table "x" because it does not have a replica identity and publishes updates';
    expect(sentence(failure('55000', said))).toContain(
      'Publish other tables only, or give that table a primary key',
    );
  });
});

it.each([
  [
    'postgres://one.example.com,two.example.com/books',
    'It names several hosts: name one that always leads to the primary',
  ],
  ['postgres://one.example.com:5432,two.example.com:5432/books', 'It names several hosts'],
  [
    'postgres://db.example.com/books?target_session_attrs=read-write',
    'target_session_attrs, which is not needed',
  ],
])('%s is refused with what to do', (name, words) => {
  expect(() => addressOf(name)).toThrow(words);
});

describe.skipIf(!hasPostgres)('on a server (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let directory: string;
  let database: string;
  let opened: Journal[];
  let told: string[];
  let listeners: ((message: string) => void)[];
  beforeAll(async () => {
    vi.stubEnv('PGPASSWORD', undefined);
    server = await startPostgres(['wal_level=logical']);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.remove();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    database = await server.makeDatabase();
    opened = [];
    told = [];
    listeners = [];
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close().catch(() => undefined);
    rmSync(directory, { recursive: true });
  });

  const store = (name: string, password: string | undefined, patienceMs = 60_000) =>
    journalAt({
      ...{ journal: name, synchronous: 'FULL', clock: systemClock, user: 'nobody', directory, patienceMs },
      password: () => Promise.resolve(password),
    });
  async function open(parameters = '', patienceMs?: number): Promise<Journal> {
    const journal = await store(server.url(database) + parameters, server.password, patienceMs).open({
      create: true,
      warn: (message) => {
        told.push(message);
        for (const listener of listeners) listener(message);
      },
    });
    opened.push(journal);
    return journal;
  }
  const key = { supplier: 'S', account: '1' };
  const intent = { hash: 'h', run: 1, at: 1 };
  const notesOf = (accountId: number) => ({ accountId, step: 'notes', part: 0 }) as const;
  /** Resolves when the journal has told this. */
  const heard = (words: string): Promise<string> =>
    new Promise((resolve) => {
      const said = told.find((message) => message.includes(words));
      if (said !== undefined) resolve(said);
      else listeners.push((message) => message.includes(words) && resolve(message));
    });
  const failing = (what: Promise<unknown>): Promise<string> =>
    what.then(
      () => 'it was opened',
      (error: unknown) => (error as Error).message,
    );

  it.each(['order', 'user', 'select'])('a schema may be called %s', async (schema) => {
    const journal = await open(`?schema=${schema}`);
    await journal.open('p', key);
    expect(await server.query(`SELECT FROM "${schema}".account`, database)).toHaveLength(1);
  });

  it('a file of authorities that does not exist is named', async () => {
    const name = `${server.url(database)}?sslmode=verify-full&sslrootcert=/nowhere/root.pem`;
    expect(await failing(store(name, server.password).exists())).toContain(
      'the file /nowhere/root.pem of sslrootcert does not exist',
    );
  });

  it('a database in another encoding is refused before anything is written', async () => {
    await server.query(`CREATE DATABASE latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    database = 'latin1';
    expect(await failing(open())).toMatch(/has the encoding LATIN1.*Nothing was written.*UTF8/);
    expect(await server.query("SELECT FROM pg_namespace WHERE nspname = 'migrate'", 'latin1')).toEqual([]);
  });

  it('all tables may be published, before the journal is made and after', async () => {
    await server.query('CREATE PUBLICATION everything FOR ALL TABLES', database);
    const journal = await open();
    await journal.takeMark(1000);
    await journal.open('p', key);
    await journal.close();
    expect((await (await open()).overview())[0]?.accounts.pending).toBe(1);
  });

  it.each([
    ['lock_timeout', 'gave no lock in time (lock_timeout)'],
    ['statement_timeout', 'cancelled a statement (statement_timeout'],
  ])('a table that is locked for longer than %s is waited for, and told', async (setting, words) => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    const { host, port, user, password } = server;
    const holder = new pg.Client({ host, port, user, password, database });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE migrate.part');
    await server.query(`ALTER ROLE postgres IN DATABASE ${database} SET ${setting} = '50ms'`);
    await server.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'migrate'",
    );
    const written = journal.intend(notesOf(id), intent);
    await heard(words);
    await holder.query('COMMIT');
    await holder.end();
    await written;
    expect(told.at(-1)).toContain('is back');
    expect((await journal.find('p', key))?.parts).toHaveLength(1);
  });

  it('a server that is read-only for a while is waited for, and called so', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    await server.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    await server.cut(database);
    const written = journal.intend(notesOf(id), intent);
    expect(await heard('read-only')).toMatch(
      /^The journal .* is read-only: it is a standby, or default_transaction/,
    );
    await server.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    await written;
  });

  it('a commit whose wait for the standby was cancelled is not confirmed before a standby has it', async () => {
    const journal = await open();
    const { id } = await journal.open('p', key);
    await setStandbys("SET synchronous_standby_names = 'absent'");
    let isConfirmed = false;
    let written: Promise<unknown>;
    let committing: unknown;
    try {
      // A server takes settings over some time after it was told to, and lets commits pass until then.
      do {
        isConfirmed = false;
        written = journal.intend(notesOf(id), intent).then(() => (isConfirmed = true));
        committing = await waiting('COMMIT', () => isConfirmed);
      } while (committing === undefined);
      await server.query('SELECT pg_cancel_backend($1)', 'postgres', [committing]);
      expect(await waiting('UPDATE writer', () => isConfirmed)).toBeDefined();
      expect(isConfirmed).toBe(false);
    } finally {
      await setStandbys('RESET synchronous_standby_names');
    }
    await written;
  }, 60_000);

  async function setStandbys(how: string): Promise<void> {
    await server.query(`ALTER SYSTEM ${how}`);
    await server.query('SELECT pg_reload_conf()');
  }

  /** The process that waits for a standby with a statement that begins so, once there is one; undefined when the write has passed. */
  async function waiting(statement: string, hasPassed: () => boolean): Promise<unknown> {
    while (!hasPassed()) {
      const [found] = await server.query(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '${statement}%'`,
      );
      if (found !== undefined) return found['pid'];
    }
    return undefined;
  }

  it('patience counts from when the journal failed, for reading and writing together', async () => {
    let now = 0;
    const clock = {
      now: () => now,
      monotonic: () => now,
      sleep: (ms: number) => {
        now += ms;
        return Promise.resolve();
      },
    };
    const journal = await journalAt({
      ...{ journal: server.url(database), synchronous: 'FULL', clock, user: 'nobody', directory },
      ...{ patienceMs: 60_000, password: () => Promise.resolve(server.password) },
    }).open({ create: true });
    opened.push(journal);
    const { id } = await journal.open('p', key);
    await server.stop();
    try {
      const both = [journal.intend(notesOf(id), intent), journal.overview()];
      for (const said of await Promise.all(both.map(failing)))
        expect(said).toContain('longer than the run waits');
      expect(await failing(journal.overview())).toContain('longer than the run waits');
      expect(now).toBeLessThanOrEqual(60_000);
    } finally {
      await server.start();
    }
  });

  it('a stop ends the wait for a lock, and for a server that is gone', async () => {
    // The grace of a stop passes at once.
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
    };
    const opening = async (stop: AbortSignal): Promise<Journal> => {
      const journal = await journalAt({
        ...{ journal: server.url(database), synchronous: 'FULL', clock, user: 'nobody', directory },
        ...{ patienceMs: 600_000, password: () => Promise.resolve(server.password) },
      }).open({ create: true, stop });
      opened.push(journal);
      return journal;
    };
    const stops = [new AbortController(), new AbortController()] as const;
    const journal = await opening(stops[0].signal);
    const { id } = await journal.open('p', key);
    const { host, port, user, password } = server;
    const holder = new pg.Client({ host, port, user, password, database });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE migrate.part');
    const written = failing(journal.intend(notesOf(id), intent));
    stops[0].abort();
    expect(await written).toMatch(/was interrupted, and the journal .* did not answer within 5 s/);
    expect(await failing(journal.overview())).toContain('was interrupted');
    await holder.query('COMMIT');
    await holder.end();

    const other = await opening(stops[1].signal);
    await server.stop();
    try {
      const waiting = failing(other.intend(notesOf(id), intent));
      stops[1].abort();
      expect(await waiting).toContain('was interrupted');
    } finally {
      await server.start();
    }
  });

  it('the password file is read without a warning', async () => {
    const file = join(directory, 'passwords');
    const escaped = server.password.replaceAll(':', String.raw`\:`);
    writeFileSync(file, `127.0.0.1:${server.port}:*:postgres:${escaped}\n`, { mode: 0o600 });
    vi.stubEnv('PGPASSFILE', file);
    const warned = vi.spyOn(process, 'emitWarning');
    expect(await store(server.url(database), undefined).exists()).toBe(false);
    expect(warned).not.toHaveBeenCalled();
    vi.stubEnv('PGPASSFILE', join(directory, 'none'));
    expect(await failing(store(server.url(database), undefined).exists())).toContain('asks for a password');
  });
});
