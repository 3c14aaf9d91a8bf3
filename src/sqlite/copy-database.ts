import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openAsItIs, type DatabaseSpec } from './open-database.ts';
import { DatabaseRefused, refusalOf } from './refusal.ts';

/**
 * Copies a database as it is at one moment, also while another program writes to it, into a file for its owner alone.
 * The copy takes its name when it is complete and on disk; what has that name already stays, unless `replace`.
 * Throws DatabaseRefused.
 */
export function copyDatabase(
  file: string,
  spec: DatabaseSpec,
  target: string,
  { replace }: { readonly replace: boolean },
): void {
  if (resolve(target) === resolve(file))
    throw new DatabaseRefused('unwritable', `${target} is the ${spec.what} itself. Name another file.`);
  const draft = `${target}.${randomUUID()}.partial`;
  const db = openAsItIs(file, spec);
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    // One transaction reads it all, so nothing of what is written meanwhile gets in; SQLite takes an empty file for new.
    db.prepare('VACUUM INTO ?').run(draft);
    sync(draft);
    if (replace) renameSync(draft, target);
    else linkSync(draft, target);
    sync(dirname(target));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new DatabaseRefused(
        'unwritable',
        `${target} is there already. Name another file, or add --force.`,
      );
    throw refusalOf(error, isOfFile(error) ? file : target, spec);
  } finally {
    db.close();
    rmSync(draft, { force: true });
  }
}

/** Damage is met while reading; all else concerns what is written. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT');
}

/** Waits until a file, or what a directory lists, is on disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
