import type { DatabaseConnection } from '../connection.ts';
import type { CatalogueQueries } from './catalogue-queries.ts';
import { mysqlCatalogue } from './mysql.ts';
import { postgresCatalogue } from './postgres.ts';
import { sqliteCatalogue } from './sqlite.ts';

/** A table as the catalogue of its database describes it. */
export interface CatalogueTable {
  /** '' where there is only one, or where it need not be named. */
  readonly schema: string;
  readonly name: string;
  readonly comment?: string | undefined;
  readonly columns: readonly CatalogueColumn[];
  /** Sets of columns that are different in every row; the primary key is the first, if there is one. */
  readonly keys: readonly (readonly string[])[];
  readonly foreignKeys: readonly CatalogueReference[];
}

export interface CatalogueColumn {
  readonly name: string;
  /** As the database writes it, such as `numeric(10,2)`. */
  readonly type: string;
  readonly comment?: string | undefined;
}

/** Columns that equal those of a row of another table. */
export interface CatalogueReference {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly references: readonly string[];
}

const queries: Readonly<Record<string, CatalogueQueries>> = {
  postgres: postgresCatalogue,
  mysql: mysqlCatalogue,
  sqlite: sqliteCatalogue,
};

/** Reads the tables that the user may read, with their keys, without any of their rows. Throws DatabaseFailure. */
export async function readCatalogue(
  connection: DatabaseConnection,
  driver: 'postgres' | 'mysql' | 'sqlite',
): Promise<readonly CatalogueTable[]> {
  const { columns, keys, references } = queries[driver] ?? sqliteCatalogue;
  const tables = new Map<string, Draft>();
  for (const [schema = '', name = '', column = '', type = '', comment = '', about = ''] of await rowsOf(
    connection,
    columns,
  )) {
    const draft = tables.get(keyOf(schema, name)) ?? newDraft(schema, name, about);
    tables.set(keyOf(schema, name), draft);
    draft.columns.push({ name: column, type, comment: comment === '' ? undefined : comment });
  }
  for (const [schema = '', name = '', constraint = '', kind = '', column = ''] of await rowsOf(
    connection,
    keys,
  )) {
    const draft = tables.get(keyOf(schema, name));
    const own = draft?.keys.get(constraint);
    if (own === undefined) draft?.keys.set(constraint, { isPrimary: kind === 'p', columns: [column] });
    else own.columns.push(column);
  }
  for (const [
    schema = '',
    name = '',
    constraint = '',
    column = '',
    otherSchema = '',
    other = '',
    otherColumn = '',
  ] of await rowsOf(connection, references)) {
    const draft = tables.get(keyOf(schema, name));
    const target = tables.get(keyOf(otherSchema, other));
    if (draft === undefined || target === undefined) continue;
    const own = draft.references.get(constraint) ?? { target, columns: [], references: [] };
    draft.references.set(constraint, own);
    own.columns.push(column);
    own.references.push(otherColumn === '' ? (primary(target)[own.references.length] ?? '') : otherColumn);
  }
  return [...tables.values()].map(finished);
}

interface Draft {
  readonly schema: string;
  readonly name: string;
  readonly comment: string;
  readonly columns: CatalogueColumn[];
  readonly keys: Map<string, { readonly isPrimary: boolean; readonly columns: string[] }>;
  readonly references: Map<
    string,
    { readonly target: Draft; readonly columns: string[]; readonly references: string[] }
  >;
}

function newDraft(schema: string, name: string, comment: string): Draft {
  return { schema, name, comment, columns: [], keys: new Map(), references: new Map() };
}

function primary({ keys }: Draft): readonly string[] {
  return [...keys.values()].find(({ isPrimary }) => isPrimary)?.columns ?? [];
}

function finished(draft: Draft): CatalogueTable {
  const { schema, name, comment, columns } = draft;
  const keys = [...draft.keys.values()].sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
  return {
    ...{ schema, name, columns },
    comment: comment === '' ? undefined : comment,
    keys: keys.map((key) => key.columns),
    foreignKeys: [...draft.references.values()].map(({ target, columns: own, references }) => ({
      columns: own,
      schema: target.schema,
      table: target.name,
      references,
    })),
  };
}

/** SQLite compares names of tables without case. */
function keyOf(schema: string, name: string): string {
  return JSON.stringify([schema, name.toLowerCase()]);
}

async function rowsOf(connection: DatabaseConnection, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for await (const { rows } of connection.read(query))
    for (const row of rows) found.push(row.map((value) => (value === null ? '' : value.toString())));
  return found;
}
