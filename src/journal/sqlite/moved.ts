import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/** Where a journal was moved to; undefined if it was not. */
export function movedTo(db: Sqlite): string | undefined {
  return db.prepare<[], string>('SELECT target FROM moved').pluck().get();
}

/** Throws DatabaseRefused if the journal was moved: what a run recorded here would be missing there. */
export function refuseMoved(db: Sqlite, location: string): void {
  const target = movedTo(db);
  if (target !== undefined)
    throw new DatabaseRefused(
      'unwritable',
      `The journal ${location} was moved to ${target}. Name that one: journal: ${target} in .migraterc, or --journal.`,
    );
}
