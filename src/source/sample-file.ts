import { isAscii } from 'node:buffer';
import { join } from 'node:path';
import { isJsonObject, numberText, parseJson, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';
import type { Problem } from '../domain/problem.ts';
import { parseCsv } from './csv-parsing.ts';
import type { TableFormat } from './export.ts';
import { formatOf } from './file-name.ts';
import { findEncoding } from './find-encoding.ts';
import { unreadableFile } from './open-file.ts';
import { lastLineEnd } from './physical-lines.ts';
import { joined, readText } from './text-blocks.ts';

/** The start of a data file, from which the rest is guessed. */
export interface FileSample {
  readonly file: string;
  readonly format: TableFormat;
  /** Absent if the sampled rows are the same in all usual encodings. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Column names (CSV) or dotted paths of plain values (JSON), in order of occurrence. */
  readonly columns: readonly string[];
  /** Texts by column. */
  readonly rows: readonly ReadonlyMap<string, string>[];
}

const sampleSize = 1024 * 1024;
const sampleRows = 1000;
const delimiters = [',', ';', '\t', '|'];

/** Reads the first rows of a file, as far as they can be read; a full reading reports their faults. */
export async function sampleFile(
  root: string,
  file: string,
): Promise<FileSample | { readonly problem: Problem }> {
  try {
    const path = join(root, file);
    const { name: encoding } = await findEncoding(path, undefined);
    const start = await startOf(path, encoding);
    const base = { file, ...(encoding === 'utf-8' && isAscii(start) ? {} : { encoding }) };
    const format = formatOf(file);
    if (format === 'csv') return { ...base, format, ...csvSample(start) };
    const records = format === 'json' ? arrayStart(start.toString()) : lineRecords(start);
    const rows = records.map((record) => new Map(plainValues(record, '')));
    return { ...base, format, rows, columns: [...new Set(rows.flatMap((row) => [...row.keys()]))] };
  } catch (error) {
    return { problem: unreadableFile(error, file) };
  }
}

/** Whole lines, in UTF-8. */
async function startOf(path: string, encoding: string): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const block of readText(path, encoding)) {
    bytes = joined(bytes, block.bytes);
    if (bytes.length > sampleSize) return bytes.subarray(0, lastLineEnd(bytes));
  }
  return bytes;
}

function csvSample(bytes: Buffer): Pick<FileSample, 'delimiter' | 'columns' | 'rows'> {
  const looks = delimiters.map((delimiter) => {
    const [header, ...rows] = parseCsv(bytes, { delimiter }, sampleRows + 1).records.map(({ cells }) => [
      ...cells,
    ]);
    const columns = header ?? [];
    const whole = rows.filter((cells) => cells.length === columns.length);
    const fit = rows.length === 0 ? 1 : whole.length / rows.length;
    return { delimiter, columns, whole, score: fit * columns.length };
  });
  const { delimiter, columns, whole } = looks.reduce((best, look) => (look.score > best.score ? look : best));
  return {
    delimiter,
    columns,
    rows: whole.map((cells) => new Map(columns.map((name, at) => [name, (cells[at] ?? '').trim()]))),
  };
}

function lineRecords(bytes: Buffer): JsonValue[] {
  const lines = bytes.toString().split('\n').slice(0, sampleRows);
  return lines.flatMap((line) => parsed(line) ?? []);
}

/** The elements of an array whose end may be missing: the complete ones, found from the end backwards. */
function arrayStart(text: string): JsonValue[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.slice(0, sampleRows);
  let end = text.length;
  for (let tries = 0; tries < 50; tries += 1) {
    end = text.lastIndexOf('}', end - 1);
    if (end === -1) break;
    const part = parsed(`${text.slice(0, end + 1)}]`);
    if (Array.isArray(part)) return part.slice(0, sampleRows);
  }
  return [];
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function* plainValues(value: JsonValue, path: string): Generator<[string, string]> {
  if (isJsonObject(value))
    for (const [name, field] of Object.entries(value)) yield* plainValues(field, joinPath(path, name));
  else if (!Array.isArray(value) && path !== '')
    yield [path, typeof value === 'boolean' ? String(value) : (numberText(value) ?? '')];
}
