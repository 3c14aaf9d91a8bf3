import { connect } from './connect.ts';

/** A query's result, not read yet. */
export interface Queried {
  readonly columns: readonly string[];
  /** Each row as a list; integers are bigints, so that none is rounded. */
  rows(): IterableIterator<readonly unknown[]>;
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
  return {
    query(sql) {
      const statement = db.prepare<[], readonly unknown[]>(sql);
      if (!statement.reader || !statement.readonly) throw new Error('it is not a read-only query');
      return {
        columns: statement.columns().map(({ name }) => name),
        rows: () => statement.raw().safeIntegers().iterate(),
      };
    },
    close: () => void db.close(),
  };
}
