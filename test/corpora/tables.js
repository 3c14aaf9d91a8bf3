// Reads the CSV or Parquet files of a folder, and compares their rows with those that are expected:
// `node test/corpora/tables.js spectrum|pollock|parquet FOLDER [--duckdb NODE_MODULES] [--show 20]`. Parquet files are compared with what
// DuckDB reads (@duckdb/node-api, installed elsewhere). The folder is yours: nothing is fetched, and nothing of it is kept.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { duckdb: { type: 'string' }, show: { type: 'string', default: '20' } },
});
const [kind, folder] = positionals;
if (folder === undefined)
  throw new Error('Name the kind of a corpus (spectrum, pollock or parquet) and its folder.');
const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'migrate-corpus-'));
const target = join(directory, 'rows.ndjson');
const count = { files: 0, refused: 0, noAnswer: 0, unread: 0, values: 0, exact: 0, named: 0, different: 0 };
let shown = 0;
const show = (...texts) => {
  shown += 1;
  if (shown <= Number(values.show)) console.log(...texts);
};

/** Compares rows in any order: rows that are expected and not there are named where a problem tells of them. */
function compareRows({ file, expected, rows }) {
  const left = new Map();
  for (const row of expected) left.set(JSON.stringify(row), (left.get(JSON.stringify(row)) ?? 0) + 1);
  const codes = rows.filter((row) => !Array.isArray(row)).map(({ code }) => code);
  for (const row of rows) {
    if (!Array.isArray(row)) continue;
    const text = JSON.stringify(row);
    const here = left.get(text) ?? 0;
    if (here > 0) left.set(text, here - 1);
    // A second table with the same header is read too, with a warning; the corpus counts the first one only.
    const kind = here > 0 ? 'exact' : codes.includes('repeated_header') ? 'named' : 'different';
    count[kind] += row.length;
    if (kind === 'different') show('DIFFERENT', file, text.slice(0, 300));
  }
  for (const [text, missing] of left) {
    const cells = missing * JSON.parse(text).length;
    if (missing > 0 && codes.length === 0) show('MISSING', file, text.slice(0, 300));
    count[codes.length > 0 ? 'named' : 'different'] += cells;
  }
  count.values += expected.reduce((sum, row) => sum + row.length, 0);
}

/** One spelling of what both readers have. */
function plain(text) {
  if (/^-?\d[\d.]*(?:e[+-]?\d+)?$/i.test(text))
    return text.length <= 15 || /e/i.test(text)
      ? String(Number(text))
      : text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return text
    .replace(/^(\d{4,}-\d\d-\d\d) /, '$1T')
    .replace(/(?:\+00|Z)$/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/T00:00:00$/, '')
    .replaceAll(/\\x([0-9A-F]{2})/g, (_all, byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    .replace(/^inf$/, 'Infinity')
    .replace(/^-inf$/, '-Infinity')
    .replace(/^nan$/i, 'NaN');
}

async function compareParquet(found, connection) {
  const { file, columns, rows } = found;
  const names = columns.map((name) => `CAST("${name.replaceAll('"', '""')}" AS VARCHAR)`);
  let theirs;
  try {
    const path = resolve(folder, file).replaceAll("'", "''");
    theirs = await (
      await connection.runAndReadAll(`SELECT ${names.join(', ')} FROM read_parquet('${path}')`)
    ).getRows();
  } catch {
    count.unread += 1;
    return;
  }
  // A row without a value is none, as in a file of texts.
  theirs = theirs.filter((row) => row.some((value) => value !== null && value !== ''));
  if (theirs.length !== rows.length) show('ROWS', file, rows.length, theirs.length);
  for (const [at, row] of theirs.entries()) {
    const own = rows[at];
    for (const [column, value] of row.entries()) {
      count.values += 1;
      const text = Array.isArray(own) ? own[column] : undefined;
      if (own !== undefined && !Array.isArray(own)) count.named += 1;
      else if (text !== undefined && plain(text) === plain(value ?? '')) count.exact += 1;
      else {
        count.different += 1;
        show('DIFFERENT', file, at + 1, columns[column], JSON.stringify(text), JSON.stringify(value));
      }
    }
  }
}

try {
  const env = { ...process.env, CORPUS: resolve(folder), CORPUS_KIND: kind, CORPUS_ROWS: target };
  const args = ['run', '--project', 'quick', 'test/corpora/tables.test.ts', '--reporter', 'dot'];
  const read = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }); // prettier-ignore
  if (read.status !== 0) throw new Error('The files were not read to their end.');
  let connection;
  if (kind === 'parquet') {
    if (values.duckdb === undefined)
      throw new Error('Name the node_modules that has @duckdb/node-api: --duckdb DIR');
    const { DuckDBInstance } = createRequire(join(resolve(values.duckdb), 'x.js'))('@duckdb/node-api');
    connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("SET TimeZone='UTC'");
  }
  for (const line of readFileSync(target, 'utf8').split('\n')) {
    if (line === '') continue;
    const found = JSON.parse(line);
    count.files += 1;
    if (found.bug !== undefined) {
      count.noAnswer += 1;
      console.log('NO ANSWER', found.file, found.bug);
    } else if (found.refused !== undefined) {
      count.refused += 1;
      show('REFUSED', found.file, found.refused, found.detail);
    } else if (kind === 'parquet') await compareParquet(found, connection);
    else compareRows(found);
  }
  console.log(`| ${folder} | ${Object.values(count).join(' | ')} |`);
  console.log(Object.keys(count).join(', '));
  process.exitCode = count.different + count.noAnswer === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
