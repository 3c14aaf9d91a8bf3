import type Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { connect } from './connect.ts';
import { sync } from './copy-database.ts';
import { draftOf, type DatabaseSpec } from './open-database.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { refusalOf } from './refusal.ts';
import { renameOver } from '../domain/rename-over.ts';

/**
 * Replaces a database by its draft (`draftOf`), and keeps the old one under the name `aside`, with its log. Refuses
 * while any program has it open; a program that opens it at this moment finds out that it was replaced. A crash in
 * between leaves the place empty and the draft beside it, which opening refuses. Returns whether there was an old
 * one. Throws DatabaseRefused.
 */
export function replaceDatabase(file: string, spec: DatabaseSpec, aside: string): boolean {
  const release = takeAlone(file, spec);
  // Windows renames no file that anybody has open: there, that itself keeps other programs out.
  if (platform() === 'win32') release();
  const wasThere = existsSync(file);
  try {
    // In this order: a log without its database is refused; a log beside another database would be replayed into it.
    if (wasThere) renameOver(file, aside);
    if (existsSync(`${file}-wal`)) renameOver(`${file}-wal`, `${aside}-wal`);
    renameOver(draftOf(file), file);
    sync(dirname(file));
    return wasThere;
  } catch (error) {
    throw refusalOf(error, file, spec);
  } finally {
    release();
  }
}

/** Locks out every other program. A damaged file cannot be locked; nobody can use it either. */
function takeAlone(file: string, spec: DatabaseSpec): () => void {
  if (!existsSync(file)) return () => undefined;
  let db: Database.Database | undefined;
  try {
    db = connect(file, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    // Checkpoints the log into the file.
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
