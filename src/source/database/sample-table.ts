import { DatabaseFailure, type DatabaseConnection } from './connection.ts';
import type { CatalogueTable } from './catalogue/catalogue.ts';

/** Enough to guess how texts are written; a database says the rest itself. */
const rowsOfSample = 200;

const binary =
  /^(?:bytea|tsvector|blob|\w+blob|binary|varbinary|bit\b|image|geometry|geography|point|polygon)/i;

/** Whether the values of a type are no texts, so that a query must leave them out. */
export function isBinaryType(type: string): boolean {
  return binary.test(type);
}

/**
 * Rows of a table, by column: the first and the last ones by its primary key, as kinds of rows that were added at different times have
 * different columns filled. A value that cannot be read ends them, and is reported when the table is read. `named`: the table and its columns, as
 * the database writes names.
 */
export async function sampleTable(
  connection: DatabaseConnection,
  { columns, keys: [key = []] }: CatalogueTable,
  named: { readonly table: string; readonly column: (name: string) => string },
): Promise<readonly ReadonlyMap<string, string>[]> {
  const names = columns.flatMap(({ name, type }) => (isBinaryType(type) ? [] : [name]));
  const isOrdered = key.length > 0 && key.every((name) => names.includes(name));
  const found = new Map<string, Map<string, string>>();
  if (names.length === 0) return [];
  const selected = `SELECT ${names.map(named.column).join(', ')} FROM ${named.table}`;
  const order = (way: string): string =>
    isOrdered ? ` ORDER BY ${key.map((name) => `${named.column(name)}${way}`).join(', ')}` : '';
  const read = async (way: string, most: number): Promise<number> => {
    let count = 0;
    for await (const { rows } of connection.read(`${selected}${order(way)} LIMIT ${most}`))
      for (const row of rows) {
        const cells = new Map(names.map((name, at) => [name, row[at]?.toString().trim() ?? '']));
        const number = key.map((name) => cells.get(name) ?? '');
        // A unique key may be empty in several rows.
        const isNumbered = isOrdered && !number.includes('');
        found.set(isNumbered ? number.join('\u0000') : `row ${found.size}`, cells);
        count += 1;
      }
    return count;
  };
  const half = isOrdered ? rowsOfSample / 2 : rowsOfSample;
  try {
    if ((await read('', half)) === half && isOrdered) await read(' DESC', half);
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.code !== 'inexact_value') throw error;
  }
  return [...found.values()];
}
