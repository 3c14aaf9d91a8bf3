// How fast the sources other than plain files are read, each beside its driver or library alone; by the processor's time
// of the one that reads. Every source has the same rows: an account and 20 transactions each.
import Sqlite from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { alternate } from './pairs.js';
import { peakMemory } from './peak-memory.js';
import { startMariadb } from './mariadb-server.js';
import { startPostgres } from './postgres-server.js';
import { startS3 } from './s3-server.js';
import { key, rowsEach, tablesOf, writeCsv } from './reading-book.js';

const [name, measure, which, place] = process.argv.slice(2);

export async function sources({ accounts, pairs, directory: root }) {
  const results = [];
  for (const [source, { write, measures }] of Object.entries(all)) {
    const directory = join(root, source);
    mkdirSync(directory);
    const written = await write(directory, accounts);
    if (written === undefined) continue;
    try {
      for (const [measure, { title, against }] of Object.entries(measures)) {
        const peaks = { ours: [], theirs: [] };
        const rate = (which) => {
          const { rows, seconds, peakMB } = child(source, measure, which, written.place);
          if (rows !== accounts * (rowsEach + 1))
            throw new Error(`${title}, ${which}: ${rows} rows were read.`);
          peaks[which].push(peakMB);
          return rows / seconds;
        };
        const result = await alternate(
          pairs,
          () => rate('ours'),
          () => rate('theirs'),
        );
        results.push({
          ...{ measure: title, against, unit: 'rows/s', ...result },
          ...{ reach: '>= 0.8', isReached: result.ratio >= 0.8 },
          notes: { ourPeakMB: Math.max(...peaks.ours), theirPeakMB: Math.max(...peaks.theirs) },
        });
      }
    } finally {
      await written.stop?.();
      rmSync(directory, { recursive: true });
    }
  }
  return results;
}

function child(...args) {
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(run.stdout.toString());
}

async function measured(read) {
  const rows = await read();
  const { user, system } = process.cpuUsage();
  const peakMB = Math.round(peakMemory());
  process.stdout.write(JSON.stringify({ rows, seconds: (user + system) / 1e6, peakMB }));
}

const tables = ['accounts', 'transactions'];
const select = (table) => `SELECT * FROM ${table} ORDER BY 1`;

const databases = {
  sqlite: {
    name: 'a SQLite database',
    driver: 'better-sqlite3',
    async write(directory, accounts) {
      const file = join(directory, 'old.db');
      const db = new Sqlite(file);
      await insertAll(accounts, (sql) => db.exec(sql));
      db.close();
      return { place: file };
    },
    address: () => ({ driver: 'sqlite', file: place }),
    async *rows(table) {
      const db = new Sqlite(place, { readonly: true });
      yield* db.prepare(select(table)).raw().iterate();
      db.close();
    },
  },
  postgres: {
    name: 'PostgreSQL',
    driver: 'pg with a cursor',
    async write(_directory, accounts) {
      const server = await startPostgres();
      if (server === undefined) return undefined;
      const { name: database, url } = await server.makeDatabase();
      await insertAll(accounts, (sql) => server.query(sql, database));
      return { place: url, stop: server.stop };
    },
    address: () => ({ driver: 'postgres', url: place }),
    async *rows(table) {
      const { default: pg } = await import('pg');
      const client = new pg.Client(place);
      await client.connect();
      await client.query(`BEGIN; DECLARE every_row CURSOR FOR ${select(table)}`);
      for (let found = [undefined]; found.length > 0;) {
        ({ rows: found } = await client.query({ text: 'FETCH 2000 FROM every_row', rowMode: 'array' }));
        yield* found;
      }
      await client.end();
    },
  },
  mysql: {
    name: 'MariaDB',
    driver: 'mysql2, streamed',
    async write(_directory, accounts) {
      const server = await startMariadb();
      if (server === undefined) return undefined;
      await insertAll(accounts, server.query);
      return { place: server.url, stop: server.stop };
    },
    address: () => ({ driver: 'mysql', url: place }),
    async *rows(table) {
      const { createConnection } = await import('mysql2');
      const connection = createConnection({ uri: place });
      yield* connection.query({ sql: select(table), rowsAsArray: true }).stream();
      connection.destroy();
    },
  },
};

const files = {
  xlsx: {
    title: 'a workbook, brought together by account',
    against: 'yauzl and sax, into rows of texts',
    async write(directory, accounts) {
      await writeWorkbook(join(directory, 'book.xlsx'), accounts);
      return { place: directory };
    },
    ours: () => bundled('book.xlsx', 'book.xlsx'),
    theirs: () => sheetRows(join(place, 'book.xlsx')),
  },
  parquet: {
    title: 'Parquet files, brought together by account',
    against: 'hyparquet, into rows of values',
    async write(directory, accounts) {
      const { parquetWriteFile } = await import('hyparquet-writer');
      for (const { name: table, header, rows } of tablesOf(accounts)) {
        const columnData = header.map((column) => ({ name: column, data: [], type: 'STRING' }));
        for (const row of rows()) for (const [at, cell] of row.entries()) columnData[at].data.push(cell);
        parquetWriteFile({
          filename: join(directory, `${table}.parquet`),
          columnData,
          rowGroupSize: 100_000,
        });
      }
      return { place: directory };
    },
    ours: () => bundled('accounts.parquet', 'transactions.parquet'),
    async theirs() {
      const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
      const { compressors } = await import('hyparquet-compressors');
      let rows = 0;
      for (const table of tables) {
        const file = await asyncBufferFromFile(join(place, `${table}.parquet`));
        const metadata = await parquetMetadataAsync(file);
        for (const group of metadata.row_groups) {
          const found = await parquetReadObjects({
            file,
            metadata: { ...metadata, row_groups: [group], num_rows: group.num_rows },
            compressors,
          });
          rows += found.length;
        }
      }
      return rows;
    },
  },
  zip: {
    title: 'a ZIP file of CSV files, brought together by account',
    against: 'yauzl and csv-parse',
    async write(directory, accounts) {
      await writeCsv(directory, accounts);
      const { ZipFile } = await import('yazl');
      const zip = new ZipFile();
      for (const table of tables) zip.addFile(join(directory, `${table}.csv`), `${table}.csv`);
      zip.end();
      const written = zip.outputStream.pipe(createWriteStream(join(directory, 'export.zip')));
      await once(written, 'close');
      for (const table of tables) rmSync(join(directory, `${table}.csv`));
      return { place: join(directory, 'export.zip') };
    },
    ours: () => bundled('accounts.csv', 'transactions.csv'),
    async theirs() {
      const { parse } = await import('csv-parse');
      let rows = -2;
      for await (const part of partsOf(place)) {
        const parser = part.pipe(parse());
        parser.on('data', () => (rows += 1));
        await once(parser, 'end');
      }
      return rows;
    },
  },
};

files.s3 = {
  title: 'CSV files in an S3-compatible store, brought together by account',
  against: 'the SDK and csv-parse',
  async write(directory, accounts) {
    await writeCsv(directory, accounts);
    const store = await startS3();
    for (const table of tables) {
      const file = join(directory, `${table}.csv`);
      await store.put(`${table}.csv`, await openAsBlob(file));
      rmSync(file);
    }
    Object.assign(process.env, store.env);
    return { place: `s3://${store.bucket}/`, stop: store.stop };
  },
  ours: () => bundled('accounts.csv', 'transactions.csv'),
  async theirs() {
    const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
    const { parse } = await import('csv-parse');
    const client = new S3Client({ forcePathStyle: true });
    let rows = -2;
    for (const table of tables) {
      const { hostname: Bucket } = new URL(place);
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `${table}.csv` }));
      const parser = Body.pipe(parse());
      parser.on('data', () => (rows += 1));
      await once(parser, 'end');
    }
    client.destroy();
    return rows;
  },
};

/** All sources, each with what is measured, and what that is compared with. */
const all = {
  ...Object.fromEntries(
    Object.entries(databases).map(([source, { name, driver, write, address, rows }]) => [
      source,
      {
        write,
        measures: {
          reading: {
            title: `reading ${name}`,
            against: driver,
            ours: () => readDatabase(address()),
            theirs: () => countRows(rows),
          },
          snapshot: {
            title: `a snapshot of ${name}`,
            against: `${driver}, JSON.stringify and zlib`,
            ours: () => writeSnapshot(address()),
            theirs: () => writeRows(rows),
          },
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(files).map(([source, { write, ...reading }]) => [
      source,
      { write, measures: { reading } },
    ]),
  ),
};

/** The rows of a database, as the tool reads them. */
async function readDatabase(address) {
  const { openDatabase } = await import('../../dist/source/database/open-database.js');
  const connection = await openDatabase(address);
  let count = 0;
  for (const table of tables)
    for await (const { rows } of connection.read(select(table))) count += rows.length;
  await connection.close();
  return count;
}

/** What a run does first with a database. */
async function writeSnapshot(address) {
  const { openDatabase } = await import('../../dist/source/database/open-database.js');
  const { writeSnapshot } = await import('../../dist/source/database/write-snapshot.js');
  const connection = await openDatabase(address);
  return inTemporary(async (directory) => {
    const manifest = await writeSnapshot(
      connection,
      tables.map((table) => ({ name: table, query: select(table), file: `${table}.ndjson.gz`, key })),
      { directory: join(directory, 'snapshot'), driver: address.driver, database: '', takenAt: '' },
      { signal: new globalThis.AbortController().signal, onTable: () => undefined },
    );
    await connection.close();
    return manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  });
}

/** The same rows in files of the same kind, with the driver alone. */
async function writeRows(rowsOf) {
  return inTemporary(async (directory) => {
    let count = 0;
    for (const { name: table, header } of tablesOf(0)) {
      const lines = async function* () {
        let text = '';
        for await (const row of rowsOf(table)) {
          count += 1;
          text += `${JSON.stringify(Object.fromEntries(header.map((column, at) => [column, row[at]])))}\n`;
          if (text.length < 65_536) continue;
          yield text;
          text = '';
        }
        yield text;
      };
      const target = createWriteStream(join(directory, `${table}.ndjson.gz`));
      await pipeline(Readable.from(lines()), createGzip({ level: 1 }), target);
    }
    return count;
  });
}

async function inTemporary(act) {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await act(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function countRows(rowsOf) {
  let count = 0;
  for (const table of tables) for await (const row of rowsOf(table)) count += Math.sign(row.length);
  return count;
}

async function bundled(accounts, transactions) {
  const { openExport } = await import('../../dist/source/open-export.js');
  const sheets = accounts === transactions;
  const opened = await openExport(place, [
    { name: 'accounts', file: accounts, role: 'accounts', key, ...(sheets ? { sheet: 'accounts' } : {}) },
    {
      name: 'transactions',
      file: transactions,
      role: 'child',
      key,
      ...(sheets ? { sheet: 'transactions' } : {}),
    },
  ]);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  let rows = 0;
  for await (const bundle of opened.bundles()) rows += 1 + bundle.records('transactions').length;
  opened.close();
  return rows;
}

async function* partsOf(file) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { autoClose: false });
  for await (const entry of zip.eachEntry()) yield await zip.openReadStreamPromise(entry);
  zip.close();
}

async function insertAll(accounts, execute) {
  for (const { name: table, header, rows } of tablesOf(accounts)) {
    await execute(`CREATE TABLE ${table} (${header.map((column) => `${column} varchar(40)`).join(', ')})`);
    let values = [];
    const insert = async () => {
      await execute(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
      values = [];
    };
    for (const row of rows()) {
      values.push(`(${row.map((cell) => `'${cell}'`).join(', ')})`);
      if (values.length === 500) await insert();
    }
    if (values.length > 0) await insert();
  }
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

/** A workbook as spreadsheet programs write it: texts that occur again are shared. */
async function writeWorkbook(file, accounts) {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const add = (part, text) => zip.addReadStream(Readable.from(text, { objectMode: false }), part);
  const relation = (at, type, target) =>
    `<Relationship Id="r${at}" Type="${office}/${type}" Target="${target}"/>`;
  add('_rels/.rels', [`<Relationships ${relations}>${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`]); // prettier-ignore
  add('xl/workbook.xml', [
    `<workbook ${main} xmlns:r="${office}"><sheets>`,
    ...tables.map((table, at) => `<sheet name="${table}" sheetId="${at + 1}" r:id="r${at + 1}"/>`),
    '</sheets></workbook>',
  ]);
  add('xl/_rels/workbook.xml.rels', [
    `<Relationships ${relations}>`,
    ...tables.map((table, at) => relation(at + 1, 'worksheet', `worksheets/${table}.xml`)),
    relation(3, 'sharedStrings', 'sharedStrings.xml'),
    '</Relationships>',
  ]);
  const strings = new Map();
  const numbered = (text) => {
    let at = strings.get(text);
    if (at === undefined) strings.set(text, (at = strings.size));
    return at;
  };
  for (const { name: table, header, rows } of tablesOf(accounts))
    add(`xl/worksheets/${table}.xml`, sheetOf(header, rows, numbered));
  add('xl/sharedStrings.xml', stringsOf(strings));
  zip.end();
  await once(zip.outputStream.pipe(createWriteStream(file)), 'close');
}

function* sheetOf(header, rows, numbered) {
  yield `<worksheet ${main}><sheetData>`;
  let line = 1;
  const written = (cells) => {
    const values = cells.map((cell, at) => {
      const place = `r="${String.fromCharCode(65 + at)}${line}"`;
      return /^-?\d+\.\d+$/.test(cell)
        ? `<c ${place}><v>${Number(cell)}</v></c>`
        : `<c ${place} t="s"><v>${numbered(cell)}</v></c>`;
    });
    line += 1;
    return `<row r="${line - 1}">${values.join('')}</row>`;
  };
  yield written(header);
  let text = '';
  for (const row of rows()) {
    text += written(row);
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData></worksheet>`;
}

/** Written last: the sheets say which texts there are. */
function* stringsOf(strings) {
  yield `<sst ${main}>`;
  let text = '';
  for (const string of strings.keys()) {
    text += `<si><t>${string}</t></si>`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield `${text}</sst>`;
}

/** The least program that reads a workbook with the same libraries. */
async function sheetRows(file) {
  const { default: sax } = await import('sax');
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { autoClose: false });
  const parts = new Map();
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
  const parse = async (part, handlers) => {
    const parser = Object.assign(sax.parser(true, { position: false }), handlers);
    const decoder = new globalThis.TextDecoder();
    for await (const block of await zip.openReadStreamPromise(parts.get(part)))
      parser.write(decoder.decode(block, { stream: true }));
    parser.close();
  };
  const strings = [];
  await parse('xl/sharedStrings.xml', { ontext: (text) => strings.push(text) });
  let rows = -2;
  for (const table of tables) {
    let cells = [];
    let type;
    await parse(`xl/worksheets/${table}.xml`, {
      onopentag: ({ name: tag, attributes }) => {
        if (tag === 'row') cells = [];
        if (tag === 'c') type = attributes.t;
      },
      ontext: (text) => cells.push(type === 's' ? strings[Number(text)] : text),
      onclosetag: (tag) => {
        if (tag === 'row') rows += 1;
      },
    });
  }
  zip.close();
  return rows;
}

if (process.argv[1] === import.meta.filename) await measured(all[name].measures[measure][which]);
