import { closeSync, openSync, readSync } from 'node:fs';
import { openAsItIs } from '../../sqlite/open-database.ts';
import { inUse } from '../safety/in-use.ts';
import type { LeaseOwner } from '../journal.ts';
import { journalSpec } from './schema.ts';

/** Where a database has its schema version: 4 bytes (https://www.sqlite.org/fileformat2.html#user_version_number). */
const versionAt = 60;

/**
 * Refuses to upgrade a journal that a run of an earlier version holds a supplier in. Reads the file by itself, so nothing in this
 * process may have the journal open. Throws DatabaseRefused.
 */
export function refuseLivingRun(file: string): void {
  // Opening it costs more, and few journals are older.
  if (!mayBeOlder(file)) return;
  const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
  try {
    const version = Number(db.pragma('main.user_version', { simple: true }));
    if (version === 0 || version >= journalSpec.migrations.length) return;
    const holder = db
      .prepare<[], Pick<LeaseOwner, 'host' | 'pid'>>(
        // Leases go by this machine's clock.
        `SELECT host, pid FROM lease WHERE expires_at > (julianday('now') - 2440587.5) * 86400000 LIMIT 1`,
      )
      .get();
    if (holder !== undefined) throw inUse(file, version, holder);
  } finally {
    db.close();
  }
}

/** Not if it cannot be read: opening it says why. */
function mayBeOlder(file: string): boolean {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(4);
    const version = readSync(handle, bytes, 0, 4, versionAt) === 4 ? bytes.readUInt32BE() : 0;
    return version > 0 && version < journalSpec.migrations.length;
  } catch {
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
