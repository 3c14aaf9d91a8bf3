import { statement, type JournalConnection } from './connection.ts';

/** A process that writes to the journal, and how often it has committed. */
export interface WriterRow {
  readonly id: number;
  readonly commits: number;
  readonly fenced: number;
}

export const countCommit = statement(
  'count_commit',
  'UPDATE writer SET commits = commits + 1, at = now() WHERE session = $1 RETURNING id, commits, fenced',
);

/** If the answer to an earlier attempt is lost, its row may be there already. */
export const addWriter = statement(
  'add_writer',
  `INSERT INTO writer (session, commits) VALUES ($1, 1)
  ON CONFLICT (session) DO UPDATE SET commits = writer.commits + 1 RETURNING id, commits, fenced`,
);

export const findWriters = statement(
  'find_writers',
  'SELECT session, commits FROM writer WHERE session = ANY($1::text[])',
);

/** Adds the counts of writers to those of the closed ones, always in the same order: two that do so wait for one another. */
export async function foldTally(connection: JournalConnection, which: string): Promise<void> {
  await connection.several(`
    WITH folded AS (DELETE FROM tally WHERE writer IN (SELECT id FROM writer WHERE ${which})
      RETURNING supplier, step, state, accounts)
    INSERT INTO tally (supplier, step, state, writer, accounts)
    SELECT supplier, step, state, 0, sum(accounts) FROM folded GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (supplier, step, state, writer) DO UPDATE SET accounts = tally.accounts + excluded.accounts`);
}
