import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/source/database/sqlite.ts';
import { readAll, table } from '../temporary-export.ts';
import { writers, type Rows } from './writers.ts';

const header = ['nr', 'first', 'second', 'third'];

/** Texts that mean something to one of the formats, or to a program that reads it. */
const odd = [
  ...[
    '"',
    '""',
    "'",
    ',',
    ';',
    '\t',
    '\n',
    '\n\n',
    ' ',
    '\u00a0',
    '\u3000',
    '\\',
    '\\n',
    '#',
    '|',
    '{',
    ']',
    '&amp;',
    '<b>',
  ],
  ...[
    '0017',
    '1.0',
    '1e5',
    '-0',
    'TRUE',
    'null',
    'NaN',
    '#N/A',
    '2024-03-31',
    '12:30',
    '=1+1',
    '+49',
    '@x',
    '-5',
  ],
  ...[
    'ß',
    'é',
    'e\u0301',
    'が',
    '〒',
    '\u{1f600}',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\u2028',
    '\u0085',
    '_x0041',
    'x000D_',
    'sep=',
  ],
];

/** A text that each program writes as it is. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...odd),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''))
  // No workbook holds these characters, and no CSV file without ambiguity.
  .filter((joined) => !/(?![\t\n])\p{Cc}(?<!\u0085)|[\ufffe\uffff]/u.test(joined))
  // An escape of workbooks, of which writers differ in whether they escape it; a formula that is read as its text.
  .filter((joined) => !/_x[0-9A-Fa-f]{4}_/.test(joined) && !/^="/.test(joined));

const rows = fc
  .array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 })
  .map((cells): Rows => [header, ...cells.map((row, at) => [`A-${at + 1}`, ...row])]);

async function cellsOf(file: string, format: string): Promise<Rows> {
  if (format === 'db') {
    const database = openSqlite({ driver: 'sqlite', file });
    const found: string[][] = [];
    for await (const batch of database.read('SELECT * FROM rows'))
      found.push(...batch.rows.map((row) => row.map(String)));
    await database.close();
    return [header, ...found];
  }
  const spec = table(file.slice(dirname(file).length + 1), {
    ...{ name: 'accounts', role: 'accounts', key: 'nr' },
    ...(format === 'csv' ? { encoding: 'utf-8', delimiter: ',' } : {}),
    ...(format === 'xlsx' ? { sheet: 'Sheet' } : {}),
  });
  const { bundles, faults } = await readAll(dirname(file), [spec], { files: [spec.file] });
  const records = [...bundles.values()].flatMap((bundle) => bundle.records('accounts'));
  expect([...faults, ...[...bundles.values()].flatMap(({ problems }) => problems)]).toEqual([]);
  return [header, ...records.map(({ fields }) => header.map((name) => textOf(fields[name])))];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const byNumber = ([first = [], ...rest]: Rows): Rows => [
  first,
  ...rest.toSorted(([one = ''], [other = '']) => Number(one.slice(2)) - Number(other.slice(2))),
];

describe.each(Object.keys(writers))('texts in a %s file', (format) => {
  describe.each(writers[format] ?? [])('by $name', (writer) => {
    it.skipIf(!writer.isHere)('are read as they were written', { timeout: 120_000 }, async () => {
      // Several files of one program: starting it takes longer than writing them.
      const tables = fc.array(rows, { minLength: 8, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(tables, async (written) => {
          const directory = mkdtempSync(join(tmpdir(), 'writers-'));
          try {
            const files = written.map((one, at) => [join(directory, `t${at}.${format}`), one] as const);
            writer.write(new Map(files));
            for (const [file, one] of files) expect(byNumber(await cellsOf(file, format))).toEqual(one);
          } finally {
            rmSync(directory, { recursive: true, force: true });
          }
        }),
        { numRuns: 2 },
      );
    });
  });
});
