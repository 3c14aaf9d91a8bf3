import { connect } from './connect.ts';
import type { Sqlite } from './open-database.ts';

/**
 * An empty database in a file of SQLite's own temporary directory (SQLITE_TMPDIR, TMPDIR, else /var/tmp or /tmp),
 * readable by its owner only. The file has no name, so nothing of it stays, even when the program is killed. Memory
 * is bounded: about 4 MiB for pages, and as much again for sorting, as more makes nothing quicker. Nothing in it can be
 * rolled back.
 */
export function openTemporary(): Sqlite {
  const db = connect('');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('temp_store = FILE');
  db.pragma('cache_size = -4096');
  return db;
}
