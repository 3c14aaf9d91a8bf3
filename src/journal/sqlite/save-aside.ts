import { closeSync, openSync } from 'node:fs';
import { sync } from '../../sqlite/copy-database.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/**
 * Writes what an open journal holds into a new file beside its place, for its owner alone: for one whose own file was
 * deleted. Gives the new file's path; undefined where none can be made there.
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

/** Takes what the log holds into the database's own file, wherever that is; false where a reader prevents it. */
export function emptyLog(db: Sqlite): boolean {
  return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
}
