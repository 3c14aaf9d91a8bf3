import Database from 'better-sqlite3';
import fs, {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type DatabaseSpec } from '../../src/sqlite/open-database.ts';
import { isShare, mountType } from '../../src/sqlite/network-file-system.ts';
import { DatabaseRefused } from '../../src/domain/database-refused.ts';
import { refusalOf } from '../../src/sqlite/refusal.ts';
import { asOrdinaryUser } from './ordinary-user.ts';

const first: DatabaseSpec = {
  what: 'ledger',
  applicationId: 77,
  migrations: ['CREATE TABLE entry (text TEXT NOT NULL)'],
  synchronous: 'FULL',
};
const second: DatabaseSpec = {
  ...first,
  migrations: [...first.migrations, `ALTER TABLE entry ADD COLUMN place TEXT NOT NULL DEFAULT 'here'`],
};

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sqlite-'));
  file = join(directory, 'state', 'ledger.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Makes a database with these entries and closes it. */
function make(spec: DatabaseSpec, ...entries: string[]): void {
  const db = openDatabase(file, spec);
  const insert = db.prepare('INSERT INTO entry (text) VALUES (?)');
  db.transaction(() => entries.forEach((text) => insert.run(text)))();
  db.close();
}

function refusal(open: () => unknown): DatabaseRefused {
  try {
    open();
  } catch (error) {
    if (error instanceof DatabaseRefused) return error;
    throw error;
  }
  throw new Error('It was opened.');
}

describe('opening a database', () => {
  it('makes it where there is none, for its owner alone, and keeps what is written', () => {
    make(first, 'a');
    expect(statSync(join(directory, 'state')).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const db = openDatabase(file, first, { create: false });
    expect(db.prepare('SELECT text FROM entry').pluck().all()).toEqual(['a']);
    for (const name of readdirSync(join(directory, 'state')))
      expect(statSync(join(directory, 'state', name)).mode & 0o077).toBe(0);
    db.close();
    expect(readdirSync(join(directory, 'state'))).toEqual(['ledger.db']);
  });

  it('takes away the access that others have to it', () => {
    make(first);
    copyFileSync(file, `${file}.copy`);
    chmodSync(`${file}.copy`, 0o644);
    openDatabase(`${file}.copy`, first).close();
    expect(statSync(`${file}.copy`).mode & 0o077).toBe(0);
  });

  it('keeps one in memory', () => {
    const db = openDatabase(':memory:', first);
    expect(db.prepare('SELECT count(*) FROM entry').pluck().get()).toBe(0);
    db.close();
  });

  it('takes an older schema forward with what it holds', () => {
    make(first, 'a', 'b');
    const db = openDatabase(file, second);
    expect(db.prepare('SELECT text, place FROM entry').all()).toEqual([
      { text: 'a', place: 'here' },
      { text: 'b', place: 'here' },
    ]);
    db.close();
  });

  it('leaves the older schema as it was when a step forward fails', () => {
    make(first, 'a');
    const broken = { ...second, migrations: [...second.migrations, 'INSERT INTO entry SELECT nothing'] };
    expect(() => openDatabase(file, broken)).toThrow(/nothing/);
    const db = openDatabase(file, first);
    expect(db.prepare('SELECT * FROM entry').all()).toEqual([{ text: 'a' }]);
    db.close();
  });

  it('refuses a newer one and leaves it as it is', () => {
    make(second, 'a');
    expect(refusal(() => openDatabase(file, first))).toMatchObject({ reason: 'newer' });
    openDatabase(file, second).close();
  });

  it('refuses a database of something else', () => {
    make({ ...first, applicationId: 78 });
    expect(refusal(() => openDatabase(file, first))).toMatchObject({ reason: 'foreign' });
  });

  it('refuses to make what should be there', () => {
    expect(refusal(() => openDatabase(file, first, { create: false }))).toMatchObject({ reason: 'missing' });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('never takes an emptied file for a new one', () => {
    make(first, 'a');
    truncateSync(file, 0);
    expect(refusal(() => openDatabase(file, first))).toMatchObject({ reason: 'damaged' });
    expect(statSync(file).size).toBe(0);
  });

  it('never lays a log that was left behind over a new file', () => {
    make(first, 'a');
    const db = openDatabase(file, first);
    db.prepare('DELETE FROM entry').run();
    copyFileSync(`${file}-wal`, join(directory, 'left-wal'));
    db.close();
    rmSync(file);
    copyFileSync(join(directory, 'left-wal'), `${file}-wal`);
    for (const create of [true, false])
      expect(refusal(() => openDatabase(file, first, { create }))).toMatchObject({ reason: 'damaged' });
  });

  it('refuses one that was cut short', () => {
    make(first, ...Array.from({ length: 500 }, (_, i) => `entry ${i}`.padEnd(200)));
    truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
    expect(refusal(() => openDatabase(file, first))).toMatchObject({ reason: 'damaged' });
  });

  it('refuses a file that is no database', () => {
    mkdirSync(join(directory, 'state'));
    writeFileSync(file, 'external_account_number;name\n'.repeat(100));
    const { reason, message } = refusal(() => openDatabase(file, first));
    expect(reason).toBe('damaged');
    expect(message).toContain(file);
  });

  it('refuses what cannot be written, in words that name the place', () => {
    make(first, 'a');
    writeFileSync(join(directory, 'occupied'), '');
    for (const place of [directory, join(directory, 'occupied', 'ledger.db')]) {
      const { reason, message } = refusal(() => openDatabase(place, first));
      expect(reason).toBe('unwritable');
      expect(message).toContain(place);
    }
  });

  it('refuses a file or a directory that its user may not write', () => {
    make(first, 'a');
    asOrdinaryUser(directory, { readOnly: file }, () => {
      expect(refusal(() => openDatabase(file, first))).toMatchObject({ reason: 'unwritable' });
    });
    asOrdinaryUser(directory, { readOnly: join(directory, 'state') }, () => {
      const other = join(directory, 'state', 'other.db');
      expect(refusal(() => openDatabase(other, first))).toMatchObject({ reason: 'unwritable' });
    });
  });

  it('says that it is locked, full or failing where SQLite does', () => {
    make(first);
    const holder = new Database(file);
    holder.exec('BEGIN IMMEDIATE');
    const db = new Database(file, { timeout: 0 });
    const reasonOf = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        return refusalOf(error, file, first);
      }
      return undefined;
    };
    expect(reasonOf(() => db.exec('BEGIN IMMEDIATE'))).toMatchObject({ reason: 'locked' });
    holder.exec('ROLLBACK');
    db.pragma('max_page_count = 2');
    const grow = () => db.prepare('INSERT INTO entry VALUES (?)').run('x'.repeat(100_000));
    expect(reasonOf(grow)).toMatchObject({ reason: 'unwritable', message: expect.stringContaining('full') });
    expect(refusalOf(new Error('a bug'), file, first)).toEqual(new Error('a bug'));
    const strange = Object.assign(new Error('ENOSYS: link'), { code: 'ENOSYS', syscall: 'link' });
    expect(refusalOf(strange, file, first)).toMatchObject({
      message: expect.stringContaining('reports ENOSYS'),
    });
    db.close();
    holder.close();
  });

  it.each([
    ['chmod', 'its file system keeps no permissions'],
    ['link', 'its file system has no hard links'],
    ['open', 'marked as immutable'],
  ])("tells what the system does not permit (%s) of a file of one's own", (syscall, words) => {
    make(first, 'a');
    const error = Object.assign(new Error('EPERM'), { code: 'EPERM', syscall });
    const { message } = refusalOf(error, file, first) as Error;
    expect(message).toContain(words);
    expect(message).not.toContain('another user');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'tells whose a file is that cannot be restricted, and that a group cannot share it (needs root)',
    () => {
      make(first, 'a');
      chownSync(file, 12_345, 12_345);
      const error = Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'chmod' });
      expect((refusalOf(error, file, first) as Error).message).toMatch(
        /belongs to the user with the id 12345\. Run the command as that user.*for several operators, keep it in PostgreSQL/,
      );
    },
  );

  it.each(['FULL', 'NORMAL'] as const)(
    'syncs what macOS keeps in its disks, with synchronous %s',
    (synchronous) => {
      // The journal's own log is synced apart, under NORMAL, and its checkpoints by SQLite.
      const db = openDatabase(file, { ...first, synchronous });
      const set = ['fullfsync', 'checkpoint_fullfsync'].map((name) => db.pragma(name, { simple: true }));
      db.close();
      expect(set).toEqual([1, 1]);
    },
  );

  it.each([
    [0x6969, undefined, 'a network file system (NFS)'],
    [0xff534d42, undefined, 'a network file system (CIFS)'],
    [0x01021997, undefined, 'a network file system (9P)'],
    [0x01021997, '9p', 'a network file system (9P)'],
    [0x01021997, 'drvfs', 'a drive of Windows, through WSL: programs of both systems'],
    [
      0x65735546,
      'fuse.sshfs',
      'a file system that another program serves (FUSE: sshfs), perhaps from another machine',
    ],
    [0x65735546, 'fuse', 'a file system that another program serves (FUSE), perhaps'],
    [0x65735546, undefined, 'a file system that another program serves (FUSE), perhaps'],
  ])('refuses a place on a network file system (%#x, %s), with the remedy', (type, name, told) => {
    const asked: string[] = [];
    const fileSystemOf = (place: string) => {
      asked.push(place);
      if (place !== directory) throw new Error('It does not exist.');
      return { type, name };
    };
    // Also where it is only to be looked at: nobody is to be told that a run would make it there.
    const { reason, message } = refusal(() => openDatabase(file, first, { create: false, fileSystemOf }));
    expect(reason).toBe('unwritable');
    expect(message).toContain(`ledger.db is on ${told}`);
    expect(message).toContain('Name a place on a local disk');
    expect(asked.splice(0)).toEqual([file, join(directory, 'state'), directory]);
    expect(refusal(() => openDatabase(file, first, { create: true, fileSystemOf })).message).toBe(message);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    [0xef53, undefined],
    [0x65735546, 'fuseblk'],
    [0x65735546, 'fuse.fuse-overlayfs'],
  ])('takes a local file system for one (%#x, %s)', (type, name) => {
    make(first, 'a');
    openDatabase(file, first, { create: false, fileSystemOf: () => ({ type, name }) }).close();
  });

  it.each([
    [String.raw`\\server\books\journal.db`, true],
    [String.raw`\\?\UNC\server\books\journal.db`, true],
    ['//server/books/journal.db', true],
    [String.raw`\\?\C:\books\journal.db`, false],
    [String.raw`C:\books\journal.db`, false],
    ['/mnt/books/journal.db', false],
  ])('knows the address of a share of Windows: %s', (path, isOne) => {
    expect(isShare(path)).toBe(isOne);
  });

  it('finds the type of a mount by its device', () => {
    const mounts = [
      '27 1 254:0 / / rw,relatime - ext4 /dev/root rw',
      '54 27 0:39 / /mnt/a\\040-\\040b rw,nosuid shared:1 master:2 - fuse.sshfs host:/back rw,user_id=0',
      '56 27 0:4 / /mnt/c rw - fuse http://127.0.0.1 rw',
    ].join('\n');
    expect(mountType(mounts, '0:39')).toBe('fuse.sshfs');
    expect(mountType(mounts, '0:4')).toBe('fuse');
    expect(mountType(mounts, '0:3')).toBeUndefined();
    const drive =
      '60 27 0:50 / /mnt/c rw,noatime - 9p C:\\134 rw,dirsync,aname=drvfs;path=C:\\;uid=1000,trans=fd';
    expect(mountType(drive, '0:50')).toBe('drvfs');
  });

  it('takes a system that cannot tell for a local disk', () => {
    make(first, 'a');
    const fileSystemOf = () => {
      throw new Error('Nobody knows.');
    };
    openDatabase(file, first, { create: false, fileSystemOf }).close();
  });
});

it('a new file can be opened although another program reads it at the moment that it appears', () => {
  const { linkSync } = fs;
  let reader: Database.Database | undefined;
  fs.linkSync = (from, to) => {
    linkSync(from, to);
    reader = new Database(String(to));
    reader.exec('BEGIN; SELECT count(*) FROM entry');
  };
  syncBuiltinESMExports();
  try {
    const db = openDatabase(file, first);
    db.exec(`INSERT INTO entry VALUES ('kept')`);
    db.close();
  } finally {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
    reader?.close();
  }
  const again = openDatabase(file, first);
  expect(again.prepare('SELECT text FROM entry').pluck().all()).toEqual(['kept']);
  again.close();
});
