import Database from 'better-sqlite3';
import fs, { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { sqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { UpgradeOptions } from '../../src/journal/store.ts';
import { newest, writeJournal, writtenJournals } from './written-journal.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const now = Date.UTC(2026, 10, 28, 2, 10);
const by = { user: 'jane', host: 'night-1', version: '0.2.0' };
let told: string[] = [];
beforeEach(() => {
  told = [];
});
const upgrade: UpgradeOptions = {
  now,
  isDead: () => false,
  owner: { host: 'night-1', pid: 7, processStart: 'a' },
  by,
  sleep: () => Promise.resolve(),
  tell: (message) => void told.push(message),
};

const store = () => sqliteStore(file, 'FULL');
function readFrom<Row>(path: string, sql: string): Row[] {
  const db = new Database(path);
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}
const versionOf = (path = file) =>
  readFrom<{ user_version: number }>(path, 'PRAGMA user_version')[0]?.user_version;

describe('a journal of an earlier version', () => {
  it('is upgraded by a command that writes, after a copy that is kept beside it and named', async () => {
    writeJournal(file, 19);
    await (await store().open({ create: false, upgrade })).close();
    const backup = `${file}.schema-19-20261128T021000.000Z`;
    expect(versionOf()).toBe(newest);
    expect(versionOf(backup)).toBe(19);
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    expect(told).toEqual([
      `The journal ${file} is upgraded from schema 19 to ${newest}. A copy of it is made first.`,
      expect.stringContaining(`it is kept in ${backup}`),
    ]);
    expect(readFrom(file, 'SELECT * FROM upgrade')).toEqual([
      {
        id: 1,
        at: now,
        actor: 2,
        from_schema: 19,
        to_schema: newest,
        from_version: '0.1.0',
        backup,
        accounts: 0,
      },
    ]);
    expect(readdirSync(directory).sort()).toEqual([
      'journal.db',
      'journal.db.schema-19-20261128T021000.000Z',
    ]);
  });

  it.each(writtenJournals.filter(({ raisedTo }) => raisedTo < newest))(
    'is left as it is by a command that reads: $fixture, raised to $raisedTo',
    async (kind) => {
      writeJournal(file, kind);
      const before = readFileSync(file);
      await expect(store().open({ create: false, reading: true })).rejects.toMatchObject({
        reason: 'outdated',
        message: expect.stringContaining('migrate journal upgrade') as unknown,
      });
      expect(readFileSync(file)).toEqual(before);
    },
  );

  it('goes back by the copy, and forward again', async () => {
    writeJournal(file, 19);
    const contents = readFrom(file, 'SELECT * FROM account');
    const { backup = '' } = (await store().upgrade(upgrade)) ?? {};
    renameSync(backup, file);
    expect(versionOf()).toBe(19);
    expect(readFrom(file, 'SELECT * FROM account')).toEqual(contents);
    expect([...faultsIn(file)]).toEqual([]);
    const journal = await store().open({ create: false, upgrade });
    expect(await journal.compareMark()).not.toBe('went-back');
    await journal.close();
  });

  it('is not upgraded while a run of that version works, and is after that was killed', async () => {
    writeJournal(file, 19);
    const db = new Database(file);
    db.exec(`UPDATE lease SET host = 'night-1', pid = 99, expires_at = ${now + 60_000}`);
    db.close();
    await expect(store().upgrade(upgrade)).rejects.toMatchObject({
      reason: 'locked',
      message: expect.stringMatching(/of an earlier version .*process 99 on night-1 uses it/) as unknown,
    });
    expect(readdirSync(directory)).toEqual(['journal.db']);
    expect(versionOf()).toBe(19);
    expect(await store().upgrade({ ...upgrade, isDead: ({ pid }) => pid === 99 })).toMatchObject({
      from: 19,
    });
  });

  it('is unchanged where its disk has no room for the copy, and the message says how much is needed', async () => {
    writeJournal(file, 19);
    const { statfsSync } = fs;
    fs.statfsSync = (() => ({ bavail: 1, bsize: 4096 })) as unknown as typeof statfsSync;
    syncBuiltinESMExports();
    try {
      await expect(store().upgrade(upgrade)).rejects.toThrow(
        /is not upgraded and is unchanged: .* need 1 MB/,
      );
    } finally {
      fs.statfsSync = statfsSync;
      syncBuiltinESMExports();
    }
    expect(versionOf()).toBe(19);
    expect(readdirSync(directory)).toEqual(['journal.db']);
  });

  it('is unchanged where an upgrade fails, and no copy is left', async () => {
    writeJournal(file, 19);
    const step = (version: number): void => {
      if (version > newest) throw new Error('the disk is gone');
    };
    await expect(store().upgrade({ ...upgrade, step })).rejects.toThrow('the disk is gone');
    expect(versionOf()).toBe(19);
    expect(readdirSync(directory)).toEqual(['journal.db']);
  });

  it('says who upgrades it to a process that meets that, which waits', async () => {
    writeJournal(file, 19);
    const other = { host: 'night-2', pid: 8, processStart: '', user: 'ann', since: now };
    writeFileSync(`${file}-upgrade`, JSON.stringify(other));
    let slept = 0;
    const sleep = () => {
      slept += 1;
      if (slept === 3) rmSync(`${file}-upgrade`);
      return Promise.resolve();
    };
    await store().upgrade({ ...upgrade, sleep });
    expect(slept).toBe(3);
    expect(told[0]).toBe(
      `The journal ${file} is being upgraded since 02:10 UTC by ann (process 8 on night-2). This command waits until that is done.`,
    );
    expect(versionOf()).toBe(newest);
  });

  it.each([1, 9])(
    'of version %i has no mark: the upgrade makes it, and nothing is said of that',
    async (version) => {
      writeJournal(file, version);
      const journal = await store().open({ create: false, upgrade });
      expect(await journal.takeMark(now)).toBe('current');
      await journal.close();
    },
  );

  it('shows on a terminal what is done, from the copy to the last write', async () => {
    writeJournal(file, 19);
    const shown: string[] = [];
    await store().upgrade({ ...upgrade, phase: (text) => void shown.push(text) });
    const versions = Array.from({ length: newest - 19 }, (_, at) => `schema ${20 + at}`);
    const steps = ['copying 1 MB', ...versions, 'writing it to disk'];
    expect(shown).toEqual([
      ...steps.map((step, at) => `Upgrading the journal: ${step} (${at + 1} of ${steps.length})`),
      '',
    ]);
  });

  it('is refused by an older build with the version that wrote it', async () => {
    writeJournal(file, 19);
    await store().upgrade({ ...upgrade, by: { ...by, version: '9.1.0+0123456789ab' } });
    new Database(file).exec('PRAGMA user_version = 99').close();
    await expect(store().open({ create: false })).rejects.toThrow(
      /schema 99, known up to \d+\). Use version 9\.1\.0\+0123456789ab, which wrote it, or a later one\./,
    );
  });

  it('is restored where its directory is missing', async () => {
    const backup = join(directory, 'backup.db');
    writeJournal(backup, 19);
    file = join(directory, '.migrate', 'journal.db');
    await store().restore(backup, { now, isDead: () => true });
    expect(versionOf()).toBe(newest);
    expect(fs.statSync(join(directory, '.migrate')).mode & 0o777).toBe(0o700);
  });

  it('cannot be moved by a command that would have to change it first', async () => {
    writeJournal(file, 19);
    await expect(store().source()).rejects.toMatchObject({ reason: 'outdated' });
    expect(versionOf()).toBe(19);
  });
});
