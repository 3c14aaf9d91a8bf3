import { connect } from './connect.ts';
import type { Sqlite } from './open-database.ts';

/**
 * An empty database in a file of SQLite's own temporary directory (SQLITE_TMPDIR, TMPDIR, otherwise /var/tmp or
 * /tmp), readable by its owner only. The file has no name, so nothing of it remains, even if the program is killed.
 * Memory is bounded: about 4 MiB for pages, and the same again for sorting; more is not faster. Nothing in it can be
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
