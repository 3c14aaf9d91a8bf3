import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { JournalConnection } from './connection.ts';

/** Where a journal was moved to; undefined if it was not. */
export async function movedTo(connection: JournalConnection): Promise<string | undefined> {
  const [row] = await connection.query<{ target: string }>('SELECT target FROM moved');
  return row?.target;
}

/** Throws DatabaseRefused if the journal was moved: what a run recorded here would be missing there. */
export async function refuseMoved(connection: JournalConnection, location: string): Promise<void> {
  const target = await movedTo(connection);
  if (target !== undefined)
    throw new DatabaseRefused(
      'unwritable',
      `The journal ${location} was moved to ${target}. Name that one: journal: ${target} in .migraterc, or --journal.`,
    );
}
