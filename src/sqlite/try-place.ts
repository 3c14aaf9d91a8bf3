import { randomUUID } from 'node:crypto';
import { removeLeftover } from '../domain/remove-file.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { copyDatabase } from './copy-database.ts';
import { openDatabase, type DatabaseSpec } from './open-database.ts';

/**
 * Does beside a database's place what its use needs, with files of its own that are gone afterwards: create, lock, write, sync, link,
 * rename over another file, delete. The directory exists. `name`: what messages call it. Throws DatabaseRefused with what the place does not allow.
 */
export function tryPlace(file: string, spec: DatabaseSpec, name = file): void {
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
    const said = error.message.replaceAll(copy, name).replaceAll(trial, name);
    throw new DatabaseRefused(error.reason, said, { cause: error });
  } finally {
    removeAll(trial, copy);
  }
}

/** What cannot be removed, such as a file that a scanner has open, is no fault of the place: its name says what it was. */
function removeAll(trial: string, copy: string): void {
  for (const end of ['', '-wal', '-shm', '-journal'])
    for (const path of [trial, copy]) removeLeftover(`${path}${end}`);
}
