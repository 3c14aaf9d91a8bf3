import { isUtf8 } from 'node:buffer';
import { connect } from './connect.ts';

/** A query's result, not read yet. */
export interface Queried {
  readonly columns: readonly string[];
  /** The type that the table declares for each column; null if it is computed. */
  readonly types: readonly (string | null)[];
  /** Each row as a list; integers are bigints, so that none is rounded. A text that is not valid UTF-8 is an `InvalidText`. */
  rows(): IterableIterator<readonly unknown[]>;
}

/** The bytes of a text that are not valid UTF-8. */
export class InvalidText {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

const replaced = '\ufffd';

/**
 * The rows of a query with the bytes of texts that are no UTF-8. The library decodes texts and puts U+FFFD in the place of such bytes, so
 * they are read again as bytes, by the same query.
 */
function* withInvalidTexts(
  rows: Iterable<readonly unknown[]>,
  bytesOfRows: () => Iterator<readonly unknown[]>,
): Generator<readonly unknown[], void, undefined> {
  let bytes: Iterator<readonly unknown[]> | undefined;
  let [at, bytesAt] = [0, 0];
  try {
    for (const row of rows) {
      at += 1;
      if (!row.some((value) => typeof value === 'string' && value.includes(replaced))) {
        yield row;
        continue;
      }
      bytes ??= bytesOfRows();
      let found: readonly unknown[] | undefined;
      for (; bytesAt < at; bytesAt += 1) {
        const next = bytes.next();
        found = next.done === true ? undefined : next.value;
      }
      yield row.map((value, column) => exactText(value, found?.[column]));
    }
  } finally {
    bytes?.return?.();
  }
}

function exactText(value: unknown, bytes: unknown): unknown {
  if (typeof value !== 'string' || !value.includes(replaced)) return value;
  if (!Buffer.isBuffer(bytes) || bytes.toString() !== value)
    throw new Error('its rows are not in the same order each time; add ORDER BY');
  return isUtf8(bytes) ? value : new InvalidText(bytes);
}

/**
 * Opens a database of any program only for queries. All of them see it as it is at the first one. Throws
 * SQLite's errors.
 */
export function openToQuery(file: string): { query(sql: string): Queried; close(): void } {
  const db = connect(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    db.exec('BEGIN');
    // A transaction begins to see the database with its first reading.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    db.close();
    throw error;
  }
  const isUtf8Database = db.pragma('encoding', { simple: true }) === 'UTF-8';
  return {
    query(sql) {
      const statement = db.prepare<[], readonly unknown[]>(sql);
      if (!statement.reader || !statement.readonly) throw new Error('it is not a read-only query');
      const names = statement.columns().map((_, at) => `c${at}`);
      const asBytes = names.map((name) => `CAST(${name} AS BLOB)`).join(', ');
      const bytesOfRows = () =>
        db
          .prepare<[], readonly unknown[]>(
            `WITH q(${names.join(', ')}) AS (${sql}\n) SELECT ${asBytes} FROM q`,
          )
          .raw()
          .iterate();
      return {
        columns: statement.columns().map(({ name }) => name),
        types: statement.columns().map(({ type }) => type),
        rows: () => {
          const rows = statement.raw().safeIntegers().iterate();
          return isUtf8Database ? withInvalidTexts(rows, bytesOfRows) : rows;
        },
      };
    },
    close: () => void db.close(),
  };
}
