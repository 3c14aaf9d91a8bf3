import { statSync, type Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { InvalidText, openToQuery, type Queried } from '../../sqlite/open-to-query.ts';
import {
  DatabaseFailure,
  withoutSemicolon,
  type DatabaseAddress,
  type DatabaseConnection,
  type QueryColumn,
  type QueryRow,
  type QueryRows,
} from './connection.ts';
import { numberText } from '../../domain/json.ts';
import { TypedNumber, typedNumber } from '../../domain/typed-value.ts';

const rowsAtOnce = 500;

/** Opens a SQLite file for reading. All queries are read in one transaction. Throws DatabaseFailure. */
export function openSqlite({ file = '' }: DatabaseAddress): DatabaseConnection {
  refuseUnusable(file);
  try {
    return new SqliteConnection(openToQuery(file));
  } catch (error) {
    throw notOpened(file, error);
  }
}

/** Throws DatabaseFailure if there is no such file, or nothing in it: SQLite would take that for a database without tables. */
function refuseUnusable(file: string): void {
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw notOpened(file, error);
  }
  if (found === undefined)
    throw failed(
      `There is no file ${file}. Correct file, which is relative to the mapping file, or put the database there.`,
    );
  if (found.isDirectory()) throw failed(`${file} is a directory. Name the file of the database.`);
  if (found.size === 0)
    throw failed(`The file ${file} is empty. Put the database there, or name the right file.`);
}

function failed(message: string, cause?: unknown): DatabaseFailure {
  return new DatabaseFailure('database_unreachable', message, { cause });
}

function notOpened(file: string, error: unknown): Error {
  if (!(error instanceof Error && 'code' in error)) return new Error(String(error), { cause: error });
  const remedy = remedies.find(([code]) => String(error.code).startsWith(code))?.[1];
  return failed(
    `The database ${file} cannot be opened: ${error.message}. ${remedy ?? 'Check the permissions of the file and its directory.'}`,
    error,
  );
}

const remedies: readonly (readonly [code: string, remedy: string])[] = [
  ['SQLITE_NOTADB', 'Name a SQLite file that is not encrypted.'],
  ['SQLITE_CORRUPT', 'Copy it again.'],
  ['SQLITE_BUSY', 'Another program holds it: wait for that to end.'],
];

class SqliteConnection implements DatabaseConnection {
  readonly isConsistent = true;
  readonly #db: ReturnType<typeof openToQuery>;

  constructor(db: ReturnType<typeof openToQuery>) {
    this.#db = db;
  }

  columns(query: string): Promise<readonly QueryColumn[]> {
    return Promise.resolve(columnsOf(this.#prepared(query)));
  }

  async *read(query: string): AsyncGenerator<QueryRows, void, undefined> {
    const prepared = this.#prepared(query);
    const names = prepared.columns;
    const columns = columnsOf(prepared);
    const kinds = names.map(() => ({ number: false, text: false }));
    yield { columns, rows: [] };
    let rows: QueryRow[] = [];
    try {
      for (const row of prepared.rows()) {
        rows.push(
          row.map((value, at) => {
            const kind = kinds[at];
            if (kind !== undefined) note(kind, value);
            return textOf(value, names[at] ?? '');
          }),
        );
        if (rows.length < rowsAtOnce) continue;
        yield { columns, rows };
        rows = [];
        // Reading never waits, so this lets signals run.
        await setImmediate();
      }
    } catch (error) {
      throw failureOf(error);
    }
    if (rows.length > 0) yield { columns, rows };
    // Only the values show their types, whatever the table declares.
    yield { columns: columns.map((column, at) => typed(column, kinds[at])), rows: [] };
  }

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  #prepared(query: string): Queried {
    try {
      return this.#db.query(withoutSemicolon(query));
    } catch (error) {
      throw failureOf(error);
    }
  }
}

function columnsOf({ columns, types }: Queried): QueryColumn[] {
  return columns.map((name, at) => ({
    name,
    kind: 'text',
    ...(isFloat.test(types[at] ?? '') ? { isFloat: true } : {}),
  }));
}

const isFloat = /^\s*(?:real|float|double)\b/i;

/** Whether a column has numbers, and texts that look like numbers. */
interface Kinds {
  number: boolean;
  text: boolean;
}

function note(kinds: Kinds, value: unknown): void {
  if (typeof value === 'number' || typeof value === 'bigint') kinds.number = true;
  else if (typeof value === 'string' && !kinds.text) kinds.text = typedNumber(value) instanceof TypedNumber;
}

/** Throws DatabaseFailure if a column has both: a mapping's marks apply to texts only. */
function typed(column: QueryColumn, kinds: Kinds | undefined): QueryColumn {
  if (kinds?.number !== true) return column;
  const { name } = column;
  if (!kinds.text) return { ...column, kind: 'number' };
  throw new DatabaseFailure(
    'inexact_value',
    `The column ${name} has numbers, and texts that look like numbers. Convert it in the query: CAST(${name} AS REAL), or AS TEXT if the texts are in the format of the mapping.`,
  );
}

function textOf(value: unknown, column: string): string | Buffer | null {
  if (value instanceof InvalidText) return value.bytes;
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value) ?? null;
  throw new DatabaseFailure(
    'inexact_value',
    `The column ${column} has a BLOB, which is not text. Leave it out, or convert it in the query, such as with CAST(${column} AS TEXT).`,
  );
}

function failureOf(error: unknown): Error {
  if (error instanceof DatabaseFailure) return error;
  if (!(error instanceof Error)) return new Error(String(error));
  return new DatabaseFailure(
    'query_failed',
    `SQLite refuses the query: ${error.message}. Correct the query.`,
    {
      cause: error,
    },
  );
}
