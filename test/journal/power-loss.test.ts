import fs, { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';

/** Stands between the journal and the disk: called when the log is to be synced, with what does it. */
let atSync: (sync: () => void, fail: (error: Error) => void) => void;

const { fdatasync } = fs;
beforeAll(() => {
  fs.fdatasync = Object.assign((log: number, done: (error: Error | null) => void) => {
    atSync(() => fdatasync(log, done), done);
  }, fdatasync);
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.fdatasync = fdatasync;
  syncBuiltinESMExports();
});

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'power-'));
  file = join(directory, 'journal.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

const keyOf = (i: number) => ({ supplier: 'S', account: `A-${i}` });

describe('under FULL', () => {
  it('a power loss takes nothing that was confirmed', async () => {
    const kept = join(directory, 'kept');
    // What the disk is sure to have: the log as it was when the last sync was asked for.
    let isKept = Promise.resolve();
    atSync = (sync) => {
      mkdirSync(kept, { recursive: true });
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, join(kept, `journal.db${end}`));
      sync();
    };
    const journal = openJournal(file, { synchronous: 'FULL', create: true });
    const afterPowerLoss = async (i: number) => {
      const at = mkdtempSync(join(directory, 'after-'));
      for (const end of ['', '-wal'])
        copyFileSync(join(kept, `journal.db${end}`), join(at, `journal.db${end}`));
      const restarted = openJournal(join(at, 'journal.db'), { synchronous: 'NORMAL', create: false });
      const found = await restarted.find('p', keyOf(i));
      await restarted.close();
      return found;
    };
    await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const { id } = await journal.open('p', keyOf(i));
        await journal.intend({ accountId: id, step: 'process', part: 0 }, { hash: 'h', run: 1, at: 1 });
        isKept = isKept.then(async () => {
          expect((await afterPowerLoss(i))?.parts).toMatchObject([{ step: 'process', state: 'sent' }]);
        });
        await isKept;
      }),
    );
    await journal.close();
  });

  it('nothing is confirmed before the disk has it, and what comes meanwhile waits for the next sync', async () => {
    const nextSync = () => new Promise<() => void>((resolve) => (atSync = resolve));
    const confirmed: string[] = [];
    const journal = openJournal(file, { synchronous: 'FULL', create: true });
    const written = (name: string, i: number) => journal.open('p', keyOf(i)).then(() => confirmed.push(name));
    let syncing = nextSync();
    const first = written('first', 1);
    const syncFirst = await syncing;
    syncing = nextSync();
    const second = written('second', 2);
    await new Promise((turn) => setImmediate(turn));
    expect(confirmed).toEqual([]);
    syncFirst();
    await first;
    const syncSecond = await syncing;
    expect(confirmed).toEqual(['first']);
    syncSecond();
    await second;
    await journal.close();
  });

  it('a disk that cannot keep it refuses that and every later write', async () => {
    atSync = (_sync, fail) => fail(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    const journal = openJournal(file, { synchronous: 'FULL', create: true });
    const refusal = /journal\.db cannot be read or written: the disk reports an error/;
    await expect(journal.open('p', keyOf(1))).rejects.toThrow(refusal);
    await expect(journal.open('p', keyOf(2))).rejects.toThrow(refusal);
    await journal.close();
  });
});
