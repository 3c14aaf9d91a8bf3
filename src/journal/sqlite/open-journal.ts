import { existsSync, realpathSync } from 'node:fs';
import { openDatabase, refuseDamaged, type OpenOptions, type Sqlite } from '../../sqlite/open-database.ts';
import type { Journal } from '../journal.ts';
import { MarkFile } from '../safety/mark-file.ts';
import type { JournalOptions } from '../store.ts';
import { refuseForeignLog } from './foreign-log.ts';
import { journalRefusal } from './locked.ts';
import { refuseLivingRun } from './living-run.ts';
import { refuseMoved } from './moved.ts';
import { Overwriting } from './overwriting.ts';
import { JournalFile } from './place.ts';
import { journalSpec } from './schema.ts';
import { sqliteJournal } from './sqlite-driver.ts';
import { walSyncOf } from './wal-sync.ts';

/**
 * Pages of the log, 16 MB, after which it is checkpointed: four times SQLite's default, because a checkpoint blocks
 * everything else.
 */
const logPages = 4000;
/** Half of the default of this SQLite: accounts come in the order of their numbers, and more would only use memory. */
const cacheKib = 8000;

export interface FileOptions extends OpenOptions, JournalOptions {
  /** FULL: what is recorded survives a power loss. NORMAL: it survives a crash of the program, and is faster. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/**
 * Opens the journal in this file, readable by its owner only. Throws DatabaseRefused, whose message names the file
 * and the remedy, if it is missing, empty, damaged, newer than this tool, another user's, locked or not writable.
 * Several processes may have it open; each write waits its turn.
 */
export function openJournal(file: string, options: FileOptions): Journal {
  const { synchronous, checkAfterCrash = false } = options;
  const db = openOrRefuse(file, options);
  try {
    db.pragma(`wal_autocheckpoint = ${logPages}`);
    db.pragma(`cache_size = -${cacheKib}`);
    refuseMoved(db, file);
    if (checkAfterCrash && wasCutShort(db)) refuseDamaged(db, file, journalSpec);
    if (file === ':memory:') return sqliteJournal(db, file);
    // SQLite has its log beside the target of a link, and so is the mark.
    const target = realpathSync(file);
    return sqliteJournal(db, file, {
      ...(synchronous === 'FULL' ? { log: walSyncOf(target) } : {}),
      place: new JournalFile(file),
      mark: new MarkFile(target),
      overwriting: new Overwriting(db, target),
      closed: openedHere(target),
    });
  } catch (error) {
    db.close();
    throw journalRefusal(error, file);
  }
}

function openOrRefuse(file: string, options: OpenOptions): Sqlite {
  const isOpen = isOpenHere(existsSync(file) ? realpathSync(file) : file);
  if (!isOpen && existsSync(file)) {
    refusing(file, () => refuseForeignLog(realpathSync(file)));
    refuseLivingRun(file);
  }
  return refusing(file, () => openDatabase(file, { ...journalSpec, synchronous: 'NORMAL' }, options));
}

function refusing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw journalRefusal(error, file);
  }
}

/** Whether the last run was killed, or is still running. */
function wasCutShort(db: Sqlite): boolean {
  const ended = db
    .prepare<[], number>('SELECT ended_at IS NOT NULL FROM run ORDER BY id DESC LIMIT 1')
    .pluck();
  return ended.get() === 0;
}

/** The journals that this process has open, by file, with a count. */
const open = new Map<string, number>();

/**
 * Whether this process has a journal open. If it has, only SQLite may open and close the file, because closing a file
 * releases all locks of the process on it.
 */
function isOpenHere(file: string): boolean {
  return open.has(file);
}

/** Records that a journal is open; returns the function to call when it is closed. `file`: its real path. */
function openedHere(file: string): () => void {
  open.set(file, (open.get(file) ?? 0) + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(file) ?? 1) - 1;
    if (left > 0) open.set(file, left);
    else open.delete(file);
  };
}
