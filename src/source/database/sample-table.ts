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

/** The first rows of a table, by column. A value that cannot be read ends them, and is reported when the table is read. */
export async function sampleTable(
  connection: DatabaseConnection,
  { columns }: CatalogueTable,
  selected: (columns: readonly string[]) => string,
): Promise<readonly ReadonlyMap<string, string>[]> {
  const names = columns.flatMap(({ name, type }) => (isBinaryType(type) ? [] : [name]));
  const found: Map<string, string>[] = [];
  if (names.length === 0) return found;
  try {
    for await (const { rows } of connection.read(`${selected(names)} LIMIT ${rowsOfSample}`))
      for (const row of rows)
        found.push(new Map(names.map((name, at) => [name, row[at]?.toString().trim() ?? ''])));
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.code !== 'inexact_value') throw error;
  }
  return found;
}
