import Database from 'better-sqlite3';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalGone, type Journal } from '../../src/journal/journal.ts';
import { backUpJournal } from '../../src/journal/sqlite/sqlite-store.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { restoreJournal } from '../../src/journal/sqlite/restore-journal.ts';

let directory: string;
let file: string;
let mark: string;
let snapshot: string;
let opened: Journal[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  mkdirSync(join(directory, 'place'));
  file = join(directory, 'place', 'journal.db');
  mark = `${file}-mark`;
  snapshot = join(directory, 'snapshot.db');
  opened = [];
});
afterEach(async () => {
  for (const journal of opened) await journal.close().catch(() => undefined);
  rmSync(directory, { recursive: true });
});

const now = Date.UTC(2024, 6, 1);
const moment = { now, isDead: () => false };
const key = (at: number) => ({ supplier: 'S', account: String(at) });

function open(path = file, synchronous: 'FULL' | 'NORMAL' = 'FULL'): Journal {
  const journal = openJournal(path, { synchronous, create: true });
  opened.push(journal);
  return journal;
}

/** What a run does: takes the mark, and records an account and a request. */
async function used(at: number, path = file): Promise<string> {
  const journal = open(path);
  const finding = await journal.takeMark(now);
  await journal.startRun(start);
  await sent(journal, at);
  await journal.close();
  return finding;
}

const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: now };

async function sent(journal: Journal, at: number): Promise<void> {
  const { id } = await journal.open('p', key(at));
  await journal.intend({ accountId: id, step: 'stage', part: 0 }, { hash: 'h', run: 1, at: now });
}

async function inDoubt(at: number): Promise<boolean> {
  const journal = open();
  const entry = await journal.find('p', key(at));
  await journal.close();
  return entry?.inDoubtSince !== undefined;
}

describe('a journal that is opened again', () => {
  it('is the newest after each run, and has a mark for its owner alone', async () => {
    expect(await used(1)).toBe('new');
    expect(await used(2)).toBe('current');
    expect(await used(3)).toBe('current');
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    expect(await inDoubt(1)).toBe(false);
  });

  it.each(['copied', 'backed up'])(
    'and was put back from what was %s earlier, has every account in doubt',
    async (how) => {
      await used(1);
      if (how === 'copied') copyFileSync(file, snapshot);
      else backUpJournal(file, snapshot, { replace: false });
      await used(2);
      copyFileSync(snapshot, file);
      expect(await used(3)).toBe('went-back');
      expect(await inDoubt(1)).toBe(true);
      expect(await used(4)).toBe('current');
      // The newer one is behind by now: what was sent in between is not in it.
      copyFileSync(file, join(directory, 'later.db'));
    },
  );

  it('and was put back with its log, as it was in the middle of a run, has every account in doubt', async () => {
    const journal = open();
    await journal.takeMark(now);
    await sent(journal, 1);
    copyFileSync(file, snapshot);
    copyFileSync(`${file}-wal`, `${snapshot}-wal`);
    await sent(journal, 2);
    await journal.close();
    renameSync(snapshot, file);
    renameSync(`${snapshot}-wal`, `${file}-wal`);
    expect(await used(3)).toBe('went-back');
    expect(await inDoubt(1)).toBe(true);
  });

  it('in the place of another one has every account in doubt', async () => {
    const other = join(directory, 'other.db');
    await used(1, other);
    await used(1);
    renameSync(other, file);
    expect(await used(2)).toBe('replaced');
    expect(await inDoubt(1)).toBe(true);
  });

  it('after its mark was lost may be a copy: every account is in doubt, and it has a mark again', async () => {
    await used(1);
    rmSync(mark);
    expect(await used(2)).toBe('missing');
    expect(await inDoubt(1)).toBe(true);
    expect(await used(3)).toBe('current');
    writeFileSync(mark, '');
    expect(await used(4)).toBe('missing');
    expect(await inDoubt(3)).toBe(true);
  });

  it('as a copy elsewhere has every account in doubt, and is another one than the original', async () => {
    await used(1);
    const copy = join(directory, 'copy.db');
    copyFileSync(file, copy);
    expect(await used(2, copy)).toBe('missing');
    expect(await used(2, copy)).toBe('current');
    expect(await used(2)).toBe('current');
    expect(await inDoubt(1)).toBe(false);
    copyFileSync(copy, file);
    expect(await used(3)).toBe('replaced');
  });

  it('and is another one, made where one was deleted, says so', async () => {
    await used(1);
    rmSync(file);
    expect(await used(1)).toBe('began-anew');
    expect(await used(1)).toBe('current');
    expect(await inDoubt(1)).toBe(false);
  });

  it('from an earlier version misses its mark once, and one put back after that has every account in doubt', async () => {
    const old = () => {
      rmSync(file, { force: true });
      const db = new Database(file);
      db.exec(readFileSync(fileURLToPath(new URL('versions/6.sql', import.meta.url)), 'utf8'));
      db.close();
    };
    old();
    expect(await used(1)).toBe('unmarked');
    expect(await used(1)).toBe('current');
    old();
    expect(await used(1)).toBe('replaced');
  });

  it('after `journal restore` is the newest, and what it replaced is not', async () => {
    await used(1);
    backUpJournal(file, snapshot, { replace: false });
    await used(2);
    const restored = await restoreJournal(file, snapshot, moment);
    expect(await used(3)).toBe('current');
    expect(await inDoubt(1)).toBe(true);
    if (restored.kind !== 'restored' || restored.kept === undefined) throw new Error('nothing was kept');
    renameSync(restored.kept, file);
    expect(await used(4)).toBe('replaced');
  });

  it('is told to be older to who only looks, who changes nothing', async () => {
    await used(1);
    copyFileSync(file, snapshot);
    await used(2);
    copyFileSync(snapshot, file);
    const journal = open();
    expect(await journal.compareMark()).toBe('went-back');
    await journal.close();
    expect(await inDoubt(1)).toBe(false);
  });

  it('beside another in one directory has a mark of its own', async () => {
    const other = join(directory, 'place', 'other.db');
    expect([await used(1), await used(1, other), await used(2), await used(2, other)]).toEqual([
      'new',
      'new',
      'current',
      'current',
    ]);
  });

  it('by a link has its mark beside its file, so that it is the same by its own name', async () => {
    await used(1);
    const link = join(directory, 'link.db');
    symlinkSync(file, link);
    expect(await used(2, link)).toBe('current');
    expect(await used(3)).toBe('current');
    expect(existsSync(`${link}-mark`)).toBe(false);
  });

  it('by two runs at once is the newest for both', async () => {
    const [one, two] = [open(), open()];
    await one.takeMark(now);
    await two.takeMark(now);
    for (let at = 0; at < 20; at += 1) await Promise.all([sent(one, at), sent(two, 100 + at)]);
    await one.close();
    expect(await used(1)).toBe('current');
    await sent(two, 300);
    await two.close();
    expect(await used(2)).toBe('current');
  });

  it('whose mark is deleted under a run, and made anew by another, is told to be older when it is put back', async () => {
    const running = open();
    await running.takeMark(now);
    await running.startRun(start);
    rmSync(mark);
    const other = open();
    expect(await other.takeMark(now)).toBe('missing');
    await other.close();
    copyFileSync(file, snapshot);
    copyFileSync(`${file}-wal`, `${snapshot}-wal`);
    await sent(running, 1);
    await running.close();
    renameSync(snapshot, file);
    renameSync(`${snapshot}-wal`, `${file}-wal`);
    expect(await used(1)).toBe('went-back');
  });

  it('whose mark cannot be written is refused before anything is sent', async () => {
    mkdirSync(mark);
    await expect(used(1)).rejects.toThrow(/journal's mark .*-mark cannot be/);
  });
});

describe('a journal in use', () => {
  const taken: [string, () => void][] = [
    ['deleted', () => rmSync(file)],
    ['moved', () => renameSync(file, `${file}.away`)],
    [
      'replaced by another file',
      () => {
        writeFileSync(snapshot, 'x');
        renameSync(snapshot, file);
      },
    ],
    ['moved with its directory', () => renameSync(join(directory, 'place'), join(directory, 'away'))],
    ['deprived of its log', () => rmSync(`${file}-wal`)],
    ['deprived of its index', () => rmSync(`${file}-shm`)],
  ];
  it.each(taken)(
    'that is %s lets no request leave, and still takes what came of the earlier ones',
    async (name, take) => {
      for (const synchronous of ['FULL', 'NORMAL'] as const) {
        rmSync(join(directory, 'away'), { recursive: true, force: true });
        mkdirSync(join(directory, 'place'), { recursive: true });
        rmSync(file, { force: true });
        const journal = open(file, synchronous);
        await journal.takeMark(now);
        await sent(journal, 1);
        const { id } = await journal.open('p', key(1));
        take();
        const part = { accountId: id, step: 'stage', part: 0 } as const;
        await expect(journal.intend({ ...part, part: 1 }, { hash: 'h', run: 1, at: now })).rejects.toThrow(
          JournalGone,
        );
        await expect(journal.open('p', key(2))).rejects.toThrow(JournalGone);
        await journal.settle(part, { state: 'done', outcome: 'ok', at: now });
        const { movedTo, savedAs } = await journal.whereabouts(now);
        await journal.close();
        const records = movedTo ?? savedAs;
        if (records === undefined) throw new Error('the records are lost');
        const found = openJournal(records, { synchronous, create: false });
        opened.push(found);
        const parts = (await found.find('p', key(1)))?.parts;
        expect(parts?.[0]).toMatchObject({ part: 0, state: 'done' });
        // What never left does not stand there as sent, but where the log alone was taken, which is seen a moment later.
        if (!name.startsWith('deprived')) expect(parts).toHaveLength(1);
        await found.close();
        rmSync(records, { force: true });
      }
    },
  );

  it('that was put back where it was is the newest', async () => {
    const journal = open();
    await journal.takeMark(now);
    await sent(journal, 1);
    renameSync(file, `${file}.away`);
    await expect(sent(journal, 2)).rejects.toThrow(JournalGone);
    expect(await journal.whereabouts(now)).toEqual({ movedTo: `${file}.away` });
    await journal.close();
    renameSync(`${file}.away`, file);
    expect(await used(3)).toBe('current');
  });

  it('by a link that leads elsewhere now lets no request leave', async () => {
    const link = join(directory, 'link.db');
    symlinkSync(file, link);
    await used(1);
    copyFileSync(file, snapshot);
    const journal = open(link);
    await journal.takeMark(now);
    await sent(journal, 2);
    rmSync(link);
    symlinkSync(snapshot, link);
    await expect(sent(journal, 3)).rejects.toThrow(JournalGone);
    expect(await journal.whereabouts(now)).toEqual({ movedTo: file });
  });

  it('is not taken for written over when its log goes into it, whoever brings that about', async () => {
    const journal = open();
    await journal.takeMark(now);
    const other = new Database(file);
    for (let at = 0; at < 12; at += 1) {
      await sent(journal, at);
      if (at % 3 === 1) other.pragma('wal_checkpoint(PASSIVE)');
      if (at % 3 === 2) other.pragma('wal_checkpoint(TRUNCATE)');
    }
    other.close();
    await journal.close();
    expect(await used(20)).toBe('current');
  });
});

describe('a journal beside the log that a killed run left', () => {
  /** The log of a run that was killed, as it lies there. */
  async function killed(at: number): Promise<void> {
    const journal = open();
    await journal.takeMark(now);
    await sent(journal, at);
    for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, join(directory, `left.db${part}`));
    await journal.close();
    for (const part of ['', '-wal']) renameSync(join(directory, `left.db${part}`), `${file}${part}`);
  }

  it('goes on as the newest', async () => {
    await killed(1);
    expect(await used(2)).toBe('current');
    await killed(3);
    expect(await used(4)).toBe('current');
    expect(await inDoubt(3)).toBe(false);
  });

  it('is refused where it is an older copy, which counts as restored without that log', async () => {
    await used(1);
    copyFileSync(file, snapshot);
    await used(2);
    await killed(3);
    copyFileSync(snapshot, file);
    expect(() => open()).toThrow(/is older than its log .*-wal/);
    rmSync(`${file}-wal`);
    expect(await used(4)).toBe('went-back');
    expect(await inDoubt(1)).toBe(true);
  });
});
