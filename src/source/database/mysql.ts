import { isUtf8 } from 'node:buffer';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Connection, FieldPacket, Query, QueryError } from 'mysql2';
import {
  DatabaseFailure,
  importDriver,
  lost,
  unreachable,
  withoutSemicolon,
  type DatabaseAddress,
  type DatabaseConnection,
  type QueryColumn,
  type QueryRow,
  type QueryRows,
} from './connection.ts';

/** The types of MySQL's protocol that matter here. */
const types = { bit: 16, json: 245, varString: 253, string: 254, geometry: 255 };
/** DECIMAL, the integers, FLOAT and DOUBLE. */
const numberTypes = [0, 1, 2, 3, 4, 5, 8, 9, 246];
/** FLOAT and DOUBLE. */
const floatTypes = [4, 5];
/** TIMESTAMP, DATE and DATETIME. */
const dateTypes = [7, 10, 12];
const blobs = [249, 250, 251, 252];
/** The character set of columns that have none. */
const binarySet = 63;

const rowsAtOnce = 500;

/**
 * Connects to MySQL or MariaDB. All queries see one snapshot of the tables of engines with transactions, and are
 * streamed. Throws DatabaseFailure.
 */
export async function openMysql({ url = '', password }: DatabaseAddress): Promise<DatabaseConnection> {
  const { default: mysql } = await importDriver('mysql2', () => import('mysql2'));
  const connection = mysql.createConnection({
    uri: url,
    ...definedFields({ password }),
    charset: 'utf8mb4',
    connectTimeout: 30_000,
    enableKeepAlive: true,
  });
  // The query under way fails too, and reports the error.
  connection.on('error', () => undefined);
  try {
    for (const sql of [
      "SET time_zone = '+00:00'",
      'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
      'SET SESSION TRANSACTION READ ONLY',
      'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
    ])
      await connection.promise().query(sql);
  } catch (error) {
    connection.destroy();
    throw unreachable(error);
  }
  return new MysqlConnection(connection);
}

class MysqlConnection implements DatabaseConnection {
  readonly isConsistent = true;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async columns(query: string): Promise<readonly QueryColumn[]> {
    try {
      const sql = `SELECT * FROM (${withoutSemicolon(query)}\n) AS migrate_rows LIMIT 0`;
      const [, fields] = await this.#connection.promise().query({ sql, rowsAsArray: true });
      return fields.map(columnOf);
    } catch (error) {
      throw failureOf(error);
    }
  }

  async *read(query: string): AsyncGenerator<QueryRows, void, undefined> {
    const sent: Query = this.#connection.query({
      sql: withoutSemicolon(query),
      rowsAsArray: true,
      typeCast: (field) => valueOf(field.type, field.buffer()),
    });
    let columns: readonly QueryColumn[] = [];
    sent.on('fields', (fields: readonly FieldPacket[]) => {
      columns = fields.map(columnOf);
    });
    const stream = sent.stream({ highWaterMark: rowsAtOnce });
    // The driver only notifies the connection, and the stream would wait for ever.
    const fail = (error: unknown): void => void stream.destroy(error as Error);
    this.#connection.on('error', fail);
    let rows: QueryRow[] = [];
    try {
      for await (const row of stream as AsyncIterable<QueryRow>) {
        rows.push(row);
        if (rows.length < rowsAtOnce) continue;
        yield { columns, rows };
        rows = [];
      }
      yield { columns, rows };
    } catch (error) {
      throw failureOf(error);
    } finally {
      this.#connection.off('error', fail);
    }
  }

  async close(): Promise<void> {
    this.#connection.destroy();
    await Promise.resolve();
  }
}

function columnOf({ name, columnType, characterSet }: FieldPacket): QueryColumn {
  if (columnType === types.json) return { name, kind: 'json' };
  if (columnType !== undefined && floatTypes.includes(columnType))
    return { name, kind: 'number', isFloat: true };
  if (columnType !== undefined && numberTypes.includes(columnType)) return { name, kind: 'number' };
  if (columnType !== undefined && dateTypes.includes(columnType)) return { name, kind: 'date' };
  const isText =
    columnType === types.varString || columnType === types.string || blobs.includes(columnType ?? 0);
  const isBinary =
    columnType === types.bit || columnType === types.geometry || (isText && characterSet === binarySet);
  return { name, kind: isBinary ? 'binary' : 'text' };
}

/** Bytes that are not UTF-8 stay so: the server does not check texts that it need not convert. */
function valueOf(type: string, bytes: Buffer | null): string | Buffer | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD') && !isUtf8(bytes)) return Buffer.from(bytes);
  if (type === 'TIMESTAMP') return `${text.replace(' ', 'T')}Z`;
  return type === 'DATETIME' ? text.replace(' ', 'T') : text;
}

function failureOf(error: unknown): Error {
  if (error instanceof DatabaseFailure) return error;
  if (!(error instanceof Error)) return new Error(String(error));
  const { code, errno = 0, sqlState, fatal } = error as Partial<QueryError> & Error;
  // 1053: the server shuts down. 1317: the query was killed. 4031: the connection was idle for too long.
  const isLost = sqlState === undefined || fatal === true || [1053, 1317, 1927, 4031].includes(errno);
  if (isLost) return lost(error);
  const said = sqlState.startsWith('22') ? 'a value in the data does not fit the query' : error.message;
  return new DatabaseFailure(
    'query_failed',
    `The database refuses the query: ${said} (${code}). Correct the query.`,
    { cause: error },
  );
}
