import { isAscii } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import type { Cell } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Table, TableSpec } from '../export.ts';
import { exportProblem, fileProblem } from '../fault.ts';
import { CutShort } from '../file-bytes.ts';
import { parseFileName } from '../file-name.ts';
import { findEncoding, type FoundEncoding } from '../find-encoding.ts';
import { lastLineEnd, lineEndsIn } from '../physical-lines.ts';
import type { StoredFile } from '../places/place.ts';
import type { Row } from '../row.ts';
import type { FileTable } from '../table.ts';
import type { TextBlock } from '../text-block.ts';
import { joined, readText } from '../text-blocks.ts';
import { sampleRows, type CopiedFile, type Format, type RowOptions, type Sample } from './format.ts';

/** A table's description, with the encoding of the file at hand. */
export interface FoundFile extends Omit<TableSpec, 'origin'> {
  readonly encoding: string;
  readonly isEncodingGuess?: true;
  readonly looksLikeUtf8?: true;
  /** Encodings that fit its bytes, as text. */
  readonly fitting?: string;
}

/** How the text of a file is read; blocks are UTF-8. */
interface TextReading<Read extends FileTable> {
  open(blocks: AsyncIterable<TextBlock>, found: FoundFile): Promise<Read | { readonly problem: Problem }>;
  rows(
    blocks: AsyncIterable<TextBlock>,
    table: Read,
    options: RowOptions,
  ): AsyncGenerator<readonly Row[], void, undefined>;
  /** Guesses from a file's first lines. */
  sample(start: Buffer): Omit<Sample, 'encoding'>;
  /** The bytes of a file with the rows that have a reason. */
  copied(tables: readonly [CopiedFile<Read>, ...CopiedFile<Read>[]]): AsyncGenerator<Buffer, void, undefined>;
}

/** What the formats of text files have in common: encodings, compression, and that a file may be cut short. */
export function textFormat<Read extends FileTable>(
  reading: TextReading<Read>,
): Pick<Format<Read>, 'open' | 'rows' | 'samples' | 'copy' | 'place'> {
  return {
    async open({ origin, ...spec }, { stored, findEncoding: find, ...options }) {
      if (spec.sheet !== undefined) return { problem: sheetOfText(spec.file, origin) };
      const read = await find(stored, spec.encoding, options);
      const { name: encoding, isGuess, looksLikeUtf8 } = read;
      if (read.undecided !== undefined)
        return { problem: (await noText(spec.file, stored)) ?? undecided(spec.file, read, read.undecided) };
      const guess = isGuess ? { isEncodingGuess: true as const } : {};
      const fitting = fittingText(read.fitting);
      const found = {
        ...{ ...spec, encoding, ...guess },
        ...(looksLikeUtf8 ? { looksLikeUtf8 } : {}),
        ...(fitting === undefined ? {} : { fitting }),
      };
      const opened = await reading.open(readText(stored, encoding, options), found);
      return 'problem' in opened ? { problem: (await noText(spec.file, stored)) ?? opened.problem } : opened;
    },

    async *rows({ table, stored }, options) {
      const isCompressed = parseFileName(stored.path).compression !== undefined;
      const isWithin = options.fromLine !== undefined;
      let line = options.fromLine ?? 1;
      const blocks = async function* (): AsyncGenerator<TextBlock, void, undefined> {
        for await (const block of readText(stored, table.encoding, { ...options, isWithin })) {
          yield block;
          if (isCompressed) line += lineEndsIn(block.bytes, 0, block.bytes.length);
        }
      };
      try {
        yield* reading.rows(blocks(), table, options);
      } catch (error) {
        if (!(error instanceof CutShort)) throw error;
        const detail = `The file ${error.message} The rest was not read.`;
        yield [{ line, column: '', code: error.code, detail, isCutOff: true }];
      }
    },

    place: ({ file }, line, column) => ({ file, line, column }),

    async samples(stored, stated) {
      const found = await findEncoding(stored, stated);
      const [only, another] = found.fitting ?? [];
      const fitting = another === undefined ? only?.name : undefined;
      const { name: encoding, isGuess, likely } = fitting === undefined ? found : { name: fitting, isGuess: true, likely: undefined }; // prettier-ignore
      const { start, isWhole } = await startOf(stored, encoding);
      const isSame = encoding === 'utf-8' && isWhole && isAscii(start);
      const guess = isGuess ? { isEncodingGuess: true as const, likelyEncoding: likely } : {};
      const sample = reading.sample(start);
      const isAll = isWhole && sample.rows.length < sampleRows;
      return [{ ...(isSame ? {} : { encoding, ...guess }), ...sample, isWhole: isAll }];
    },

    async copy(tables, target) {
      const source = Readable.from(reading.copied(tables));
      const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
      const compressor = compressorOf(tables[0].file.stored.path);
      await (compressor === undefined ? pipeline(source, file) : pipeline(source, compressor, file));
    },
  };
}

/** How files begin, in windows-1252, that are named as a text, and are none. */
const beginnings: readonly (readonly [start: string, what: string])[] = [
  ['\x1f\u2039', 'compressed with gzip'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd'],
  ['PK\x03\x04', 'a ZIP archive or a workbook'],
  ['\xd0\xcf\x11\xe0', 'an old workbook, or another document of Office'],
  ['PAR1', 'a Parquet file'],
  ['SQLite format 3\0', 'a SQLite database'],
];

/** The problem of a file that is something else than a text; undefined if it may be one. */
async function noText(file: string, stored: StoredFile): Promise<Problem | undefined> {
  for await (const { bytes } of readText(stored, 'windows-1252')) {
    const start = bytes.toString('utf8', 0, 64);
    const what = beginnings.find(([signature]) => start.startsWith(signature))?.[1];
    if (what === undefined) return undefined;
    const detail = `${file} is ${what}, and no text. Correct its name, or export it again.`;
    return fileProblem('damaged_file', file, detail, 1);
  }
  return undefined;
}

/** Only a person can tell what the words say. */
function undecided(
  file: string,
  { name, likely = '' }: FoundEncoding,
  { line, readings: [one, other] }: NonNullable<FoundEncoding['undecided']>,
): Problem {
  return fileProblem(
    'undecided_encoding',
    file,
    `${file} may be in ${name} (${one}) or in ${likely} (${other}), and its words do not decide. ` +
      `Set the one that is right: encoding: ${name} or encoding: ${likely} in the mapping, or --encoding.`,
    line,
  );
}

/** The encodings that fit a file's bytes, each with a word of it. */
function fittingText(fitting: FoundEncoding['fitting'] = []): string | undefined {
  if (fitting.length === 0) return undefined;
  return fitting.map(({ name, example }) => `${name} (${example})`).join(' or ');
}

function sheetOfText(file: string, origin: Cell | undefined): Problem {
  const detail = `${file} is a text file, and only a workbook (.xlsx) has sheets. Remove sheet, or name the workbook.`;
  return exportProblem('unknown_sheet', detail, origin ?? { file, line: 1, column: '' });
}

const sampleSize = 1024 * 1024;

/** Whole lines, in UTF-8. */
async function startOf(file: StoredFile, encoding: string) {
  let start: Buffer = Buffer.alloc(0);
  for await (const block of readText(file, encoding)) {
    start = joined(start, block.bytes);
    if (start.length > sampleSize) return { start: start.subarray(0, lastLineEnd(start)), isWhole: false };
  }
  return { start, isWhole: true };
}

function compressorOf(path: string): NodeJS.ReadWriteStream | undefined {
  const { compression } = parseFileName(path);
  if (compression === undefined) return undefined;
  if (compression === 'gzip') return zlib.createGzip();
  const create: unknown = Reflect.get(zlib, 'createZstdCompress');
  // A Node that can read such a file can also write one.
  return typeof create === 'function'
    ? (Reflect.apply(create, zlib, []) as NodeJS.ReadWriteStream)
    : undefined;
}

export function encodingText({ encoding = '', isEncodingGuess }: Table): string {
  return isEncodingGuess === true ? `${encoding} (a guess)` : encoding;
}
