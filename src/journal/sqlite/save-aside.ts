import { closeSync, openSync } from 'node:fs';
import { sync } from '../../sqlite/copy-database.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/**
 * Writes the contents of an open journal whose own file was deleted into a new file beside its place, readable by its
 * owner only. Returns the new file's path; undefined if none can be created there.
 */
export function saveAside(db: Sqlite, file: string, at: number): string | undefined {
  const path = `${file}.saved-${new Date(at).toISOString().replaceAll(/[-:]/g, '')}`;
  try {
    closeSync(openSync(path, 'wx', 0o600));
    db.prepare('VACUUM INTO ?').run(path);
    sync(path);
    return path;
  } catch {
    return undefined;
  }
}

/** Checkpoints the log into the database's own file, wherever that is; false if a reader prevents it. */
export function emptyLog(db: Sqlite): boolean {
  return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
}
