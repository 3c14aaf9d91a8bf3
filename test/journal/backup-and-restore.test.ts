import Database from 'better-sqlite3';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zeroCounts } from '../../src/domain/account-state.ts';
import { backUpJournal } from '../../src/journal/sqlite/sqlite-store.ts';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { restoreJournal } from '../../src/journal/sqlite/restore-journal.ts';
import { collect } from './conformance/collect.ts';

let directory: string;
let file: string;
let backup: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
  backup = join(directory, 'backup.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (path = file) => openJournal(path, { synchronous: 'NORMAL', create: true });
const key = (at: number) => ({ supplier: 'S', account: String(at) });
const now = Date.UTC(2024, 6, 1);
const moment = { now, isDead: () => false };
const isThere = { replace: false };

/** A journal with so many accounts. */
async function filled(accounts: number, path = file): Promise<void> {
  const journal = open(path);
  for (let at = 0; at < accounts; at += 1) void journal.open('p', key(at));
  await journal.close();
}

async function accountsIn(path = file): Promise<number> {
  const journal = openJournal(path, { synchronous: 'NORMAL', create: false });
  const accounts = await collect(journal.accounts('p', 'S'));
  await journal.close();
  return accounts.length;
}

/** Makes a page of the file unreadable. */
function damage(path: string): void {
  const handle = openSync(path, 'r+');
  for (let page = 2; page < statSync(path).size / 4096; page += 1)
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(handle);
}

describe('a backup', () => {
  it('taken while a run writes is of one moment, whole, and for its owner alone', async () => {
    const journal = open();
    const writes: Promise<unknown>[] = [];
    const taken: number[] = [];
    for (let at = 0; at < 600; at += 1) {
      const { id } = await journal.open('p', key(at));
      const part = { accountId: id, step: 'stage', part: 0 } as const;
      writes.push(journal.intend(part, { hash: 'h', run: 1, at: 1 }));
      if (at % 200 !== 100) continue;
      backUpJournal(file, `${backup}.${at}`, isThere);
      taken.push(at);
    }
    await Promise.all(writes);
    await journal.close();
    for (const at of taken) {
      const path = `${backup}.${at}`;
      expect([...faultsIn(path)].filter(({ code }) => code !== 'request_of_no_run')).toEqual([]);
      // All that was durable then; the request of the last one may have been gathered only.
      expect(await accountsIn(path)).toBe(at + 1);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(directory).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('replaces no file unless it is told to, and never the journal itself', async () => {
    await filled(3);
    writeFileSync(backup, 'precious');
    expect(() => backUpJournal(file, backup, isThere)).toThrow(/backup\.db already exists.*--force/);
    expect(readFileSync(backup, 'utf8')).toBe('precious');
    expect(() => backUpJournal(file, file, { replace: true })).toThrow(/is the journal itself/);
    backUpJournal(file, backup, { replace: true });
    expect(await accountsIn(backup)).toBe(3);
  });

  it('is not made of a damaged journal, nor where it cannot be', async () => {
    await filled(2000);
    expect(() => backUpJournal(file, join(directory, 'nowhere', 'b.db'), isThere)).toThrow(
      /nowhere.*cannot be created: part of its path does not exist/,
    );
    damage(file);
    expect(() => backUpJournal(file, backup, isThere)).toThrow(/journal\.db is damaged/);
    expect(existsSync(backup)).toBe(false);
  });
});

describe('a restore', () => {
  it('puts the backup in place, keeps what was there, and has every account in doubt', async () => {
    await filled(3);
    backUpJournal(file, backup, isThere);
    await filled(5);
    const restored = await restoreJournal(file, backup, moment);
    const kept = `${file}.replaced-20240701T000000.000Z`;
    expect(restored).toEqual({ kind: 'restored', kept, loss: { runs: 0, accounts: 2, rulings: 0 } });
    expect(await accountsIn()).toBe(3);
    expect(await accountsIn(kept)).toBe(5);
    const journal = open();
    expect(await journal.find('p', key(1))).toMatchObject({ inDoubtSince: now });
    await journal.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).toSorted()).toEqual(
      ['backup.db', 'journal.db', 'journal.db-mark', 'journal.db.replaced-20240701T000000.000Z'].toSorted(),
    );
    // The backup itself is as it was, and can be used again.
    expect(await accountsIn(backup)).toBe(3);
  });

  it.each([
    ['gone', () => rmSync(file)],
    ['empty', () => truncateSync(file, 0)],
    ['damaged', () => damage(file)],
    ['no database', () => writeFileSync(file, 'a'.repeat(9000))],
    ['gone but for its log', () => renameSync(file, `${file}-wal`)],
  ])('helps where the journal is %s', async (_, spoil) => {
    await filled(2000);
    backUpJournal(file, backup, isThere);
    spoil();
    expect(await restoreJournal(file, backup, moment)).toMatchObject({ kind: 'restored' });
    expect([...faultsIn(file)]).toEqual([]);
    expect(await accountsIn()).toBe(2000);
  });

  it('asks first where the journal has more than the backup, and says how old both are and what is lost', async () => {
    const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: 'e' };
    const end = { exit: 0, reason: '', accounts: zeroCounts(), requests: 1, retries: 0 };
    const journal = open();
    const run = await journal.startRun({ ...start, startedAt: 1000 });
    const ids = await Promise.all([1, 2, 3].map(async (at) => (await journal.open('p', key(at))).id));
    const stage = (accountId = 0) => ({ accountId, step: 'stage', part: 0 }) as const;
    const done = { state: 'done', outcome: 'ok' } as const;
    await journal.recordSent(stage(ids[0]), { hash: 'h', run, at: 2000 }, { ...done, at: 2500 });
    backUpJournal(file, backup, isThere);
    await journal.finishRun(run, { ...end, endedAt: 3000 });
    await journal.startRun({ ...start, startedAt: 4000 });
    await journal.recordSent(stage(ids[1]), { hash: 'h', run: 2, at: 4500 }, { ...done, at: 5000 });
    await journal.change(ids[2] ?? 0, {
      state: 'rejected',
      intervention: { command: 'retry', at: 6000, by: { user: 'u', host: 'h', version: 'v' } },
    });
    await journal.open('p', key(4));
    await journal.close();
    const asked: unknown[] = [];
    const refuse = (loss: unknown) => {
      asked.push(loss);
      return Promise.reject(new Error('no'));
    };
    await expect(restoreJournal(file, backup, { ...moment, approve: refuse })).rejects.toThrow('no');
    expect(asked).toEqual([{ journalAt: 6000, backupAt: 2500, runs: 2, accounts: 3, rulings: 1 }]);
    expect(await accountsIn()).toBe(4);
    const approve = () => Promise.resolve();
    expect(await restoreJournal(file, backup, { ...moment, approve })).toMatchObject({ kind: 'restored' });
    expect(await accountsIn()).toBe(3);
  });

  it('does not ask where the journal has nothing beyond the backup', async () => {
    await filled(3);
    backUpJournal(file, backup, isThere);
    const approve = () => Promise.reject(new Error('asked'));
    expect(await restoreJournal(file, backup, { ...moment, approve })).toMatchObject({ kind: 'restored' });
  });

  it.each([1, 7, 13])('compares with a backup of schema version %i', async (version) => {
    const write = (path: string, of: number) => {
      const db = new Database(path);
      db.exec(readFileSync(fileURLToPath(new URL(`versions/${of}.sql`, import.meta.url)), 'utf8'));
      return db;
    };
    write(backup, version).close();
    const db = write(file, 14);
    db.exec("UPDATE account SET code = 'other' WHERE id = 2; UPDATE tally SET accounts = accounts");
    db.close();
    expect(await restoreJournal(file, backup, moment)).toMatchObject({
      loss: { runs: 0, accounts: 1, rulings: 1, backupAt: 1_700_000_010_000 },
    });
  });

  it('takes a backup of an older version forward', async () => {
    const old = new Database(backup);
    old.exec(readFileSync(fileURLToPath(new URL('versions/1.sql', import.meta.url)), 'utf8'));
    old.close();
    expect(await restoreJournal(file, backup, moment)).toEqual({ kind: 'restored' });
    const journal = open();
    const found = await journal.find('https://platform.example', {
      supplier: 'TENTACLE_ENERGY',
      account: 'EXT-3',
    });
    expect(found).toMatchObject({ state: 'staged', inDoubtSince: now });
    await journal.close();
  });

  it('is refused while a run holds a supplier, and says who does', async () => {
    await filled(3);
    backUpJournal(file, backup, isThere);
    const journal = open();
    const owner = { host: 'here', pid: 7, processStart: 'a' };
    await journal.takeLease({ platform: 'p', supplier: 'S', owner }, now, now + 60_000, () => false);
    await journal.close();
    const before = readFileSync(file);
    expect(await restoreJournal(file, backup, moment)).toMatchObject({
      kind: 'held',
      by: { supplier: 'S', held: { owner, since: now, expiresAt: now + 60_000 } },
    });
    expect(readFileSync(file)).toEqual(before);
    expect(await restoreJournal(file, backup, { now, isDead: () => true })).toMatchObject({
      kind: 'restored',
    });
  });

  it('is refused while any program has the journal open', async () => {
    await filled(3);
    backUpJournal(file, backup, isThere);
    const journal = open();
    await expect(restoreJournal(file, backup, moment)).rejects.toThrow(/is locked by another program/);
    expect(await journal.find('p', key(1))).toMatchObject({ inDoubtSince: undefined });
    await journal.close();
    expect(await restoreJournal(file, backup, moment)).toMatchObject({ kind: 'restored' });
  });

  it('is refused where the backup is not sound, and leaves the journal as it was', async () => {
    await filled(2000);
    backUpJournal(file, backup, isThere);
    const before = readFileSync(file);
    const spoilt = new Database(backup);
    spoilt.exec('UPDATE tally SET accounts = accounts + 1');
    spoilt.close();
    await expect(restoreJournal(file, backup, moment)).rejects.toThrow(
      /backup\.db is not sound \(S\): Its count/,
    );
    damage(backup);
    await expect(restoreJournal(file, backup, moment)).rejects.toThrow(
      /backup\.db (is damaged|is not sound)/,
    );
    await expect(restoreJournal(file, join(directory, 'none.db'), moment)).rejects.toThrow(
      /There is no journal at .*none\.db/,
    );
    writeFileSync(backup, 'no database');
    await expect(restoreJournal(file, backup, moment)).rejects.toThrow(/is damaged or not a database/);
    expect(readFileSync(file)).toEqual(before);
  });

  it('that was cut short never leaves a place that a new journal would be made in', async () => {
    await filled(3);
    backUpJournal(file, backup, isThere);
    // What stands after each of its steps.
    copyFileSync(backup, `${file}.restoring`);
    expect(await accountsIn()).toBe(3);
    renameSync(file, join(directory, 'aside.db'));
    expect(() => open()).toThrow(/is gone: a restore was interrupted/);
    expect(await restoreJournal(file, backup, moment)).toEqual({ kind: 'restored' });
    expect(await accountsIn()).toBe(3);
  });
});
