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
    if (file !== ':memory:') makeReady(file, spec, options);
    return open(file, spec);
  } catch (error) {
    throw refusalOf(error, file, spec);
  }
}

function makeReady(file: string, spec: DatabaseSpec, options: OpenOptions): void {
  // In this order: a log that another process has just begun has its file by now.
  const log = statOf(`${file}-wal`);
  const found = statOf(file);
  if (found === undefined) {
    // SQLite would replay a log that was left behind over the new file.
    if (log !== undefined && log.size > 0)
      throw new DatabaseRefused(
        'damaged',
        `${file} is gone, but ${file}-wal, which belongs to it, is there. Put the ${spec.what} back, or move that file away too.`,
      );
    if (!options.create)
      throw new DatabaseRefused(
        'missing',
        `There is no ${spec.what} at ${file}. Check the path, or run a migration first.`,
      );
    create(file, spec);
  } else if (found.isDirectory()) {
    throw new DatabaseRefused('unwritable', `${file} is a directory. Name a file for the ${spec.what}.`);
  } else if (found.size === 0) {
    // SQLite would take an empty file for a new database, and forget all that was recorded.
    throw new DatabaseRefused(
      'damaged',
      `${file} is empty, so it is not a ${spec.what} any more. Restore it from a backup, or move it away to begin anew.`,
    );
  }
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

function open(file: string, spec: DatabaseSpec): Sqlite {
  const inMemory = file === ':memory:';
  const db = new Database(file, { timeout: 5000, fileMustExist: !inMemory });
  try {
    if (inMemory) db.pragma(`application_id = ${spec.applicationId}`);
    const id = db.pragma('application_id', { simple: true });
    if (id !== spec.applicationId)
      throw new DatabaseRefused('foreign', `${file} is not a ${spec.what} of this tool. Name another file.`);
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

function migrate(db: Sqlite, spec: DatabaseSpec, file: string): void {
  const newest = spec.migrations.length;
  db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > newest)
      throw new DatabaseRefused(
        'newer',
        `${file} was written by a newer version of this tool (schema ${version}, known up to ${newest}). Use that version.`,
      );
    if (version === newest) return;
    for (const sql of spec.migrations.slice(version)) db.exec(sql);
    db.pragma(`user_version = ${newest}`);
  }).immediate();
}

const reasons: Readonly<Record<string, [RefusalReason, string]>> = {
  SQLITE_CORRUPT: ['damaged', 'is damaged. Restore it from a backup, or move it away to begin anew'],
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
