import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMoney } from '../../src/domain/money.ts';
import { zeroCounts } from '../../src/domain/account-state.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { journalSpec } from '../../src/journal/sqlite/schema.ts';
import { sqliteJournal } from '../../src/journal/sqlite/sqlite-driver.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { DatabaseRefused } from '../../src/domain/database-refused.ts';
import { collect } from './conformance/collect.ts';

const options = { synchronous: 'NORMAL', create: true } as const;
let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

async function fill(accounts: number): Promise<void> {
  const journal = openJournal(file, options);
  for (let i = 0; i < accounts; i++) void journal.open('p', keyOf(i));
  await journal.close();
}

function keyOf(i: number): { supplier: string; account: string } {
  return { supplier: 'S', account: `external-account-number-${String(i).padStart(6, '0')}` };
}

describe('a journal file', () => {
  it('is for its owner alone', async () => {
    await fill(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is refused when it is missing, empty, newer, or of something else, and stays as it is', async () => {
    const open = () => openJournal(file, { ...options, create: false });
    expect(open).toThrow(/no journal at .*journal\.db.*run a migration/);
    await fill(1);
    const db = openDatabase(file, { ...journalSpec, synchronous: 'FULL' });
    db.pragma(`user_version = ${journalSpec.migrations.length + 1}`);
    expect(open).toThrow(/written by a newer version/);
    db.pragma('application_id = 1');
    db.close();
    expect(open).toThrow(/not a journal/);
    truncateSync(file, 0);
    expect(open).toThrow(/is empty.*[Rr]estore/);
  });

  it('is refused where a read meets a damaged page, and is never taken for one that holds less', async () => {
    await fill(2000);
    const scribble = openSync(file, 'r+');
    const size = statSync(file).size;
    for (let at = 40 * 4096; at < size; at += 4096)
      writeSync(scribble, Buffer.alloc(4096, 0xa5), 0, 4096, at);
    closeSync(scribble);
    const journal = openJournal(file, options);
    const damaged = { name: 'DatabaseRefused', reason: 'damaged' };
    await expect(collect(journal.accounts('p', 'S'))).rejects.toMatchObject(damaged);
    await expect(journal.find('p', keyOf(1999))).rejects.toMatchObject(damaged);
    await journal.close();
  });

  it('of an earlier version goes on, and says of what was sent then that its money is not known', async () => {
    const [version1 = ''] = journalSpec.migrations;
    const db = openDatabase(file, { ...journalSpec, migrations: [version1], synchronous: 'FULL' });
    db.exec(`INSERT INTO platform VALUES (1, 'p', 'p'); INSERT INTO supplier VALUES (1, 1, 'S');
      INSERT INTO account (id, supplier, number, state, steps, code) VALUES (1, 1, '1', 0, 0, '');
      INSERT INTO part (account, step, part, state, hash, attempt, run, sent_at) VALUES (1, 3, 0, 0, 'h', 1, 1, 5)`);
    db.close();
    const journal = openJournal(file, options);
    const part = { accountId: 1, step: 'transactions', part: 0 } as const;
    await journal.intend(part, { hash: 'i', run: 2, at: 6 });
    const found = await journal.find('p', { supplier: 'S', account: '1' });
    expect(found?.parts.map(({ money }) => (money === undefined ? 'none' : readMoney(money)))).toEqual([
      undefined,
      'none',
    ]);
    await journal.close();
  });

  it('is looked through before it is used again after a run was cut short, and refused for as long as it is damaged', async () => {
    await fill(2000);
    const run = openJournal(file, options);
    const cutShort = await run.startRun(startOf(1));
    await run.close();
    const damage = openSync(file, 'r+');
    writeSync(damage, Buffer.alloc(4096, 0xa5), 0, 4096, 40 * 4096);
    closeSync(damage);
    const checked = { ...options, checkAfterCrash: true };
    expect(() => openJournal(file, checked)).toThrow(/is damaged. Restore it from a backup/);
    // To be looked at, it opens all the same; that does not make it whole.
    await openJournal(file, options).close();
    expect(() => openJournal(file, checked)).toThrow(/is damaged/);

    const after = openJournal(file, options);
    await after.finishRun(cutShort, endOf(2));
    await after.close();
    await openJournal(file, checked).close();
  });

  it('can be read by one process while another writes', async () => {
    const writer = openJournal(file, options);
    const reader = openJournal(file, { ...options, create: false });
    const { id } = await writer.open('p', keyOf(1));
    for (const [i, state] of (['staged', 'imported', 'completed'] as const).entries()) {
      await writer.change(id, { state });
      expect(await reader.find('p', keyOf(1))).toMatchObject({ state });
      void writer.open('p', keyOf(10 + i));
      expect((await reader.overview())[0]?.accounts[state]).toBe(1);
    }
    await writer.close();
    await reader.close();
  });

  it('keeps what another process changed of an account between two changes of its own', async () => {
    const one = openJournal(file, options);
    const { id } = await one.open('p', keyOf(1));
    await one.change(id, { planHash: 'plan', steps: { validate: 'done' } });
    const other = openJournal(file, options);
    await other.change(id, { state: 'staged', code: 'known', steps: { stage: 'done' } });
    await one.change(id, { stagedHash: 'staged' });
    const entry = await one.find('p', keyOf(1));
    expect(entry).toMatchObject({
      ...{ state: 'staged', code: 'known', planHash: 'plan', stagedHash: 'staged' },
      steps: { validate: 'done', stage: 'done' },
    });
    await one.close();
    await other.close();
  });

  it('shares one commit among all that is written in one turn', async () => {
    const db = openDatabase(file, { ...journalSpec, ...options });
    const journal = sqliteJournal(db, file);
    const other = openDatabase(file, { ...journalSpec, ...options });
    const dataVersion = () => other.pragma('data_version', { simple: true });
    const seen = new Set([dataVersion()]);
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => journal.open('p', keyOf(i)).then(() => seen.add(dataVersion()))),
    );
    expect(seen.size).toBe(2);
    await journal.close();
    other.close();
  });
});

describe('a disk that is full', () => {
  it('refuses the writes that it could not take and every later one, and keeps what was confirmed', async () => {
    const db = openDatabase(file, { ...journalSpec, synchronous: 'NORMAL' });
    db.pragma('max_page_count = 60');
    const journal = sqliteJournal(db, file);
    let confirmed = 0;
    let failure: unknown;
    while (failure === undefined) {
      try {
        const { id } = await journal.open('p', keyOf(confirmed));
        const send = (part: number) =>
          journal.intend({ accountId: id, step: 'statements', part }, { hash: 'h', run: 1, at: 1 });
        // Only the last is waited for, as a caller may.
        for (let part = 0; part < 9; part++) void send(part);
        await send(9);
        confirmed += 1;
      } catch (error) {
        failure = error;
      }
    }
    expect(failure).toBeInstanceOf(DatabaseRefused);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/journal\.db.*disk is full.*Free space/),
    });
    db.pragma('max_page_count = 1000');
    await expect(journal.startRun(startOf(1))).rejects.toBe(failure);
    await expect(journal.open('p', keyOf(999_999))).rejects.toBe(failure);
    const before = await collect(journal.accounts('p', 'S'));
    await journal.close();

    const reopened = openJournal(file, options);
    const kept = await collect(reopened.accounts('p', 'S'));
    expect(kept).toEqual(before);
    expect((await reopened.overview())[0]?.accounts.pending).toBe(kept.length);
    const parts = kept.map((account) => account.parts.length);
    expect(parts.slice(0, confirmed)).toEqual(Array.from({ length: confirmed }, () => 10));
    expect(parts.slice(confirmed).every((sent) => sent === 0)).toBe(true);
    expect(await reopened.startRun(startOf(2))).toBe(1);
    await reopened.close();
  });
});

function startOf(startedAt: number) {
  return { platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt };
}

function endOf(endedAt: number) {
  return { endedAt, exit: 0, reason: '', accounts: zeroCounts(), requests: 0, retries: 0 };
}
