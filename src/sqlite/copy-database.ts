import { randomUUID } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, resolve } from 'node:path';
import { networkFileSystem, type FileSystemOf } from './network-file-system.ts';
import { openAsItIs, type DatabaseSpec } from './open-database.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { refusalOf } from './refusal.ts';
import { removeLeftover } from '../domain/remove-file.ts';
import { renameOver } from '../domain/rename-over.ts';

export interface CopyOptions {
  /** Whether the copy replaces an existing file. */
  readonly replace: boolean;
  /** For tests: the system's own function if absent. */
  readonly fileSystemOf?: FileSystemOf;
}

/**
 * Copies a database as it is at one moment, even while another program writes to it, into a file that only
 * its owner can read. The copy gets its name when it is complete and on disk; an existing file stays, unless
 * `replace`. Throws DatabaseRefused.
 */
export function copyDatabase(
  file: string,
  spec: DatabaseSpec,
  target: string,
  { replace, fileSystemOf }: CopyOptions,
): void {
  if (resolve(target) === resolve(file))
    throw new DatabaseRefused('unwritable', `${target} is the ${spec.what} itself. Name another file.`);
  const draft = `${target}.${randomUUID()}.partial`;
  // For file systems on which SQLite cannot lock a file, or a file cannot have two names: the copy is made on the
  // local disk first.
  const isFar = networkFileSystem(target, fileSystemOf) !== undefined;
  const made = isFar ? `${file}.${randomUUID()}.partial` : draft;
  const db = openAsItIs(file, spec);
  try {
    closeSync(openSync(made, 'wx', 0o600));
    // One transaction reads everything, so concurrent writes do not get in; SQLite treats an empty file as new.
    db.prepare('VACUUM INTO ?').run(made);
    if (isFar) copyFileSync(made, draft);
    sync(draft);
    if (!replace && !isFar) linkSync(draft, target);
    else if (!replace && existsSync(target)) throw taken(target);
    else renameOver(draft, target);
    sync(dirname(target));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(target);
    throw refusalOf(error, isOfFile(error) ? file : target, spec);
  } finally {
    db.close();
    for (const part of [made, draft]) removeLeftover(part);
  }
}

function taken(target: string): DatabaseRefused {
  return new DatabaseRefused('unwritable', `${target} already exists. Name another file, or add --force.`);
}

/** Damage is found while reading; all other errors are about writing. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT');
}

/**
 * Waits until a file, or the list of a directory, is on disk. Windows syncs only what a handle may write, and has no such wait for
 * directories.
 */
export function sync(path: string, system = platform()): void {
  const isDirectory = statSync(path).isDirectory();
  if (isDirectory && system === 'win32') return;
  const handle = openSync(path, isDirectory ? 'r' : 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
