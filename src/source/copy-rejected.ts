import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Sqlite } from '../sqlite/open-database.ts';
import type { ExportUnreadable, TableSpec } from './export.ts';
import { readBytes } from './file-bytes.ts';
import { parseFileName } from './file-name.ts';
import { Links } from './links.ts';
import { unreadableFile, type OpenedFile } from './open-file.ts';
import { openTables } from './open-tables.ts';
import { lineEndsInText } from './physical-lines.ts';
import { rawBytes, RawLines } from './raw-text.ts';
import { readRows } from './read-rows.ts';
import { headerWithReason, recordWithReason, rowWithReason, withoutBlankLines } from './reason-cell.ts';
import type { Row } from './row.ts';
import type { FileTable } from './table.ts';

type ReasonOf = (account: string) => string | undefined;

/**
 * Writes the rows of an export whose accounts have a reason into a directory, each with the reason in a last column
 * or member: the rows unchanged, sound or not, in files of the same names, with the same header, delimiter, encoding
 * and compression. Every file of the export is written, even without any such row, so that the directory is an export
 * of the same shape. The directory must exist and be empty.
 */
export async function copyRejected(
  root: string,
  specs: readonly TableSpec[],
  files: readonly string[],
  directory: string,
  reasonOf: ReasonOf,
): Promise<ExportUnreadable | undefined> {
  const opened = await openTables(root, specs, files);
  if ('problems' in opened) return opened;
  const all = opened.flat();
  const db = openTemporary();
  try {
    const links = await linksOf(all, db);
    if ('problems' in links) return links;
    for (const [position, file] of all.entries()) {
      const reason: ReasonOf = (key) =>
        links
          .accountsOf(key, position)
          .map(reasonOf)
          .find((found) => found !== undefined);
      const unreadable = await copyFile(file, directory, reason);
      if (unreadable !== undefined) return unreadable;
    }
    return undefined;
  } finally {
    db.close();
  }
}

/** Finds the accounts of rows that name them through other tables; or why a file cannot be read. */
async function linksOf(files: readonly OpenedFile[], db: Sqlite): Promise<Links | ExportUnreadable> {
  const links = new Links(
    db,
    files.map(({ table }) => table),
  );
  db.exec('BEGIN');
  for (const [position, file] of files.entries()) {
    if (!links.isTarget(position)) continue;
    try {
      for await (const batch of readRows(file, {}))
        for (const row of batch) if ('body' in row) links.add(row, position);
    } catch (error) {
      return { problems: [unreadableFile(error, file.table.file)] };
    }
  }
  links.resolve();
  return links;
}

async function copyFile(
  file: OpenedFile,
  directory: string,
  reasonOf: ReasonOf,
): Promise<ExportUnreadable | undefined> {
  try {
    const source = Readable.from(
      file.table.format === 'json' ? elements(file, reasonOf) : lines(file, reasonOf),
    );
    const copy = join(directory, file.table.file);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    const target = createWriteStream(copy, { flags: 'wx', mode: 0o600 });
    const compressor = compressorOf(file.path);
    await (compressor === undefined ? pipeline(source, target) : pipeline(source, compressor, target));
    return undefined;
  } catch (error) {
    return { problems: [unreadableFile(error, file.table.file)] };
  }
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

/** Copies the rejected rows of a file whose rows are whole lines, byte by byte. */
async function* lines(file: OpenedFile, reasonOf: ReasonOf): AsyncGenerator<Buffer, void, undefined> {
  const { table, path, state } = file;
  const raw = new RawLines(readBytes(path, { state }), table.encoding);
  try {
    let isHeaderGiven = table.format !== 'csv';
    for await (const { row, first, after } of spans(readRows(file, {}))) {
      if (!isHeaderGiven) yield header(await raw.upTo(first), table);
      isHeaderGiven = true;
      const reason = row.account === undefined ? undefined : reasonOf(row.account);
      if (reason === undefined) continue;
      await raw.skipTo(first);
      const text = await raw.upTo(after);
      yield rawBytes(withReason(text, row, table, reason), table.encoding);
    }
    if (!isHeaderGiven) yield header(await raw.upTo(Infinity), table);
  } finally {
    await raw.close();
  }
}

function header(text: string, table: FileTable): Buffer {
  const whole = table.format === 'csv' ? headerWithReason(text, table) : text;
  return rawBytes(whole, table.encoding);
}

function withReason(text: string, row: Row, table: FileTable, reason: string): string {
  if (table.format !== 'csv') return recordWithReason(text, reason);
  return rowWithReason('body' in row ? text : withoutBlankLines(text, table), table, reason);
}

interface Span {
  readonly row: Row;
  /** Its first line, and the line after its last. */
  readonly first: number;
  readonly after: number;
}

/** The lines of each row. An unreadable row has all lines up to the next row. */
async function* spans(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Span, void, undefined> {
  let last: (Omit<Span, 'after'> & { readonly after?: number }) | undefined;
  for await (const batch of batches)
    for (const row of batch) {
      const first = 'body' in row ? row.line : (row.first ?? row.line);
      if (last !== undefined) yield { ...last, after: last.after ?? first };
      const after = afterOf(row);
      last = { row, first, ...(after === undefined ? {} : { after }) };
    }
  if (last !== undefined) yield { ...last, after: last.after ?? Infinity };
}

function afterOf(row: Row): number | undefined {
  if (!('body' in row)) return undefined;
  if (typeof row.body === 'string') return row.line + 1;
  return [...row.body].reduce((line, cell) => line + lineEndsInText(cell), row.line + 1);
}

/** A JSON array of the rejected elements, each unchanged. */
async function* elements(file: OpenedFile, reasonOf: ReasonOf): AsyncGenerator<Buffer, void, undefined> {
  const { encoding } = file.table;
  let before = '[\n';
  for await (const batch of readRows(file, {}))
    for (const row of batch) {
      const text = 'body' in row ? row.body : row.text;
      const reason = row.account === undefined ? undefined : reasonOf(row.account);
      if (reason === undefined || typeof text !== 'string') continue;
      const isDamaged = 'code' in row && row.code === 'invalid_encoding';
      yield encoded(before + recordWithReason(text, reason), encoding, isDamaged);
      before = ',\n';
    }
  yield encoded(before === '[\n' ? '[]\n' : '\n]\n', encoding);
}

/**
 * Characters that are not ASCII are within strings, so escapes can replace them in an encoding that lacks them. An
 * invalid byte must not become a valid one: another invalid byte replaces it.
 */
function encoded(text: string, encoding: string, isDamaged = false): Buffer {
  const isUtf16 = encoding.startsWith('utf-16');
  const wrong = isUtf16
    ? rawBytes('\ud800', encoding)
    : Buffer.from([encoding === 'windows-1252' ? 0x81 : 0xff]);
  const pieces = isDamaged ? text.split('\ufffd') : [text];
  return Buffer.concat(
    pieces.flatMap((piece, at) => {
      const bytes = isUtf16
        ? rawBytes(piece, encoding)
        : Buffer.from(encoding === 'utf-8' ? piece : escaped(piece));
      return at === 0 ? [bytes] : [wrong, bytes];
    }),
  );
}

function escaped(text: string): string {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
