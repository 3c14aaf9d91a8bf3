import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { systemClock } from '../../src/host/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import { moveJournal } from '../../src/journal/safety/move-journal.ts';
import { recordTables, type RecordTarget } from '../../src/journal/safety/records.ts';
import { sqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

let directory: string;
let env: Record<string, string> = {};
const cli = (...args: string[]) => ranHere([...args, '--json'], directory, { env });
/** What the journal says to programs: of every account and attempt. */
const told = async (journal: string) => {
  const ended = await cli('journal', 'export', '--journal', journal);
  expect(ended.code).toBe(0);
  return ended.stdout.split('\n').filter((line) => !line.includes('"type":"summary"'));
};
const book = '.migrate/journal.db';

/** A journal with accounts in every kind of trouble, and a retry. */
beforeAll(async () => {
  directory = join(space.directory, 'original');
  mkdirSync(directory);
  const faulty = project('fixtures/faulty/export');
  expect((await cli('run', faulty, '--skip-unreadable', '--limit', '20')).code).toBe(6);
  expect((await cli('run', faulty, '--skip-unreadable')).code).toBe(3);
  expect((await cli('retry', '--supplier', 'TENTACLE_ENERGY')).code).toBe(0);
});

/** A copy of it. */
function copied(name: string): void {
  directory = join(space.directory, name);
  cpSync(join(space.directory, 'original'), directory, { recursive: true });
}

describe('between two files', () => {
  let count = 0;
  beforeEach(() => copied(`files-${(count += 1)}`));

  it('has everything that the old one had, and lets only the new one be used', async () => {
    const before = await told(book);
    const { rows, accounts } = concluded(await cli('journal', 'move', book, 'new.db'), 'journal', 0);
    expect(accounts).toBe(62);
    expect(rows).toBeGreaterThan(300);
    expect(await told('new.db')).toEqual(before);
    expect((await cli('journal', 'check', '--journal', 'new.db')).code).toBe(0);
    const status = await cli('status');
    refused(status, 'status', 2, `was moved to ${join(directory, 'new.db')}. Name that one`);
    const run = await cli('run', project('fixtures/faulty/export'), '--skip-unreadable');
    expect(run.code).toBe(2);
    const next = await cli(
      'run',
      project('fixtures/faulty/export'),
      '--skip-unreadable',
      '--journal',
      'new.db',
    );
    expect(next.code).toBe(3);
    expect(next.stderr).not.toMatch(/mark|copy|restored/);
    expect(concluded(await cli('journal', 'move', book, 'new.db'), 'journal', 0)).toMatchObject({
      moved: false,
    });
    refused(
      await cli('journal', 'move', book, 'third.db'),
      'journal',
      2,
      `was already moved to ${join(directory, 'new.db')}. Move that journal instead`,
    );
  });

  it('is refused onto a journal, from none, and while a run holds it', async () => {
    refused(await cli('journal', 'move', 'none.db', 'new.db'), 'journal', 2, 'There is no journal at');
    const journal = openJournal(join(directory, book), { synchronous: 'NORMAL', create: false });
    const [{ platform } = { platform: '' }] = await journal.platforms();
    const owner = { host: 'elsewhere', pid: 1, processStart: '' };
    const lease = { platform, supplier: 'TENTACLE_ENERGY', owner };
    const now = Date.now();
    const taken = await journal.takeLease(lease, now, now + 60_000, () => false);
    refused(await cli('journal', 'move', book, 'new.db'), 'journal', 7, 'a run holds TENTACLE_ENERGY');
    expect(readdirSync(directory)).not.toContain('new.db.moving');
    if (!taken.held) await journal.releaseLease(platform, 'TENTACLE_ENERGY', taken.epoch);
    await journal.close();
    expect((await cli('journal', 'backup', 'other.db')).code).toBe(0);
    refused(await cli('journal', 'move', book, 'other.db'), 'journal', 2, 'There is a journal at');
    expect((await cli('status')).code).toBe(0);
  });

  it('is refused back onto the old journal, which is kept, and goes to another place', async () => {
    expect((await cli('journal', 'move', book, 'new.db')).code).toBe(0);
    const back = await cli('journal', 'move', 'new.db', book);
    const [old, now] = [join(directory, book), join(directory, 'new.db')];
    refused(
      back,
      'journal',
      2,
      `${old} has the old journal that was moved to ${now} and kept. Name a place without`,
    );
    expect((await cli('journal', 'move', 'new.db', 'newer.db')).code).toBe(0);
  });

  it('is refused where the journal was changed meanwhile, and succeeds then', async () => {
    const [from, to] = [join(directory, book), join(directory, 'new.db')];
    const source = await sqliteStore(from, 'NORMAL').source();
    const target = await sqliteStore(to, 'NORMAL').target();
    let isChanged = false;
    const compared = (): void => {
      if (isChanged) return;
      isChanged = true;
      const journal = openJournal(from, { synchronous: 'NORMAL', create: false });
      void journal.markRestored(1);
      void journal.close();
    };
    const move = moveJournal(source, target, { copied: () => undefined, compared });
    await expect(move).rejects.toThrow(/differs in the table|was changed while it was moved/);
    await Promise.all([source.close(), target.close()]);
    expect(existsSync(to)).toBe(false);
    expect((await cli('status')).code).toBe(0);
    expect(concluded(await cli('journal', 'move', book, 'new.db'), 'journal', 0)).toMatchObject({
      accounts: 62,
    });
  });

  it('is continued after an interruption at any moment, with one usable journal at each', async () => {
    const before = await told(book);
    const [from, to] = [join(directory, book), join(directory, 'new.db')];
    /** Ends the move when so many changes were made at the target. */
    const cutAfter = async (changes: number): Promise<boolean> => {
      const source = await sqliteStore(from, 'NORMAL').source();
      const target = await sqliteStore(to, 'NORMAL').target();
      let left = changes;
      const step = async (work: () => Promise<void>): Promise<void> => {
        if ((left -= 1) < 0) throw new Error('killed');
        await work();
      };
      const cut: RecordTarget = {
        ...target,
        begin: (stamp) => step(() => target.begin(stamp)),
        add: (table, rows) => step(() => target.add(table, rows)),
        publish: () => step(() => target.publish()),
      };
      try {
        await moveJournal(source, cut, { copied: () => undefined, compared: () => undefined });
        return true;
      } catch (error) {
        if (!String(error).includes('killed')) throw error;
        return false;
      } finally {
        await source.close();
        await target.close();
      }
    };
    for (let changes = 0; !(await cutAfter(changes)); changes = 1) {
      expect(existsSync(to)).toBe(false);
      const status = await cli('status');
      // After the last row, only the publication is missing.
      expect(`${status.code} ${status.stderr}`).toMatch(/^0 |was moved to \S*new\.db/);
    }
    expect(await told('new.db')).toEqual(before);
  });
});

describe.skipIf(!hasPostgres)('between a file and PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    env = { PGPASSWORD: server.password };
    copied('postgres');
  });
  afterAll(async () => {
    env = {};
    await server.remove();
  });

  /** As the progress of a move counts them before it begins. */
  const rowsAt = async (journal: string): Promise<number> => {
    const password = () => Promise.resolve(server.password);
    const settings = {
      synchronous: 'FULL',
      user: '',
      password,
      patienceMs: 0,
      clock: systemClock,
      directory,
    } as const;
    const source = await journalAt({ journal, ...settings }).source();
    let rows = 0;
    for (const table of recordTables) rows += await source.count(table);
    await source.close();
    return rows;
  };

  it('goes there and back without a change, and a run goes on in between', async () => {
    const database = await server.makeDatabase();
    const address = server.url(database);
    const before = await told(book);
    const moved = concluded(await cli('journal', 'move', book, address), 'journal', 0);
    expect(moved).toMatchObject({ accounts: 62, to: address });
    expect(JSON.stringify(moved)).not.toContain(server.password);
    expect(await told(address)).toEqual(before);
    expect((await cli('journal', 'check', '--journal', address)).code).toBe(0);
    const run = await cli(
      'run',
      project('fixtures/faulty/export'),
      '--skip-unreadable',
      '--journal',
      address,
    );
    expect(run.code).toBe(3);
    const after = await told(address);
    // What a run leaves that was killed.
    await server.query(
      'INSERT INTO migrate.tally SELECT supplier, step, state, 0, writer + 1000 FROM migrate.tally',
      database,
    );
    const counted = await rowsAt(address);
    const { rows } = concluded(await cli('journal', 'move', address, 'back.db'), 'journal', 0);
    expect(rows, 'the end of the progress').toBe(counted);
    expect(await told('back.db')).toEqual(after);
    refused(await cli('status', '--journal', address), 'status', 2, 'was moved to');
    const again = server.url(await server.makeDatabase());
    concluded(await cli('journal', 'move', 'back.db', again), 'journal', 0);
    expect(await told(again)).toEqual(after);
    expect(readFileSync(join(directory, book)).length).toBeGreaterThan(0);
  });
});
