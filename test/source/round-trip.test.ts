import { gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directoryWith, key, readAll, table } from './temporary-export.ts';
import { bytesOf, beyondLatin1 } from './western-bytes.ts';

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15'] as const;

/** Everything that can be chosen about how a file is written. */
const style = fc.record({
  format: fc.constantFrom('csv' as const, 'json' as const, 'ndjson' as const),
  encoding: fc.constantFrom(...encodings),
  mark: fc.boolean(),
  stated: fc.boolean(),
  compression: fc.constantFrom<string[]>('', '.gz', ...('zstdCompressSync' in zlib ? ['.zst'] : [])),
  parts: fc.integer({ min: 1, max: 3 }),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  lastEnd: fc.boolean(),
  blankLines: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quoteAll: fc.boolean(),
  escape: fc.constantFrom('"', '\\'),
  comment: fc.option(fc.constantFrom('#', '//')),
  casing: fc.constantFrom('as it is', 'upper', 'lower'),
  columnsReversed: fc.boolean(),
  indent: fc.constantFrom(0, 2),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

const isUnicode = ({ encoding }: Style): boolean => encoding.startsWith('utf');

/** Characters that have a meaning in some format, and some that every encoding here writes in its own way. */
const special = [
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
  '\\"',
  '#',
  '//',
  '{',
  ']',
  '\u001f',
  '\u001e',
];
const piecesOf: Readonly<Record<(typeof encodings)[number], fc.Arbitrary<string>>> = {
  'utf-8': unicode(),
  'utf-16le': unicode(),
  'utf-16be': unicode(),
  'windows-1252': western('windows-1252'),
  'iso-8859-15': western('iso-8859-15'),
};

function unicode(): fc.Arbitrary<string> {
  // A NUL is refused in JSON.
  const text = fc.string({ unit: 'binary', maxLength: 3 }).filter((piece) => !piece.includes('\0'));
  const odd = ['€', 'ß', '\ufeff', '\ufffd', '\u{1f600}', '\u2028', '\u00a0'];
  return fc.oneof(fc.constantFrom(...special, ...odd), text);
}

function western(encoding: keyof typeof beyondLatin1): fc.Arbitrary<string> {
  return fc.constantFrom(...special, 'a', 'Z', '0', 'é', 'ÿ', ...Object.keys(beyondLatin1[encoding]));
}

const cell = (of: Style): fc.Arbitrary<string> =>
  fc.array(piecesOf[of.encoding], { maxLength: 6 }).map((pieces) => pieces.join(''));

/** What has another meaning in one of the encodings is no part of account numbers, which all files have. */
const account = fc
  .string({ unit: fc.constantFrom('A', '1', '-', '"', ',', ' ', '\n', '#', 'ß'), minLength: 1, maxLength: 6 })
  .filter((text) => text.trim() !== '' && text.trim() === text && !text.includes('\n'));

const columns = [key, 'a.b', ' "odd",\n'];
type Row = Readonly<Record<string, string>>;
type Files = Readonly<Record<string, Buffer>>;

const rowsOf = (of: Style, accounts: fc.Arbitrary<string>): fc.Arbitrary<Row> =>
  fc.record(Object.fromEntries(columns.map((name) => [name, name === key ? accounts : cell(of)])));

const written = fc.tuple(style, style).chain(([of, ofNotes]) =>
  fc.record({
    accounts: fc.uniqueArray(rowsOf(of, account), {
      selector: (row) => row[key],
      minLength: 1,
      maxLength: 8,
    }),
    notes: fc.array(rowsOf(ofNotes, account), { maxLength: 12 }),
    of: fc.constant(of),
    ofNotes: fc.constant(ofNotes),
  }),
);

/** A file, and the line on which each of its rows starts. */
interface Written {
  readonly text: string;
  readonly lines: readonly number[];
}

const lineAfter = (text: string): number => 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);

function spelled(name: string, { casing }: Style): string {
  return casing === 'upper' ? name.toUpperCase() : casing === 'lower' ? name.toLowerCase() : name;
}

const writers: Readonly<Record<Style['format'], (rows: readonly Row[], of: Style) => Written>> = {
  csv(rows, of) {
    const { delimiter, end, escape, comment, blankLines, lastEnd } = of;
    const names = of.columnsReversed ? [...columns].reverse() : columns;
    const quoted = (text: string): string => {
      const isPlain = text !== '' && !/["\r\n\\]/.test(text) && !text.includes(delimiter);
      if (isPlain && !of.quoteAll && !(comment !== null && text.startsWith(comment))) return text;
      const escaped = escape === '"' ? text : text.replaceAll('\\', '\\\\');
      return `"${escaped.replaceAll('"', `${escape}"`)}"`;
    };
    const between = `${blankLines ? `${end}  ${end}` : ''}${comment === null ? '' : `${comment}, "${end}`}`;
    let text = `${between}${names.map((name) => quoted(spelled(name, of))).join(delimiter)}`;
    const lines: number[] = [];
    for (const row of rows) {
      text += `${end}${between}`;
      lines.push(lineAfter(text));
      text += names.map((name) => quoted(row[name] ?? '')).join(delimiter);
    }
    return { text: lastEnd ? `${text}${end}` : text, lines };
  },
  json(rows, { end, indent }) {
    let text = '[';
    const lines: number[] = [];
    for (const [at, row] of rows.entries()) {
      text += `${at > 0 ? ',' : ''}${indent > 0 ? end : ''}`;
      lines.push(lineAfter(text));
      text += JSON.stringify(row, null, indent).replaceAll('\n', end);
    }
    return { text: `${text}]`, lines };
  },
  ndjson(rows, { blankLines, lastEnd }) {
    const texts = rows.map((row) => JSON.stringify(row));
    const text = texts.join(blankLines ? '\n\n' : '\n');
    return { text: lastEnd ? `${text}\n` : text, lines: rows.map((_, at) => (blankLines ? 2 * at : at) + 1) };
  },
};

function encoded(text: string, of: Style): Buffer {
  const marked = of.mark ? `\ufeff${text}` : text;
  if (of.encoding === 'utf-8') return Buffer.from(marked);
  if (of.encoding === 'utf-16le') return Buffer.from(marked, 'utf16le');
  if (of.encoding === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16();
  return bytesOf(text, of.encoding);
}

function compressed(bytes: Buffer, { compression }: Style): Buffer {
  if (compression === '') return bytes;
  if (compression === '.gz') return gzipSync(bytes);
  const compress: unknown = Reflect.get(zlib, 'zstdCompressSync');
  return typeof compress === 'function' ? (Reflect.apply(compress, zlib, [bytes]) as Buffer) : bytes;
}

/** The files of a table, and the file and line of each of its rows. */
function filesOf(name: string, rows: readonly Row[], of: Style) {
  const size = Math.ceil(rows.length / of.parts) || 1;
  const parts = Array.from({ length: of.parts }, (_, at) => rows.slice(at * size, (at + 1) * size)).map(
    (part, at) => {
      const { text, lines } = writers[of.format](part, of);
      const file = `${name}${of.parts === 1 ? '' : `-${at + 1}`}.${of.format}${of.compression}`;
      return { file, bytes: compressed(encoded(text, of), of), lines };
    },
  );
  return {
    files: Object.fromEntries(parts.map(({ file, bytes }) => [file, bytes])),
    places: parts.flatMap(({ file, lines }) => lines.map((line) => `${file}:${line}`)),
  };
}

function tableOf(name: string, of: Style) {
  // What bytes alone cannot tell is stated; of an unmarked UTF-16 file the first character must be a plain one.
  const isStated = of.stated || !isUnicode(of);
  return table(`${name}.${of.format}`, {
    ...(isStated ? { encoding: of.encoding } : {}),
    ...(of.escape === '"' ? {} : { escape: of.escape }),
    ...(of.comment === null ? {} : { comment: of.comment }),
  });
}

/** A row with its place, for comparison; `of` is how its columns are spelled. */
function told(place: string, row: Row, of?: Style): string {
  const spelledAs = (name: string): string => (of?.format === 'csv' ? spelled(name, of) : name);
  expect(Object.keys(row)).toHaveLength(columns.length);
  return JSON.stringify([place, ...columns.map((name) => row[spelledAs(name)])]);
}

test('accounts written in any format are read back equal, each row at its place', async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ accounts, notes, of, ofNotes }) => {
      const tables = [
        { name: 'accounts', of, rows: accounts, ...filesOf('accounts', accounts, of) },
        { name: 'notes', of: ofNotes, rows: notes, ...filesOf('notes', notes, ofNotes) },
      ];
      const root = directoryWith(Object.assign({}, ...tables.map(({ files }) => files)) as Files);
      const found = await readAll(
        root,
        tables.map((each) => tableOf(each.name, each.of)),
      );

      const numbers = new Set(accounts.map((row) => row[key]));
      const orphans = notes.filter((row) => !numbers.has(row[key]));
      expect(found.faults.map(({ code }) => code)).toEqual(orphans.map(() => 'orphan_row'));
      const bundles = [...found.bundles.values()];
      expect(bundles.flatMap(({ problems }) => problems)).toEqual([]);
      for (const { name, of: style, rows, places } of tables) {
        const records = bundles.flatMap((bundle) => bundle.records(name));
        const read = records.map(({ table: { file }, line, fields }) =>
          told(`${file}:${line}`, fields as Row, style),
        );
        const meant = rows.flatMap((row, at) => (numbers.has(row[key]) ? [told(places[at] ?? '', row)] : []));
        expect(read.sort()).toEqual(meant.sort());
        // A line end within a value pushes the cells after it down.
        for (const record of records)
          expect(record.cell(record.table.key).line).toBeGreaterThanOrEqual(record.line);
      }
    }),
    { numRuns: 250 },
  );
});
