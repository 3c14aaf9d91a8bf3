import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsvRows } from '../../src/source/formats/csv/rows.ts';
import { readJsonArray } from '../../src/source/formats/json/array.ts';
import { readNdjson } from '../../src/source/formats/json/ndjson.ts';
import type { Row } from '../../src/source/row.ts';
import type { CsvTable } from '../../src/source/formats/csv/dialect.ts';
import type { FileTable } from '../../src/source/table.ts';
import type { TextBlock } from '../../src/source/text-block.ts';

const csv: CsvTable = {
  name: 'notes',
  file: 'notes.csv',
  role: 'child',
  key: 'k',
  format: 'csv',
  isFlat: true,
  columns: ['k', 'b', 'c'],
  positions: new Map([['k', 0]]),
  delimiter: ',',
  headerLine: 1,
  encoding: 'utf-8',
};
const json: FileTable = {
  name: 'notes',
  file: 'x',
  role: 'child',
  key: 'k',
  format: 'json',
  isFlat: false,
  encoding: 'utf-8',
};

type Reader = (blocks: AsyncIterable<TextBlock>) => AsyncIterable<readonly Row[]>;

/** Pieces that make sound and broken files of all kinds, long enough to have many of each. */
function text(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((chosen) => chosen.join(''));
}

/** Blocks that end anywhere but within CRLF; a wrong character is told of in its block. */
function* blocksOf(content: string, sizes: readonly number[]): Generator<TextBlock> {
  for (let at = 0, turn = 0; at < content.length; turn += 1) {
    let end = at + (sizes[turn % sizes.length] ?? 1);
    while (content[end - 1] === '\r') end += 1;
    const block = content.slice(at, end);
    const bytes = Buffer.from(block);
    const invalid = [...block.matchAll(/\ufffd/g)].map((found) =>
      Buffer.byteLength(block.slice(0, found.index)),
    );
    yield { bytes, invalid };
    at = end;
  }
}

async function rowsOf(read: Reader, blocks: Iterable<TextBlock>): Promise<Row[]> {
  const rows: Row[] = [];
  // eslint-disable-next-line @typescript-eslint/require-await -- the reader takes what comes from a file
  const stream = async function* (): AsyncGenerator<TextBlock> {
    yield* blocks;
  };
  for await (const batch of read(stream())) rows.push(...batch.map(withCells));
  return rows;
}

function withCells(row: Row): Row {
  return 'body' in row && typeof row.body !== 'string' ? { ...row, body: [...row.body] } : row;
}

const csvTexts = text([
  'A',
  'B,',
  '"',
  '"',
  ',',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\ufffd',
  'A,x,y\n',
  'B,"x\ny",z\n',
  'A,"x,y\n',
  '\n\n',
]);

const cases: readonly (readonly [string, Reader, string, fc.Arbitrary<string>])[] = [
  ['CSV', (blocks) => readCsvRows(blocks, csv, {}), 'k,b,c\n', csvTexts],
  ['CSV, for its keys', (blocks) => readCsvRows(blocks, csv, { isForKeys: true }), 'k,b,c\n', csvTexts],
  [
    'JSON',
    (blocks) => readJsonArray(blocks, json),
    '[',
    text([
      '{"k":"A"},',
      '{"k":"B","b":[{}]},\n',
      '{"k":"C"',
      '"',
      '\\',
      '[',
      ']',
      '{',
      '}',
      ',',
      '1',
      '\r\n',
      '\n',
      '\ufffd',
    ]),
  ],
  [
    'NDJSON',
    (blocks) => readNdjson(blocks, { ...json, format: 'ndjson' }),
    '',
    text(['{"k":"A"}\n', '{"k":"B","b":[{}]}\r\n', '{"k":"C"', '"', '\\', '}', ' ', '1', '\n', '\ufffd']),
  ],
];

test.each(cases)(
  'however %s is broken, what is read does not depend on where its blocks end',
  async (_name, read, start, content) => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (rest, sizes) => {
          const whole = await rowsOf(read, blocksOf(start + rest, [Infinity]));
          expect(await rowsOf(read, blocksOf(start + rest, sizes))).toEqual(whole);
        },
      ),
      { numRuns: 400 },
    );
  },
);
