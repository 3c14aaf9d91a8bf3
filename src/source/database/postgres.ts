import type { Client, QueryArrayResult } from 'pg';
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
import { invalidText, invalidTextColumns, isAboutText, suspectColumns } from './postgres-texts.ts';

/** The types whose text is changed, or cannot be taken, by their numbers in PostgreSQL's catalogue. */
const types = {
  bool: 16,
  bytea: 17,
  json: 114,
  bpchar: 1042,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  jsonb: 3802,
};

/** int8, int2, int4, float4, float8, numeric. */
const numberTypes: readonly number[] = [20, 21, 23, 700, 701, 1700];

/** float4 and float8. */
const floatTypes: readonly number[] = [700, 701];

/** The types of dates, with or without a time of day. */
const dateTypes: readonly number[] = [types.date, types.timestamp, types.timestamptz];

/** About the bytes that a batch takes in memory. */
const batchBytes = 1024 * 1024;
const mostRows = 2000;
const firstRows = 100;

/** Values have the form that does not depend on the server's settings. */
const session = `SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET timezone = 'UTC';
SET extra_float_digits = 1; SET default_transaction_read_only = on; SET cursor_tuple_fraction = 1;
SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY`;

/** Connects to PostgreSQL. All queries see one snapshot of it, and are read by a cursor. Throws DatabaseFailure. */
export async function openPostgres({ url = '', password }: DatabaseAddress): Promise<DatabaseConnection> {
  const { default: pg } = await importDriver('pg', () => import('pg'));
  const parameter = password === undefined ? '' : `password=${encodeURIComponent(password)}`;
  const client = new pg.Client({
    connectionString: parameter === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${parameter}`,
    application_name: 'account-migrate',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // The query under way fails too, and reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(session);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(error);
  }
  return new PostgresConnection(client);
}

class PostgresConnection implements DatabaseConnection {
  readonly isConsistent = true;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  columns(query: string): Promise<readonly QueryColumn[]> {
    return this.#namingTexts(query, () => this.#columns(query));
  }

  async #columns(query: string): Promise<readonly QueryColumn[]> {
    const fields = await this.#declare(query);
    await this.#run('CLOSE migrate_rows');
    return fields.map(columnOf);
  }

  async *read(query: string): AsyncGenerator<QueryRows, void, undefined> {
    const fields = await this.#namingTexts(query, () => this.#declare(query));
    const columns = fields.map(columnOf);
    const texts = columns.filter(({ kind }) => kind === 'text' || kind === 'json').map(({ name }) => name);
    const sound = new Set<number>();
    const changes = fields.flatMap(({ dataTypeID }, at) => {
      const change = changeOf(dataTypeID);
      return change === undefined ? [] : [{ at, change }];
    });
    yield { columns, rows: [] };
    let count = firstRows;
    for (;;) {
      const { rows } = await this.#namingTexts(
        query,
        () => this.#run(`FETCH FORWARD ${count} FROM migrate_rows`),
        texts,
      );
      const suspects = suspectColumns(rows).filter((at) => !sound.has(at));
      if (suspects.length > 0)
        await this.#refuseInvalid(
          query,
          suspects.map((at) => columns[at]?.name ?? ''),
        );
      for (const at of suspects) sound.add(at);
      for (const { at, change } of changes)
        for (const row of rows) {
          const value = row[at];
          if (typeof value === 'string') row[at] = change(value);
        }
      if (rows.length > 0) yield { columns, rows };
      if (rows.length < count) break;
      count = Math.max(1, Math.min(mostRows, Math.floor(batchBytes / averageBytes(rows))));
    }
    await this.#run('CLOSE migrate_rows');
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Names the columns of a text that cannot be given in UTF-8; those of `names`, if they are known. */
  async #namingTexts<Result>(
    query: string,
    act: () => Promise<Result>,
    names: readonly string[] = [],
  ): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DatabaseFailure) || !isAboutText(stateOf(error.cause) ?? '')) throw error;
      // The error has ended the transaction.
      await this.#client.query('ROLLBACK; BEGIN READ ONLY');
      const columns = await invalidTextColumns(this.#client, query, names);
      throw await invalidText(this.#client, columns, error.cause);
    }
  }

  /** A server does not check texts that it need not convert. */
  async #refuseInvalid(query: string, names: readonly string[]): Promise<void> {
    const columns = await invalidTextColumns(this.#client, query, names);
    if (columns.length > 0) throw await invalidText(this.#client, columns);
  }

  async #declare(query: string): Promise<QueryArrayResult['fields']> {
    await this.#run(`DECLARE migrate_rows NO SCROLL CURSOR FOR ${withoutSemicolon(query)}`);
    const { fields } = await this.#run('FETCH FORWARD 0 FROM migrate_rows');
    return fields;
  }

  async #run(text: string): Promise<QueryArrayResult<(string | null)[]>> {
    try {
      // The extended protocol takes only one statement.
      return await this.#client.query({ text, rowMode: 'array', types: asText, queryMode: 'extended' } as {
        text: string;
        rowMode: 'array';
      });
    } catch (error) {
      throw failureOf(error);
    }
  }
}

const asText = { getTypeParser: () => (text: string) => text };

function columnOf({ name, dataTypeID }: { readonly name: string; readonly dataTypeID: number }): QueryColumn {
  if (dataTypeID === types.json || dataTypeID === types.jsonb) return { name, kind: 'json' };
  if (floatTypes.includes(dataTypeID)) return { name, kind: 'number', isFloat: true };
  if (numberTypes.includes(dataTypeID)) return { name, kind: 'number' };
  if (dateTypes.includes(dataTypeID)) return { name, kind: 'date' };
  return { name, kind: dataTypeID === types.bytea ? 'binary' : 'text' };
}

/** How the text of a type differs from what a file would have; undefined if it does not. */
function changeOf(type: number): ((text: string) => string) | undefined {
  switch (type) {
    case types.bool:
      return (text) => (text === 't' ? 'true' : 'false');
    case types.timestamp:
      return (text) => text.replace(' ', 'T');
    case types.timestamptz:
      return (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z');
    case types.bpchar:
      // PostgreSQL fills them up, and ignores that itself.
      return (text) => text.replace(/ +$/, '');
    default:
      return undefined;
  }
}

function averageBytes(rows: readonly QueryRow[]): number {
  const sample = rows.slice(0, 20);
  const bytes = sample.reduce(
    (sum, row) => row.reduce((all, cell) => all + (cell?.length ?? 0) + 16, sum),
    0,
  );
  return Math.max(1, bytes / sample.length);
}

function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const state = stateOf(error);
  if (state === undefined || /^(08|57P)/.test(state)) return lost(error);
  // The message of a data exception quotes the value.
  const said = state.startsWith('22') ? 'a value in the data does not fit the query' : error.message;
  return new DatabaseFailure(
    'query_failed',
    `PostgreSQL refuses the query: ${said} (${state}). Correct the query.`,
    { cause: error },
  );
}

/** The state of an error that the server reported. */
function stateOf(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;
}
