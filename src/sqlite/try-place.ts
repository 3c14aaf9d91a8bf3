import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { copyDatabase } from './copy-database.ts';
import { openDatabase, type DatabaseSpec } from './open-database.ts';

/**
 * Does beside a database's place what its use needs, with files of its own that are gone afterwards: create, lock, write, sync, link,
 * rename over another file, delete. The directory exists. Throws DatabaseRefused with what the place does not allow.
 */
export function tryPlace(file: string, spec: DatabaseSpec): void {
  const trial = `${file}.${randomUUID()}.trial`;
  const copy = `${trial}-copy`;
  try {
    const db = openDatabase(trial, { ...spec, synchronous: 'FULL' });
    try {
      copyDatabase(trial, spec, copy, { replace: false });
      copyDatabase(trial, spec, copy, { replace: true });
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    const said = error.message.replaceAll(copy, file).replaceAll(trial, file);
    throw new DatabaseRefused(error.reason, said, { cause: error });
  } finally {
    removeAll(trial);
  }
}

function removeAll(trial: string): void {
  const folder = dirname(trial);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(trial))) rmSync(join(folder, name), { force: true });
}
