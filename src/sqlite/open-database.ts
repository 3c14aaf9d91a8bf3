import type Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, linkSync, openSync, statSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { identityAt } from '../domain/file-identity.ts';
import { makeDirectory } from '../domain/make-directory.ts';
import { connect } from './connect.ts';
import { migrate, versionOf, type DatabaseSchema } from './migrate.ts';
import { networkFileSystem, windowsShare, wslDrive, type FileSystemOf } from './network-file-system.ts';
import { removeLeftover } from '../domain/remove-file.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { damaged, refusalOf, remedy } from './refusal.ts';

export type Sqlite = Database.Database;

/** The identity of a database, and how one schema version becomes the next. */
export interface DatabaseSpec extends DatabaseSchema {
  /** SQLite's application_id of our files: a positive 31-bit number. */
  readonly applicationId: number;
  /** FULL: a commit survives a power loss. NORMAL: it survives a crash of the program. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Page size in bytes of new files, a power of two; SQLite's own if absent. */
  readonly pageSize?: number;
}

export interface OpenOptions {
  /** If the file does not exist: create it, or refuse with `missing`. */
  readonly create: boolean;
  /** For tests: the system's own function if absent. */
  readonly fileSystemOf?: FileSystemOf;
}

/**
 * Opens a database for writing by this program only, in WAL mode, readable by its owner only. Creates it if there is
 * none; migrates an older schema in one transaction; refuses a file that is newer, damaged or not ours, and never
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

/**
 * Opens a database for reading, without changing it: also with an older schema, and without write permission. Others
 * may write to it at the same time. Refuses a file that is missing, newer, damaged or not ours.
 */
export function openAsItIs(file: string, spec: DatabaseSpec): Sqlite {
  try {
    refuseUnusable(file, spec, statOf(`${file}-wal`), statOf(file));
    // Not opened as read-only: such a connection leaves the files of its log behind.
    const db = connect(file, { timeout: 5000, fileMustExist: true });
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

function makeReady(file: string, spec: DatabaseSpec, options: OpenOptions): void {
  refuseNetwork(file, spec, options.fileSystemOf);
  // In this order: a log that another process has just created has its database by now.
  const log = statOf(`${file}-wal`);
  const found = statOf(file);
  const isNew = found === undefined && (log === undefined || log.size === 0) && !existsSync(draftOf(file));
  if (isNew && options.create) create(file, spec);
  else refuseUnusable(file, spec, log, found);
}

/** Throws DatabaseRefused if a database would be on a network file system. */
export function refuseNetwork(
  file: string,
  { what }: Pick<DatabaseSpec, 'what'>,
  fileSystemOf?: FileSystemOf,
): void {
  const network = networkFileSystem(file, fileSystemOf);
  if (network === undefined) return;
  throw new DatabaseRefused(
    'unwritable',
    `${file} is on ${network === wslDrive ? ofWsl(what) : ofOthers(network, what)}`,
  );
}

function ofWsl(what: string): string {
  return `${wslDrive}: programs of both systems could damage the ${what} there, because neither sees the locks of the other. Name a place on a local disk of Linux, such as your home directory.`;
}

function ofOthers(network: string, what: string): string {
  const where = network.startsWith('FUSE')
    ? `a file system that another program serves (${network}), perhaps from another machine`
    : network === windowsShare
      ? `${windowsShare}, by its address or behind the letter of a drive`
      : `a network file system (${network})`;
  return `${where}, where programs on two machines could damage the ${what}. Name a place on a local disk.`;
}

function refuseUnusable(
  file: string,
  { what }: Pick<DatabaseSpec, 'what'>,
  log: Stats | undefined,
  found: Stats | undefined,
): void {
  // SQLite would replay a leftover log into a new file.
  if (found === undefined && log !== undefined && log.size > 0)
    throw new DatabaseRefused(
      'damaged',
      `${file} is gone, but ${file}-wal, which belongs to it, is there. Put the ${what} back, or move that file away too.`,
    );
  if (found === undefined && existsSync(draftOf(file)))
    throw new DatabaseRefused(
      'damaged',
      `${file} is gone: a restore was interrupted. Restore the backup again.`,
    );
  if (found === undefined)
    throw new DatabaseRefused(
      'missing',
      `There is no ${what} at ${file}. Check the path, or run a migration first.`,
    );
  if (found.isDirectory())
    throw new DatabaseRefused('unwritable', `${file} is a directory. Name a file for the ${what}.`);
  // SQLite would treat an empty file as a new database, and lose everything that was recorded.
  if (found.size === 0)
    throw new DatabaseRefused('damaged', `${file} is empty, so it is no longer a ${what}. ${remedy}.`);
}

/** The draft of a database that is about to replace the one in its place. */
export function draftOf(file: string): string {
  return `${file}.restoring`;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Creates the new file beside its place and links it complete, so that a crash leaves no partial one. */
function create(file: string, spec: DatabaseSpec): void {
  makeDirectory(dirname(file), 0o700);
  const draft = `${file}.${randomUUID()}.new`;
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const db = connect(draft);
    try {
      if (spec.pageSize !== undefined) db.pragma(`page_size = ${spec.pageSize}`);
      db.pragma('journal_mode = DELETE');
      db.pragma(`application_id = ${spec.applicationId}`);
      migrate(db, spec, draft);
      // Here, because nobody else has it open: the change needs exclusive access to the file.
      db.pragma('journal_mode = WAL');
    } finally {
      db.close();
    }
    linkUnlessThere(draft, file);
  } finally {
    removeLeftover(draft);
  }
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process created it first; its file is as good.
    if (!existsSync(file)) throw error;
  }
}

function open(file: string, spec: DatabaseSpec): Sqlite {
  const inMemory = file === ':memory:';
  const place = identityAt(file);
  const db = connect(file, { timeout: 5000, fileMustExist: !inMemory });
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
    // A disk of macOS keeps what it was told to sync in its own memory, unless it is asked for this.
    // Under NORMAL too: a journal syncs its log by itself, and leaves its checkpoints to SQLite.
    for (const name of ['fullfsync', 'checkpoint_fullfsync']) db.pragma(`${name} = ON`);
    db.pragma('foreign_keys = ON');
    migrate(db, spec, file);
    // SQLite opens a file without write permission as read-only, and reports that only at the first write.
    db.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${spec.applicationId}; ROLLBACK`);
    if (identityAt(file) !== place)
      throw new DatabaseRefused('locked', `${file} was replaced just now. Run the same command again.`);
    if (!inMemory) for (const path of [file, `${file}-wal`, `${file}-shm`]) restrict(path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Windows has no such rights, and no change of them while a file is open. */
function restrict(path: string): void {
  if (platform() === 'win32') return;
  const found = statOf(path);
  if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

/** Checks the whole file; throws DatabaseRefused if a page is damaged. */
export function refuseDamaged(db: Sqlite, file: string, spec: Pick<DatabaseSpec, 'what'>): void {
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
    throw new DatabaseRefused('damaged', `The ${spec.what} ${file} ${damaged}.`);
}

function refuseForeign(db: Sqlite, spec: DatabaseSpec, file: string): void {
  if (db.pragma('application_id', { simple: true }) !== spec.applicationId)
    throw new DatabaseRefused('foreign', `${file} is not a ${spec.what} of this tool. Name another file.`);
}
