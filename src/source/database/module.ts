import { pathToFileURL } from 'node:url';
import { requireTrusted, whyUnread } from '../../domain/trusted-file.ts';
import {
  DatabaseFailure,
  unreachable,
  type DatabaseAddress,
  type DatabaseConnection,
  type QueryColumn,
  type QueryRow,
  type QueryRows,
} from './connection.ts';

/** What `connect` of a module gives; docs/databases.md says it to its authors. */
interface ModuleConnection {
  readonly isConsistent?: boolean;
  rows(query: string): AsyncIterable<Readonly<Record<string, unknown>>>;
  close?(): unknown;
}

const rowsAtOnce = 500;

/** Connects to a database by a module of the user. Throws DatabaseFailure. */
export async function openByModule(address: DatabaseAddress): Promise<DatabaseConnection> {
  const { driver, ...given } = address;
  try {
    requireTrusted(driver);
  } catch (error) {
    throw new DatabaseFailure('missing_driver', `The module ${driver} ${whyUnread(error)}`, { cause: error });
  }
  try {
    const { connect } = (await import(pathToFileURL(driver).href)) as { readonly connect?: unknown };
    if (typeof connect !== 'function') throw new Error(`${driver} exports no function connect`);
    const made: unknown = await (connect as (given: unknown) => unknown)(given);
    if (!isConnection(made)) throw new Error(`connect of ${driver} returns no function rows`);
    return new ByModule(made);
  } catch (error) {
    throw unreachable(error);
  }
}

function isConnection(made: unknown): made is ModuleConnection {
  return typeof made === 'object' && made !== null && 'rows' in made && typeof made.rows === 'function';
}

class ByModule implements DatabaseConnection {
  readonly isConsistent: boolean;
  readonly #connection: ModuleConnection;

  constructor(connection: ModuleConnection) {
    this.#connection = connection;
    this.isConsistent = connection.isConsistent === true;
  }

  columns(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async *read(query: string): AsyncGenerator<QueryRows, void, undefined> {
    let columns: readonly QueryColumn[] | undefined;
    let rows: QueryRow[] = [];
    try {
      for await (const row of this.#connection.rows(query)) {
        columns ??= Object.keys(row).map((name) => ({ name, kind: 'text' }));
        rows.push(columns.map(({ name }) => textOf(row[name], name)));
        if (rows.length < rowsAtOnce) continue;
        yield { columns, rows };
        rows = [];
      }
    } catch (error) {
      if (error instanceof DatabaseFailure) throw error;
      const said = error instanceof Error ? error.message : String(error);
      throw new DatabaseFailure(
        'query_failed',
        `The module failed: ${said}. Correct the module or the query.`,
        {
          cause: error,
        },
      );
    }
    yield { columns: columns ?? [], rows };
  }

  async close(): Promise<void> {
    await this.#connection.close?.();
  }
}

function textOf(value: unknown, column: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const what =
    value instanceof Date
      ? 'a Date, which has a time zone that the database does not know'
      : typeof value === 'number'
        ? 'a number that may have been rounded'
        : 'neither a text nor a number';
  throw new DatabaseFailure(
    'inexact_value',
    `The column ${column} has ${what}. Convert it to text in the query or the module.`,
  );
}
