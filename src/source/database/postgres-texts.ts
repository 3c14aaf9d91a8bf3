import type { Client } from 'pg';
import { DatabaseFailure, withoutSemicolon } from './connection.ts';

/** What PostgreSQL says of bytes that are no text of an encoding, and of a character that UTF-8 lacks. */
const states: ReadonlySet<string> = new Set(['22021', '22P05']);

/** Whether an error is about a text that cannot be given in UTF-8. */
export function isAboutText(state: string): boolean {
  return states.has(state);
}

/** What an invalid text becomes if the server does not check it. */
const replacement = '\uFFFD';

/** The columns with a replacement character, which a text may have itself. */
export function suspectColumns(rows: readonly (readonly (string | null)[])[]): readonly number[] {
  const found = new Set<number>();
  for (const row of rows)
    for (const [at, value] of row.entries()) if (value?.includes(replacement) === true) found.add(at);
  return [...found];
}

/**
 * The columns of a query with a text that cannot be given in UTF-8. Each error aborts the transaction, so that nothing
 * more can be read in it.
 */
export async function invalidTextColumns(
  client: Client,
  query: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const column of columns) {
    const sql = `SELECT count(convert_to((${client.escapeIdentifier(column)})::text, 'UTF8')) FROM (${withoutSemicolon(query)}\n) AS migrate_rows`;
    try {
      await client.query({ text: sql, rowMode: 'array' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && isAboutText(String(error.code)))) break;
      found.push(column);
      await client.query('ROLLBACK; BEGIN READ ONLY');
    }
  }
  return found;
}

/** The refusal, with the columns that were found and what to do about them; `columns` may be empty. */
export async function invalidText(
  client: Client,
  columns: readonly string[],
  cause?: unknown,
): Promise<DatabaseFailure> {
  const encoding = await serverEncoding(client);
  const [column = 'NAME'] = columns;
  const where =
    columns.length === 0
      ? `A text of the query is not valid in the database's encoding, ${encoding}, or cannot be given in UTF-8.`
      : `The column${columns.length === 1 ? '' : 's'} ${columns.join(', ')} of the query ${columns.length === 1 ? 'has' : 'have'} a text that is not valid in the database's encoding, ${encoding}, or cannot be given in UTF-8.`;
  const name = client.escapeIdentifier(column);
  const bytes = encoding === 'SQL_ASCII' ? `convert_to(${name}, 'SQL_ASCII')` : `textsend(${name})`;
  const remedy = isConvertible(encoding)
    ? `Correct it in the database, or, if the column was written in another encoding, such as LATIN1, convert it in the query: convert_from(convert(${bytes}, 'LATIN1', 'UTF8'), '${encoding}') AS ${name}.`
    : 'Correct it in the database, or leave the column out of the query.';
  return new DatabaseFailure('query_failed', `${where} ${remedy}`, { cause });
}

/** Whether a text of this database may have the bytes of UTF-8. */
function isConvertible(encoding: string): boolean {
  return encoding === 'SQL_ASCII' || encoding === 'UTF8';
}

async function serverEncoding(client: Client): Promise<string> {
  try {
    const { rows } = await client.query<[string]>({ text: 'SHOW server_encoding', rowMode: 'array' });
    return rows[0]?.[0] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
