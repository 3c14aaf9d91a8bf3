import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SourceRecord } from '../../src/source/export.ts';
import { directoryWith, key, readAll, table } from './temporary-export.ts';

const account = fc
  .string({
    unit: fc.constantFrom('A', '1', '-', '"', ',', ' ', '\n', '\u{1f600}', 'ß'),
    minLength: 1,
    maxLength: 6,
  })
  .filter((text) => text.trim() !== '');
const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    '\n',
    '\r\n',
    '\r',
    ',',
    ';',
    '\t',
    '|',
    ' ',
    '\\',
    '\ufeff',
    '\ufffd',
    '\0',
    '{',
    ']',
    '€',
    '\u001f',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const cell = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const row = fc.record({ [key]: account, body: cell, 'a.b': cell, ' "odd",\n': cell });
type Row = Readonly<Record<string, string>>;

const style = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.constantFrom('', '\ufeff'),
  encoding: fc.constantFrom<BufferEncoding[]>('utf8', 'utf16le'),
  quoteAll: fc.boolean(),
  lastEnd: fc.boolean(),
  indent: fc.constantFrom(0, 2),
  columnsReversed: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

/** A file, and the line on which each of its rows starts. */
interface Written {
  readonly text: string;
  readonly lines: readonly number[];
}

function lineAfter(text: string): number {
  return 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);
}

function asCsv(rows: readonly Row[], { delimiter, end, quoteAll, lastEnd, columnsReversed }: Style): Written {
  const names = Object.keys(rows[0] ?? { [key]: '' });
  const columns = columnsReversed ? names.reverse() : names;
  const written = (text: string): string =>
    quoteAll || text === '' || /["\r\n]/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  let text = columns.map(written).join(delimiter);
  const lines: number[] = [];
  for (const row of rows) {
    text += end;
    lines.push(lineAfter(text));
    text += columns.map((name) => written(row[name] ?? '')).join(delimiter);
  }
  return { text: lastEnd ? text + end : text, lines };
}

function asArray(rows: readonly Row[], { end, indent }: Style): Written {
  let text = '[';
  const lines: number[] = [];
  for (const [at, row] of rows.entries()) {
    text += `${at > 0 ? ',' : ''}${indent > 0 ? end : ''}`;
    lines.push(lineAfter(text));
    text += JSON.stringify(row, null, indent).replaceAll('\n', end);
  }
  return { text: `${text}]`, lines };
}

function asNdjson(rows: readonly Row[], { lastEnd }: Style): Written {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  return { text: lastEnd ? `${text}\n` : text, lines: rows.map((_, at) => at + 1) };
}

test.each([
  ['notes.csv', asCsv],
  ['notes.json', asArray],
  ['notes.ndjson', asNdjson],
])('what is written to %s is read back equal, each row on its line', async (file, write) => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), style, async (rows, chosen) => {
      const accounts = [...new Set(['A', ...rows.map((each) => each[key])])];
      const { text, lines } = write(rows, chosen);
      const root = directoryWith({
        'accounts.ndjson': accounts.map((number) => JSON.stringify({ [key]: number })).join('\n'),
        [file]: Buffer.from(chosen.mark + text, chosen.encoding),
      });
      // An unmarked UTF-16 file is recognised by its first character, which must be a plain one.
      const encoding = chosen.encoding === 'utf8' ? 'utf-8' : 'utf-16le';
      const found = await readAll(root, [table('accounts.ndjson'), table(file, { encoding })]);

      expect(found.faults).toEqual([]);
      expect(found.accounts).toBe(accounts.length);
      const records: SourceRecord[] = [];
      for (const bundle of found.bundles.values()) {
        expect(bundle.problems).toEqual([]);
        const own = bundle.records('notes');
        expect(own.map(({ fields }) => fields)).toEqual(rows.filter((each) => each[key] === bundle.account));
        records.push(...own);
      }
      expect(records.map(({ line }) => line).sort((a, b) => a - b)).toEqual(lines);
      // A line end within a value is written out in CSV, and escaped in JSON.
      for (const record of records) expect(record.cell(key).line).toBeGreaterThanOrEqual(record.line);
    }),
    { numRuns: 150 },
  );
});
