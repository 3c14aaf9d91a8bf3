import type Database from 'better-sqlite3';
import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect } from './connect.ts';
import { sync } from './copy-database.ts';
import { draftOf, type DatabaseSpec } from './open-database.ts';
import { DatabaseRefused, refusalOf } from './refusal.ts';

/**
 * Gives a database's place to the one that was made ready for it (`draftOf`), and keeps what was there under the name
 * `aside`, with its log. Refuses while any program has it open; one that opens it in this moment finds out that it was
 * replaced. A crash in between leaves the place empty and the draft there, which opening refuses. Gives whether anything was there. Throws
 * DatabaseRefused.
 */
export function replaceDatabase(file: string, spec: DatabaseSpec, aside: string): boolean {
  const release = takeAlone(file, spec);
  const wasThere = existsSync(file);
  try {
    // In this order: a log without its database is refused, one beside another database would be replayed over it.
    if (wasThere) renameSync(file, aside);
    if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
    renameSync(draftOf(file), file);
    sync(dirname(file));
    return wasThere;
  } catch (error) {
    throw refusalOf(error, file, spec);
  } finally {
    release();
  }
}

/** Shuts every other program out. A damaged file cannot be locked; nobody can work with it either. */
function takeAlone(file: string, spec: DatabaseSpec): () => void {
  if (!existsSync(file)) return () => undefined;
  let db: Database.Database | undefined;
  try {
    db = connect(file, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    // Takes what the log holds into the file.
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    return () => db?.close();
  } catch (error) {
    db?.close();
    const refusal = refusalOf(error, file, spec);
    if (refusal instanceof DatabaseRefused && refusal.reason === 'damaged') return () => undefined;
    throw refusal;
  }
}
