import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CannotStart } from '../../src/host/cannot-start.ts';
import type { Reporter } from '../../src/host/environment.ts';
import { guessExport } from '../../src/cli/init/guess-export.ts';
import { openPlans } from '../../src/run/reading/open-plans.ts';
import { writeMapping } from '../../src/mapping/guess/write-mapping.ts';
import { FileUnreadable } from '../../src/source/file-bytes.ts';
import { findEncoding } from '../../src/source/find-encoding.ts';
import { formatOf, formatOfFile } from '../../src/source/formats/formats.ts';
import { libraries } from '../../src/source/formats/parquet/library.ts';
import { columnsOf } from '../../src/source/formats/parquet/columns.ts';
import { localFile } from '../../src/source/places/directory.ts';
import type { TableSpec } from '../../src/source/export.ts';

/** The folder of the corpus, which kind it is, and the file that takes its rows: `tables.js` names them. */
const { CORPUS: corpus = '', CORPUS_KIND: kind = '', CORPUS_ROWS: target = '' } = process.env;

interface Found {
  readonly columns: readonly string[];
  /** The cells of each row, or the code of its problem. */
  readonly rows: readonly (readonly string[] | { readonly code: string })[];
}

/** The rows of a file, with those that have no key; or why it is refused. */
async function rowsOf(
  path: string,
  more: Partial<TableSpec>,
): Promise<Found | { readonly refused: string; readonly detail: string }> {
  const stored = localFile(path);
  if (stored === undefined) throw new Error(`There is no ${path}.`);
  const spec: TableSpec = {
    name: 'corpus',
    file: path,
    role: 'child',
    key: '',
    ignore: { said: '', holds: () => false },
    ...more,
  };
  const opened = await formatOfFile(path).open(spec, { stored, findEncoding });
  if ('problem' in opened) return { refused: opened.problem.code, detail: opened.problem.detail };
  const columns = opened.columns ?? [];
  const rows: (readonly string[] | { readonly code: string })[] = [];
  for await (const batch of formatOf(opened).rows({ table: opened, stored }, {}))
    for (const row of batch) {
      const cells = 'body' in row ? row.body : row.cells;
      const isFault = 'body' in row ? row.unreadable?.[0] : cells === undefined || cells.length < columns.length ? row : undefined; // prettier-ignore
      if (isFault !== undefined) rows.push({ code: isFault.code });
      else if (cells !== undefined && typeof cells !== 'string') rows.push([...cells]);
    }
  return { columns, rows };
}

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function answerOf(read: () => Promise<object>): Promise<object> {
  try {
    return await read();
  } catch (error) {
    // A refusal has a reason for people; anything else is a bug.
    return error instanceof FileUnreadable
      ? { refused: error.code, detail: error.message }
      : { bug: String(error) };
  }
}

/** The name of a column of a Parquet file, by which its rows are known here. */
async function firstColumn(path: string): Promise<string> {
  const { parquet } = await libraries();
  const bytes = readFileSync(path);
  return (
    columnsOf(parquet.parquetMetadata(new Uint8Array(bytes).buffer, { geoparquet: false })).columns[0]
      ?.name ?? ''
  );
}

/** Whether the mapping that `init` writes for a file can be read and fits the file. */
async function initFor(path: string, directory: string): Promise<object> {
  let guessed: Awaited<ReturnType<typeof guessExport>>;
  try {
    guessed = await guessExport(path, {});
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { refused: 'init', detail: error.message };
  }
  if (guessed.isKnown) return { columns: [], rows: [], expected: [] };
  const mapping = join(directory, 'mapping.yaml');
  writeFileSync(
    mapping,
    writeMapping(
      guessed.tables,
      'mapping.schema.json',
      guessed.unfit.map(({ problem }) => problem.detail),
    ),
  );
  const reporter = { warn: () => undefined, detail: () => undefined } as unknown as Reporter;
  try {
    (await openPlans({ cwd: directory }, reporter, path, { mapping })).close();
  } catch (error) {
    return { bug: String(error) };
  }
  return { columns: [], rows: [], expected: [] };
}

const kinds: Readonly<Record<string, () => AsyncGenerator<object>>> = {
  async *init() {
    const directory = mkdtempSync(join(tmpdir(), 'migrate-corpus-'));
    const files = ['.xlsx', '.xlsm', '.parquet', '.csv'].flatMap((ending) => namesIn(corpus, ending));
    for (const file of files) {
      if (/(?:^|\/)~\$/.test(file)) continue;
      yield { file, ...(await answerOf(() => initFor(join(corpus, file), directory))) };
    }
    rmSync(directory, { recursive: true, force: true });
  },
  async *parquet() {
    for (const file of namesIn(corpus, '.parquet')) {
      const path = join(corpus, file);
      const key = await firstColumn(path).catch(() => '');
      yield { file, ...(await answerOf(() => rowsOf(path, { key }))) };
    }
  },
  async *spectrum() {
    for (const file of namesIn(join(corpus, 'csvs'), '.csv')) {
      const path = join(corpus, 'csvs', file);
      const key = /[^",\r\n]+/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
      const expected = JSON.parse(readFileSync(join(corpus, 'json', file.replace('.csv', '.json')), 'utf8')) as Record<string, string>[] | Record<string, string>; // prettier-ignore
      yield {
        file,
        expected: [expected].flat().map((row) => Object.values(row)),
        ...(await answerOf(() => rowsOf(path, { key }))),
      };
    }
  },
  async *pollock() {
    const at = (folder: string): string => join(corpus, 'polluted_files', folder);
    for (const file of namesIn(at('csv'), '.csv')) {
      const said = JSON.parse(readFileSync(join(at('parameters'), `${file}_parameters.json`), 'utf8')) as Record<string, string>; // prettier-ignore
      const { delimiter = ',', escapechar = '"', quotechar = '"' } = said;
      const more = {
        key: 'DATE',
        delimiter,
        ...(quotechar === '"' ? {} : { quote: /^[!-~]$/.test(quotechar) ? quotechar : '' }),
        ...(/^[!-~]$/.test(escapechar) && escapechar !== '"' ? { escape: escapechar } : {}),
      };
      const clean = join(at('clean'), file);
      // Its header may be several rows, joined.
      const [, key = 'DATE'] = existsSync(clean)
        ? (/^"([^"]+)"/.exec(readFileSync(clean, 'utf8')) ?? [])
        : [];
      const expected = existsSync(clean) ? await rowsOf(clean, { key, delimiter: ',' }) : undefined;
      yield {
        file,
        said: { delimiter, escapechar, quotechar },
        expected: expected !== undefined && 'rows' in expected ? expected.rows : [],
        ...(await answerOf(() => rowsOf(join(at('csv'), file), more))),
      };
    }
  },
};

describe.skipIf(corpus === '' || kind === '')('a corpus of tables (needs CORPUS and CORPUS_KIND)', () => {
  test('every file is read, or refused with a reason', { timeout: 3_600_000 }, async () => {
    writeFileSync(target, '');
    let files = 0;
    for await (const found of kinds[kind]?.() ?? []) {
      files += 1;
      appendFileSync(target, `${JSON.stringify(found)}\n`);
    }
    expect(files).toBeGreaterThan(0);
  });
});
