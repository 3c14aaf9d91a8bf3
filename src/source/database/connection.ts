/** A column of a query's result. */
export interface QueryColumn {
  readonly name: string;
  /**
   * `number`, `date` (with or without a time of day): the formats of a mapping do not apply to its values. `json`: its values are JSON, and are
   * kept as such. `binary`: its values cannot be read as text.
   */
  readonly kind: 'text' | 'number' | 'date' | 'json' | 'binary';
  /** Whether its declared type is binary floating-point, which has no exact decimals. */
  readonly isFloat?: true;
}

/** The values of one row: exact texts, or null if there is none. Bytes are a text that is not valid UTF-8. */
export type QueryRow = readonly (string | Buffer | null)[];

export interface QueryRows {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly QueryRow[];
}

/** A connection that reads one database, and cannot change it. */
export interface DatabaseConnection {
  /** Whether all queries see the database as it is at one moment. */
  readonly isConsistent: boolean;
  /** The columns of a query, without reading its rows; undefined if only reading shows them. */
  columns(query: string): Promise<readonly QueryColumn[] | undefined>;
  /** The rows of a query, batch by batch; the first batch comes even if it is empty. Throws DatabaseFailure. */
  read(query: string): AsyncIterable<QueryRows>;
  close(): Promise<void>;
}

/** Where a database is, and how it is reached. */
export interface DatabaseAddress {
  /** `postgres`, `mysql`, `sqlite`, or the absolute path of a module. */
  readonly driver: string;
  /** Without a password. */
  readonly url?: string | undefined;
  /** SQLite: the database's file, absolute. */
  readonly file?: string;
  /** Passed to a module as they are. */
  readonly options?: unknown;
  readonly password?: string;
}

/** Why a database cannot be read; the message has the remedy, and neither a password nor data. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  readonly code:
    'missing_driver' | 'database_unreachable' | 'connection_lost' | 'query_failed' | 'inexact_value';

  constructor(code: DatabaseFailure['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Imports a driver that is installed next to this tool, only if it is used. */
export async function importDriver<Driver>(name: string, load: () => Promise<Driver>): Promise<Driver> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new DatabaseFailure(
      'missing_driver',
      `The package ${name} is not installed. Install it beside this tool: npm install ${name}`,
      { cause: error },
    );
  }
}

/** A query without the semicolon that ends it in a script. */
export function withoutSemicolon(query: string): string {
  return query.trim().replace(/(?:;\s*)+$/, '');
}

/** The failure of a connection that could not be made. */
export function unreachable(error: unknown): DatabaseFailure {
  const reason = reasonOf(error);
  return new DatabaseFailure(
    'database_unreachable',
    nobodyThere.test(`${codeOf(error)} ${reason}`)
      ? `The database cannot be reached: ${reason}. Check that it is running, its address and the network.`
      : `The database denies access: ${reason}. Check the address, the user and the password.`,
    { cause: error },
  );
}

/** What the system and the drivers report if no server answers. */
const nobodyThere =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ETIMEOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)\b|timeout expired|timed out/i;

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The failure of a connection that ended while it was in use. */
export function lost(error: unknown): DatabaseFailure {
  return new DatabaseFailure(
    'connection_lost',
    `The connection to the database was lost: ${reasonOf(error)}. Run the same command again.`,
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  // An attempt at several addresses fails with an error for each, and without a message of its own.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/[.\s]+$/, '');
}
