import Database from 'better-sqlite3';
import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { sqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { UpgradeOptions } from '../../src/journal/store.ts';
import { canMount, mountedDisk, type MountedDisk } from '../mounted-disk.ts';
import { newest, writeJournal } from './written-journal.ts';

let disk: MountedDisk;
let directory: string;
let file: string;

const upgrade: UpgradeOptions = {
  now: Date.UTC(2026, 10, 28, 2, 10),
  isDead: () => true,
  owner: { host: 'night-1', pid: 7, processStart: 'a' },
  by: { user: 'jane', host: 'night-1', version: '0.2.0' },
  sleep: () => Promise.resolve(),
  tell: () => undefined,
};

describe.skipIf(!canMount())('an upgrade on a disk that is full (needs the right to mount)', () => {
  beforeEach(() => {
    disk = mountedDisk() ?? expect.fail();
    ({ directory } = disk);
    file = join(directory, 'journal.db');
    writeJournal(file, 19);
  });
  afterEach(() => disk.remove());

  const versionOf = (): unknown => {
    const db = new Database(file);
    try {
      return db.pragma('user_version', { simple: true });
    } finally {
      db.close();
    }
  };
  const { statfsSync } = fs;
  /** Leaves this many bytes. */
  function fill(left: number): void {
    const { bavail, bsize } = statfsSync(directory);
    writeFileSync(join(directory, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
  }

  it('does not begin, and says how much is needed', async () => {
    fill(20_000);
    const before = readFileSync(file);
    await expect(sqliteStore(file, 'FULL').upgrade(upgrade)).rejects.toThrow(
      /is not upgraded and is unchanged/,
    );
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(directory).sort()).toEqual(['filler', 'journal.db']);
  });

  /** Upgrades with this many bytes left, which are gone after they were looked at; the error, if it ends in one. */
  async function upgradedWith(left: number): Promise<unknown> {
    fill(left);
    fs.statfsSync = (() => ({ bavail: 1e9, bsize: 4096 })) as unknown as typeof statfsSync;
    syncBuiltinESMExports();
    try {
      await sqliteStore(file, 'FULL').upgrade(upgrade);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      fs.statfsSync = statfsSync;
      syncBuiltinESMExports();
    }
  }

  // For the copy, for the log of the changes, or shortly before its end.
  it.each([8_000, 100_000, 180_000])(
    'is taken back where %i bytes are left while it works, and is done when there is space',
    async (left) => {
      expect(await upgradedWith(left)).toMatchObject({
        message: expect.stringMatching(/disk is full|read or written/),
      });
      expect(versionOf()).toBe(19);
      expect(readdirSync(directory).filter((name) => name.includes('schema-'))).toEqual([]);
      expect([...faultsIn(file)]).toEqual([]);
      fs.rmSync(join(directory, 'filler'));
      await sqliteStore(file, 'FULL').upgrade(upgrade);
      expect(versionOf()).toBe(newest);
    },
  );

  it('is done where there is just room for it', async () => {
    expect(await upgradedWith(400_000)).toBeUndefined();
    expect(versionOf()).toBe(newest);
    expect([...faultsIn(file)]).toEqual([]);
  });
});
