import Database from 'better-sqlite3';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeaseOwner } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { sqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { UpgradeOptions } from '../../src/journal/store.ts';
import { collect } from './conformance/collect.ts';

const platform = 'https://platform.example';
const here: LeaseOwner = { host: 'here', pid: 1, processStart: 'a' };
const there: LeaseOwner = { host: 'there', pid: 2, processStart: 'b' };
const moment = { now: 15, isDead: () => false };

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'store-'));
  file = join(directory, 'journal.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const store = () => sqliteStore(file, 'NORMAL');
const found = () => readdirSync(directory).sort();

/** A journal in which runs of one export hold these suppliers until 20. */
async function held(...suppliers: readonly (readonly [supplier: string, owner?: LeaseOwner])[]) {
  const journal = openJournal(file, { synchronous: 'NORMAL', create: true });
  await journal.startRun({ platform, platformLabel: 'P', dryRun: false, export: '/export', startedAt: 1 });
  for (const [supplier, owner = here] of suppliers)
    await journal.takeLease({ platform, supplier, owner }, 10, 20, () => false);
  await journal.close();
}

/** A journal of an earlier version. */
function earlier(): void {
  const db = new Database(file);
  db.exec(readFileSync(join(import.meta.dirname, 'versions/15.sql'), 'utf8'));
  db.close();
}

describe('a journal in a file', () => {
  it('is there once it was made, and is of one machine', async () => {
    expect(store()).toMatchObject({ location: file, isShared: false });
    await store().awaited({ warn: () => undefined, signal: new AbortController().signal });
    expect([await store().exists(), await store().isGone()]).toEqual([false, false]);
    const journal = await store().open({ create: true });
    await journal.close();
    expect([await store().exists(), await store().isGone()]).toEqual([true, false]);
  });

  it('is gone where one was used, and none is there now', async () => {
    const journal = await store().open({ create: true });
    await journal.takeMark(1);
    await journal.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    expect([await store().exists(), await store().isGone()]).toEqual([false, true]);
  });

  it('is not made where one is to be opened', async () => {
    await expect(store().open({ create: false })).rejects.toMatchObject({ reason: 'missing' });
    expect(found()).toEqual([]);
  });

  it('of an earlier version is refused where it is only read, and is left as it is', async () => {
    earlier();
    await expect(store().open({ create: false, reading: true })).rejects.toMatchObject({
      reason: 'outdated',
    });
    await expect(store().source()).rejects.toMatchObject({ reason: 'outdated' });
    expect(found()).toEqual(['journal.db']);
  });

  it('of an earlier version is upgraded with a word and a backup, once', async () => {
    earlier();
    const told: string[] = [];
    const upgrade: UpgradeOptions = {
      ...{ now: 1, isDead: () => true, owner: here, by: { user: 'u', host: 'h', version: '1' } },
      ...{ sleep: () => Promise.resolve(), tell: (message) => void told.push(message) },
    };
    const journal = await store().open({ create: false, upgrade });
    await journal.close();
    expect(told.join(' ')).toContain('15');
    expect(found().length).toBeGreaterThan(1);
    expect(await store().upgrade(upgrade)).toBeUndefined();
    earlierAgain();
    expect(await store().upgrade(upgrade)).toMatchObject({ from: 15 });
  });

  function earlierAgain(): void {
    for (const name of found()) rmSync(join(directory, name));
    earlier();
  }

  it('has room in a directory that can be written, also one that is still to be made', async () => {
    const there = await sqliteStore(join(directory, 'a', 'b', 'journal.db'), 'NORMAL').room();
    expect(there).toMatchObject({ kind: 'writable' });
    expect('free' in there && there.free).toBeGreaterThan(1e6);
    await held(['S']);
    expect(await store().room()).toMatchObject({ kind: 'writable' });
  });

  it('is tried in its place, and nothing is left there', async () => {
    await store().tryPlace();
    await sqliteStore(join(directory, 'a', 'b', 'journal.db'), 'NORMAL').tryPlace();
    expect(found()).toEqual([]);
  });

  it('cannot be tried where a file is in the place of its directory', async () => {
    await held(['S']);
    await expect(sqliteStore(join(file, 'journal.db'), 'NORMAL').tryPlace()).rejects.toThrow();
  });

  it('has the faults that a check finds', async () => {
    await held(['S']);
    expect(await collect(store().faults())).toEqual([]);
    const db = new Database(file);
    db.pragma('foreign_keys = OFF');
    db.exec('DELETE FROM platform');
    db.close();
    expect(await collect(store().faults())).toContainEqual(
      expect.objectContaining({ code: 'broken_reference' }),
    );
  });

  it('is backed up, over an older backup only where that is asked for, and over no other journal', async () => {
    await held(['S']);
    const backup = join(directory, 'backup.db');
    expect(await store().backUp(backup, { replace: false })).toBeUndefined();
    await expect(store().backUp(backup, { replace: false })).rejects.toThrow('backup.db');
    expect(await store().backUp(backup, { replace: true })).toBeUndefined();
    const other = join(directory, 'other.db');
    await (await sqliteStore(other, 'NORMAL').open({ create: true })).close();
    const kept = await store().backUp(other, { replace: true });
    expect(kept).toBeDefined();
    expect(existsSync(kept ?? '')).toBe(true);
    expect((await store().holders(moment)).length).toBe(1);
  });

  it('is put back from a backup, unless a run holds a supplier', async () => {
    await held(['S']);
    const backup = join(directory, 'backup.db');
    await store().backUp(backup, { replace: false });
    expect(await store().restore(backup, moment)).toMatchObject({ kind: 'held', by: { supplier: 'S' } });
    expect(await store().restore(backup, { ...moment, now: 20 })).toMatchObject({ kind: 'restored' });
  });

  it('can be moved from, and to where none is', async () => {
    await held(['S']);
    expect(await store().source()).toBeDefined();
    await expect(store().target()).rejects.toThrow();
    expect(await sqliteStore(join(directory, 'new.db'), 'NORMAL').target()).toBeDefined();
  });
});

describe('the suppliers that are held', () => {
  const ofS = { platform, supplier: 'S', export: '/export' };

  it('are those of living owners whose time is not over', async () => {
    await held(['S'], ['T', there]);
    const isDead = ({ host, pid, processStart }: LeaseOwner) =>
      `${host} ${pid} ${processStart}` === 'there 2 b';
    expect(await store().holders(moment)).toEqual([
      { platform, supplier: 'S' },
      { platform, supplier: 'T' },
    ]);
    expect(await store().holders({ now: 15, isDead })).toEqual([{ platform, supplier: 'S' }]);
    expect(await store().holders({ now: 20, isDead: () => false })).toEqual([]);
  });

  it('are known before an export is read: the one that is named', async () => {
    await held(['S'], ['T', there]);
    const by = (owner: LeaseOwner) => ({ held: true, owner, since: 10, expiresAt: 20 });
    expect(await store().heldSupplier(ofS, moment)).toEqual({ supplier: 'S', held: by(here) });
    expect(await store().heldSupplier({ ...ofS, supplier: 'T' }, moment)).toEqual({
      supplier: 'T',
      held: by(there),
    });
    expect(await store().heldSupplier({ ...ofS, supplier: 'U' }, moment)).toBeUndefined();
    expect(await store().heldSupplier({ ...ofS, platform: 'q' }, moment)).toBeUndefined();
  });

  it('or the only one of the platform, where a run has taken this export', async () => {
    await held(['S']);
    const wanted = { platform, export: '/export' };
    expect(await store().heldSupplier(wanted, moment)).toMatchObject({ supplier: 'S' });
    expect(await store().heldSupplier({ ...wanted, export: '/other' }, moment)).toBeUndefined();
    expect(await store().heldSupplier({ ...wanted, platform: 'q' }, moment)).toBeUndefined();
  });

  it('and none of several, where none is named', async () => {
    await held(['S'], ['T']);
    expect(await store().heldSupplier({ platform, export: '/export' }, moment)).toBeUndefined();
  });

  it('are not known where the journal cannot be read: the run itself says why', async () => {
    expect(await store().heldSupplier(ofS, moment)).toBeUndefined();
    expect(found()).toEqual([]);
  });
});
