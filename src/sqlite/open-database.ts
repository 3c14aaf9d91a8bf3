import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { networkFileSystem, type FileSystemType } from './network-file-system.ts';

export type Sqlite = Database.Database;

/** What a database of ours looks like, and how one version becomes the next. */
export interface DatabaseSpec {
  /** For messages: 'journal', 'platform state'. */
  readonly what: string;
  /** Marks the file as ours (SQLite's application_id): a positive 31-bit number. */
  readonly applicationId: number;
  /** SQL that takes the schema from version n to n + 1; the newest version is their number. */
  readonly migrations: readonly string[];
  /** FULL: what is committed survives a power loss. NORMAL: it survives a crash of the program. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

export type RefusalReason = 'newer' | 'damaged' | 'foreign' | 'locked' | 'unwritable' | 'missing';

/** The database cannot be used as it is. The message names the file and the remedy. */
export class DatabaseRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseRefused';
    this.reason = reason;
  }
}

export interface OpenOptions {
  /** When the file does not exist: make it, or refuse as `missing`. */
  readonly create: boolean;
  /**
   * Look through the whole file when the last program that had it open did not come to close it, and refuse a damaged
   * one: about 5 s for each 500 MB. A file that was closed is opened at once, however large.
   */
  readonly checkAfterCrash?: boolean;
  /** For tests: the system's own word where absent. */
  readonly fileSystemType?: FileSystemType;
}

/**
 * Opens a database for this program alone to write, in WAL mode, readable by its owner only. Makes it where there is
 * none; takes an older schema forward in one transaction; refuses what is newer, damaged or not ours, and never
 * treats a damaged file as an empty one. `:memory:` keeps it in memory.
 */
export function openDatabase(
  file: string,
  spec: DatabaseSpec,
  options: OpenOptions = { create: true },
): Sqlite {
  try {
    if (file === ':memory:') return open(file, spec, false);
    const { wasLeftOpen } = makeReady(file, spec, options);
    return open(file, spec, wasLeftOpen && options.checkAfterCrash === true);
  } catch (error) {
    throw refusalOf(error, file, spec);
  }
}

/**
 * Opens a database to be looked at as it is: of an older schema too, and where it may not be written. Others may write
 * to it meanwhile. Refuses what is missing, newer, damaged or not ours.
 */
export function openAsItIs(file: string, spec: DatabaseSpec): Sqlite {
  try {
    refuseUnusable(file, spec, statOf(`${file}-wal`), statOf(file));
    // Not opened as read-only: such a connection leaves the files of its log behind.
    const db = new Database(file, { timeout: 5000, fileMustExist: true });
    try {
      refuseForeign(db, spec, file);
      versionOf(db, spec, file);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw refusalOf(error, file, spec);
  }
}

/** `wasLeftOpen`: another program has it open at this moment, or ended without closing it. */
function makeReady(file: string, spec: DatabaseSpec, options: OpenOptions): { wasLeftOpen: boolean } {
  const network = networkFileSystem(file, options.fileSystemType);
  if (network !== undefined)
    throw new DatabaseRefused(
      'unwritable',
      `${file} is on a network file system (${network}), where programs on two machines could spoil the ${spec.what}. Name a place on a local disk.`,
    );
  // In this order: a log that another process has just begun has its file by now.
  const log = statOf(`${file}-wal`);
  const found = statOf(file);
  const isNew = found === undefined && (log === undefined || log.size === 0) && !existsSync(draftOf(file));
  if (isNew && options.create) create(file, spec);
  else refuseUnusable(file, spec, log, found);
  return { wasLeftOpen: log !== undefined && log.size > 0 };
}

function refuseUnusable(
  file: string,
  { what }: Pick<DatabaseSpec, 'what'>,
  log: Stats | undefined,
  found: Stats | undefined,
): void {
  // SQLite would replay a log that was left behind over a new file.
  if (found === undefined && log !== undefined && log.size > 0)
    throw new DatabaseRefused(
      'damaged',
      `${file} is gone, but ${file}-wal, which belongs to it, is there. Put the ${what} back, or move that file away too.`,
    );
  if (found === undefined && existsSync(draftOf(file)))
    throw new DatabaseRefused(
      'damaged',
      `${file} is gone: putting a backup in its place was cut short. Put it in place again.`,
    );
  if (found === undefined)
    throw new DatabaseRefused(
      'missing',
      `There is no ${what} at ${file}. Check the path, or run a migration first.`,
    );
  if (found.isDirectory())
    throw new DatabaseRefused('unwritable', `${file} is a directory. Name a file for the ${what}.`);
  // SQLite would take an empty file for a new database, and forget all that was recorded.
  if (found.size === 0)
    throw new DatabaseRefused(
      'damaged',
      `${file} is empty, so it is not a ${what} any more. Restore it from a backup, or move it away to begin anew.`,
    );
}

/** Where a backup is made ready that is to take a database's place. */
export function draftOf(file: string): string {
  return `${file}.restoring`;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Builds the new file beside its place and links it there whole, so that a crash leaves no half-made one. */
function create(file: string, spec: DatabaseSpec): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}.new`;
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const db = new Database(draft);
    try {
      db.pragma('journal_mode = DELETE');
      db.pragma(`application_id = ${spec.applicationId}`);
      migrate(db, spec, draft);
    } finally {
      db.close();
    }
    linkUnlessThere(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process made it first; its file is as good.
    if (!existsSync(file)) throw error;
  }
}

function open(file: string, spec: DatabaseSpec, check: boolean): Sqlite {
  const inMemory = file === ':memory:';
  const place = statOf(file)?.ino;
  const db = new Database(file, { timeout: 5000, fileMustExist: !inMemory });
  try {
    if (inMemory) db.pragma(`application_id = ${spec.applicationId}`);
    refuseForeign(db, spec, file);
    const mode = db.pragma('journal_mode = WAL', { simple: true });
    if (mode !== 'wal' && !inMemory)
      throw new DatabaseRefused(
        'unwritable',
        `The ${spec.what} ${file} is on a file system that several programs cannot share safely. Name a place on a local disk.`,
      );
    db.pragma(`synchronous = ${spec.synchronous}`);
    db.pragma('foreign_keys = ON');
    migrate(db, spec, file);
    // SQLite opens what it may not write for reading alone, and would say so only at the first write.
    db.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${spec.applicationId}; ROLLBACK`);
    if (statOf(file)?.ino !== place)
      throw new DatabaseRefused('locked', `${file} was replaced in this moment. Run the same command again.`);
    if (check && db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new DatabaseRefused('damaged', `${file} ${damaged}.`);
    if (!inMemory) for (const path of [file, `${file}-wal`, `${file}-shm`]) restrict(path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function restrict(path: string): void {
  const found = statOf(path);
  if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function refuseForeign(db: Sqlite, spec: DatabaseSpec, file: string): void {
  if (db.pragma('application_id', { simple: true }) !== spec.applicationId)
    throw new DatabaseRefused('foreign', `${file} is not a ${spec.what} of this tool. Name another file.`);
}

/** The version of its schema; refuses one that is newer than this tool. */
function versionOf(db: Sqlite, spec: DatabaseSpec, file: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const newest = spec.migrations.length;
  if (version <= newest) return version;
  throw new DatabaseRefused(
    'newer',
    `${file} was written by a newer version of this tool (schema ${version}, known up to ${newest}). Use that version.`,
  );
}

function migrate(db: Sqlite, spec: DatabaseSpec, file: string): void {
  const newest = spec.migrations.length;
  db.transaction(() => {
    const version = versionOf(db, spec, file);
    if (version === newest) return;
    for (const sql of spec.migrations.slice(version)) db.exec(sql);
    db.pragma(`user_version = ${newest}`);
  }).immediate();
}

const damaged = 'is damaged. Restore it from a backup, or move it away to begin anew';

const reasons: Readonly<Record<string, [RefusalReason, string]>> = {
  SQLITE_CORRUPT: ['damaged', damaged],
  SQLITE_NOTADB: [
    'damaged',
    'is damaged or not a database. Restore it from a backup, or move it away to begin anew',
  ],
  SQLITE_BUSY: ['locked', 'is locked by another program. Wait for it to end, or find out what holds it'],
  SQLITE_READONLY: ['unwritable', 'cannot be written. Check its permissions'],
  SQLITE_CANTOPEN: ['unwritable', 'cannot be opened. Check the directory and its permissions'],
  SQLITE_FULL: ['unwritable', 'cannot grow: the disk is full. Make room and run again'],
  SQLITE_IOERR: [
    'unwritable',
    'cannot be read or written: the disk reports an error. Check it, and run again',
  ],
  EACCES: ['unwritable', 'cannot be opened. Check the permissions of the file and its directory'],
  EPERM: [
    'unwritable',
    "cannot be kept for its owner alone: it is somebody else's, or its file system does not support that. Name another place",
  ],
  EEXIST: ['unwritable', 'cannot be made: something else is in its place. Name another place'],
  EROFS: ['unwritable', 'is on a read-only file system. Name another place'],
  ENOSPC: ['unwritable', 'cannot be made: the disk is full. Make room and run again'],
  ENOENT: ['unwritable', 'cannot be made: part of its path leads nowhere. Check the path'],
  ENOTDIR: ['unwritable', 'cannot be made: part of its path is not a directory'],
};

/** The refusal that an error of SQLite or of the file system stands for; any other error as it is. */
export function refusalOf(error: unknown, file: string, spec: Pick<DatabaseSpec, 'what'>): unknown {
  if (error instanceof DatabaseRefused || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const known = reasons[code] ?? reasons[code.split('_').slice(0, 2).join('_')];
  if (known === undefined) return error;
  return new DatabaseRefused(known[0], `The ${spec.what} ${file} ${known[1]}.`, { cause: error });
}
