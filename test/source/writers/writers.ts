import { utils, write } from '@e965/xlsx';
import Database from 'better-sqlite3';
import { stringify } from 'csv-stringify/sync';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { stringify as stringifyLossless } from 'lossless-json';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts; the first row has the names of the columns. */
export type Rows = readonly (readonly string[])[];

export interface Writer {
  readonly name: string;
  /** Whether its program is on this machine. */
  readonly isHere: boolean;
  /** Writes files, by their paths. */
  write(files: ReadonlyMap<string, Rows>): void;
}

/** Python with the packages that are to be used; `PYTHON` names another one. */
const python = process.env['PYTHON'] ?? 'python3';
const script = join(import.meta.dirname, 'write.py');

function byPython(writer: string, module = writer): Writer {
  return {
    name: `Python's ${writer}`,
    isHere: spawnSync(python, ['-c', `import ${module}`]).status === 0,
    write(files) {
      const { status, stderr } = spawnSync(python, [script, writer], {
        input: JSON.stringify(Object.fromEntries(files)),
      });
      if (status !== 0) throw new Error(String(stderr));
    },
  };
}

/** `text` makes the contents of a file. */
function here(name: string, contents: (rows: Rows) => string | Uint8Array): Writer {
  return {
    name,
    isHere: true,
    write(files) {
      for (const [file, rows] of files) writeFileSync(file, contents(rows));
    },
  };
}

/** The program sqlite3, which is given statements. */
function sqliteProgram(
  name: string,
  statements: (file: string, rows: Rows) => readonly [database: string, script: string],
): Writer {
  return {
    name,
    isHere: spawnSync('sqlite3', ['--version']).status === 0,
    write(files) {
      for (const [file, rows] of files) {
        const [database, input] = statements(file, rows);
        const { status, stderr } = spawnSync('sqlite3', ['-bail', database], { input });
        if (status !== 0 || stderr.length > 0) throw new Error(String(stderr));
      }
    },
  };
}

const objects = ([header = [], ...rows]: Rows): readonly Record<string, string>[] =>
  rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));

const columns = ([header = [], ...rows]: Rows) =>
  header.map((name, at) => ({ name, data: rows.map((row) => row[at] ?? ''), type: 'STRING' as const }));

/** Statements that make a table of the rows. The program takes a line end within a text as it is. */
function inserted([header = [], ...rows]: Rows): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return [
    `CREATE TABLE rows (${header.map((name) => `${name} TEXT`).join(', ')});`,
    ...rows.map((row) => `INSERT INTO rows VALUES (${row.map(quoted).join(', ')});`),
    '',
  ].join('\n');
}

/** Three writers of each format that share no code, by the ending of its files. */
export const writers: Readonly<Record<string, readonly Writer[]>> = {
  csv: [
    here('csv-stringify', (rows) =>
      stringify(
        rows.map((row) => [...row]),
        { quoted_match: /[\r\n]/ },
      ),
    ),
    byPython('csv'),
    sqliteProgram('sqlite3 with .mode csv', (file, rows) => [
      ':memory:',
      `${inserted(rows)}.headers on\n.mode csv\n.once ${file}\nSELECT * FROM rows;\n`,
    ]),
  ],
  json: [
    here('JSON.stringify', (rows) => JSON.stringify(objects(rows))),
    here('lossless-json', (rows) => stringifyLossless(objects(rows), null, 2) ?? ''),
    byPython('json'),
  ],
  ndjson: [
    here('JSON.stringify', (rows) =>
      objects(rows)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    ),
    here('lossless-json', (rows) =>
      objects(rows)
        .map((one) => stringifyLossless(one) ?? '')
        .join('\r\n'),
    ),
    byPython('ndjson', 'json'),
  ],
  xlsx: [
    here('SheetJS', (rows) => {
      const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
      const book = utils.book_new();
      utils.book_append_sheet(book, sheet, 'Sheet');
      return write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array;
    }),
    byPython('openpyxl'),
    byPython('xlsxwriter'),
  ],
  parquet: [
    here('hyparquet-writer', (rows) => new Uint8Array(parquetWriteBuffer({ columnData: columns(rows) }))),
    byPython('pyarrow', 'pyarrow.parquet'),
    byPython('duckdb'),
  ],
  db: [
    {
      name: 'better-sqlite3',
      isHere: true,
      write(files) {
        for (const [file, [header = [], ...rows]] of files) {
          const database = new Database(file);
          database.exec(`CREATE TABLE rows (${header.map((name) => `${name} TEXT`).join(', ')})`);
          const insert = database.prepare(`INSERT INTO rows VALUES (${header.map(() => '?').join(', ')})`);
          for (const row of rows) insert.run(...row);
          database.close();
        }
      },
    },
    byPython('sqlite3'),
    sqliteProgram('sqlite3', (file, rows) => [file, inserted(rows)]),
  ],
};
