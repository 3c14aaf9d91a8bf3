import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { nearest, spelledAs } from '../../domain/nearest.ts';
import { DatabaseFailure, type DatabaseConnection, type QueryColumn, type QueryRow } from './connection.ts';
import { manifestName, type SnapshotManifest, type SnapshotTable } from './snapshot-manifest.ts';
import { renameOver } from '../../domain/rename-over.ts';

/** A table of a mapping that is read by a query. */
export interface QueriedTable {
  readonly name: string;
  readonly query: string;
  /** The file of its rows in a snapshot. */
  readonly file: string;
  /** The column of the account number. */
  readonly key: string;
}

/** The failure of one table. */
export class TableFailure extends Error {
  override readonly name = 'TableFailure';
  readonly table: string;
  readonly code: DatabaseFailure['code'] | 'missing_key_column' | 'repeated_column';

  constructor(table: string, code: TableFailure['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.table = table;
    this.code = code;
  }
}

export interface SnapshotOptions {
  readonly signal: AbortSignal;
  /** Called with each table when it is written. */
  readonly onTable: (table: SnapshotTable) => void;
}

/** Characters that are compressed at once. */
const chunkLength = 64 * 1024;

/** The columns of each table's query that are known without reading it. Throws TableFailure. */
export async function columnsOf(
  connection: DatabaseConnection,
  tables: readonly QueriedTable[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const table of tables) {
    let columns;
    try {
      columns = await connection.columns(table.query);
    } catch (error) {
      throw failureOf(error, table.name, 0);
    }
    if (columns === undefined) continue;
    refuseUnfit(table, columns);
    found.set(
      table.name,
      columns.map(({ name }) => name),
    );
  }
  return found;
}

/**
 * Reads all tables and writes them into a directory that must not exist or be empty, each as compressed NDJSON, with a
 * manifest. The directory comes to be only when it is complete. It and its files can be read by their owner only.
 * Throws TableFailure, the signal's reason, and the system's errors.
 */
export async function writeSnapshot(
  connection: DatabaseConnection,
  tables: readonly QueriedTable[],
  {
    directory,
    ...about
  }: Pick<SnapshotManifest, 'driver' | 'database' | 'takenAt'> & {
    readonly directory: string;
  },
  options: SnapshotOptions,
): Promise<SnapshotManifest> {
  const draft = `${directory}.${randomUUID()}.partial`;
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    const written: SnapshotTable[] = [];
    for (const table of tables) {
      const done = await writeTable(connection, table, draft, options.signal);
      options.onTable(done);
      written.push(done);
    }
    const { isConsistent } = connection;
    const manifest: SnapshotManifest = { version: 1, ...about, isConsistent, tables: written };
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    renameOver(draft, directory);
    return manifest;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function writeTable(
  connection: DatabaseConnection,
  table: QueriedTable,
  directory: string,
  signal: AbortSignal,
): Promise<SnapshotTable> {
  const { name, query, file } = table;
  let count = 0;
  let columns: readonly QueryColumn[] = [];
  const chunks = async function* (): AsyncGenerator<Buffer, void, undefined> {
    let write: ReturnType<typeof snapshotLine> | undefined;
    let text = '';
    try {
      for await (const batch of connection.read(query)) {
        signal.throwIfAborted();
        if (batch.columns !== columns) {
          columns = batch.columns;
          refuseUnfit(table, columns);
          write = snapshotLine(columns);
        }
        for (const row of batch.rows) {
          const line = write?.(row) ?? '';
          if (typeof line === 'string') text += line;
          else {
            yield Buffer.concat([Buffer.from(text), line]);
            text = '';
          }
          if (text.length < chunkLength) continue;
          yield Buffer.from(text);
          text = '';
        }
        count += batch.rows.length;
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOf(error, name, count);
    }
    if (text !== '') yield Buffer.from(text);
  };
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const target = createWriteStream(join(directory, file), { flags: 'wx', mode: 0o600 });
  // More compression would take longer than the database.
  await pipeline(Readable.from(chunks(), { objectMode: true }), createGzip({ level: 1 }), measure, target);
  const namesOf = (wanted: QueryColumn['kind']): readonly string[] =>
    columns.filter(({ kind }) => kind === wanted).map((column) => column.name);
  const floats = columns.filter(({ isFloat }) => isFloat === true).map((column) => column.name);
  const [numeric, dates] = [namesOf('number'), namesOf('date')];
  return {
    ...{ name, file, query, columns: columns.map((column) => column.name) },
    ...(numeric.length === 0 ? {} : { numeric: [...numeric] }),
    ...(dates.length === 0 ? {} : { dates: [...dates] }),
    ...(floats.length === 0 ? {} : { floats }),
    ...{ rows: count, bytes, sha256: hash.digest('hex') },
  };
}

/** Throws TableFailure if the query's columns are not those of a table. */
function refuseUnfit({ name, key }: QueriedTable, columns: readonly QueryColumn[]): void {
  const refuse = (code: TableFailure['code'], detail: string): never => {
    throw new TableFailure(name, code, detail);
  };
  const names = columns.map((column) => column.name);
  const twice = names.find((column, at) => names.indexOf(column) < at);
  if (twice !== undefined)
    refuse(
      'repeated_column',
      `The query of ${name} returns the column ${twice} twice. Rename one of them with AS.`,
    );
  const binary = columns.find(({ kind }) => kind === 'binary');
  if (binary !== undefined)
    refuse(
      'inexact_value',
      `The column ${binary.name} of ${name} is binary, not text. Leave it out of the query, or convert it there.`,
    );
  // A key may be within JSON.
  const [column = ''] = key.split('.');
  if (columns.length === 0 || spelledAs(key, names) !== undefined || names.includes(column)) return;
  const near = nearest(key, names);
  const remedy = near === undefined ? `It has: ${names.join(', ')}.` : `Did you mean ${near}?`;
  refuse(
    'missing_key_column',
    `The query of ${name} returns no column ${key} for the account number. ${remedy}`,
  );
}

function failureOf(error: unknown, table: string, rows: number): unknown {
  if (!(error instanceof DatabaseFailure)) return error;
  const after = error.code === 'connection_lost' ? ` Rows of ${table} read before: ${rows}.` : '';
  return new TableFailure(table, error.code, `${error.message}${after}`, { cause: error });
}

/** Makes the function that writes a row of a query as a line of NDJSON. Empty values are left out. */
function snapshotLine(columns: readonly QueryColumn[]): (row: QueryRow) => string | Buffer {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const isJson = columns.map(({ kind }) => kind === 'json');
  return (row) => {
    // Bytes that are no text stay so: reading the snapshot reports them at their cell.
    if (row.some((value) => Buffer.isBuffer(value))) return lineOfBytes(row, names);
    let line = '';
    for (let at = 0; at < names.length; at += 1) {
      const value = row[at];
      if (value === null || value === undefined || Buffer.isBuffer(value)) continue;
      const start = line === '' ? '{' : ',';
      // A line end within JSON can only be white space.
      const text = isJson[at] === true ? value.replaceAll(/[\r\n]/g, ' ') : quoted(value);
      line += start + (names[at] ?? '') + text;
    }
    return line === '' ? '{}\n' : `${line}}\n`;
  };
}

function lineOfBytes(row: QueryRow, names: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const [at, value] of row.entries()) {
    if (value === null) continue;
    parts.push(Buffer.from((parts.length === 0 ? '{' : ',') + (names[at] ?? '')));
    // Each byte is one character, of which only those of ASCII are escaped.
    parts.push(
      Buffer.isBuffer(value)
        ? Buffer.from(JSON.stringify(value.toString('latin1')), 'latin1')
        : Buffer.from(quoted(value)),
    );
  }
  return Buffer.concat([...parts, Buffer.from('}\n')]);
}

const escaped = /["\\\p{Cc}\p{Cs}]/u;

/** Most texts need no escape, and JSON.stringify is slower to find that out. */
function quoted(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}
