import { definedFields } from '../../../domain/defined-fields.ts';
import type { Problem } from '../../../domain/problem.ts';
import { meantRemedy, nearest, spelledAs } from '../../../domain/nearest.ts';
import { parseCsv } from './parsing.ts';
import { longestRow } from './dialect.ts';
import type { TableSpec } from '../../export.ts';
import { headerIsRow } from '../../header-data.ts';
import { encodingRemedy } from '../../table.ts';
import { fileProblem } from '../../fault.ts';
import { lastLineEnd, lineEndsIn, nextLine } from '../../physical-lines.ts';
import type { TextBlock } from '../../text-block.ts';
import { joined } from '../../text-blocks.ts';

interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** The key column as spelled in this file. */
  readonly key: string;
  /** The line on which it starts, from 1. */
  readonly headerLine: number;
  /** Whether the file has none: the mapping names the columns, and the line is that of the first row. */
  readonly isNamed?: true;
  /** The lines above it that look like rows, which are not read. */
  readonly rowsAbove?: readonly number[];
}

/** The header with one of the delimiters. */
interface CsvHeaderGuess extends Pick<CsvHeader, 'columns' | 'delimiter'> {
  readonly key: string | undefined;
  /** Where its line begins. */
  readonly start: number;
}

export const delimiters = [',', ';', '\t', '|'];

/** The header is among this many lines: titles may be above it, and a line that states the delimiter. */
export const headerLines = 200;

/** A longer one is a row with an open quote. */
const linesOfHeader = 50;

/**
 * Reads the header: the first row that has the key column, otherwise the first line that is neither blank nor a comment. If no delimiter
 * is set, it is the one with which a row has the key column, then the one that gives most columns.
 */
export async function readHeader(
  blocks: AsyncIterable<TextBlock>,
  spec: TableSpec & { readonly fitting?: string },
): Promise<CsvHeader | { readonly problem: Problem }> {
  const problem = (code: string, detail: string, column = '', line = 1): { problem: Problem } => ({
    problem: fileProblem(code, spec.file, detail, line, column),
  });
  const text = await startOfText(blocks, spec);
  if (text === undefined)
    return problem(
      'no_header',
      `${spec.file} is empty: it has not even a header. Export it again. If there is nothing in it, give it a header with the column '${spec.key}', or remove the table from the mapping.`,
    );
  const { bytes } = text;
  if (spec.names !== undefined) return namedHeader(bytes, text.start, { ...spec, names: spec.names });
  const lineOf = (start: number): number => 1 + lineEndsIn(bytes, 0, start);
  const header = text.header ?? best(headersAt(bytes, text.start, spec));
  if (header === undefined)
    return problem(
      bytes.length > longestRow ? 'record_too_long' : 'wrong_quoting',
      `The header of ${spec.file} cannot be read: its quotes are not closed correctly. Correct the line.`,
      '',
      lineOf(text.start),
    );
  const line = lineOf(header.start);
  const end = nextLine(bytes, header.start) ?? bytes.length;
  if (text.invalid.some((at) => at >= header.start && at < end))
    return problem(
      'invalid_encoding',
      `The header of ${spec.file} has a byte that is not ${spec.encoding ?? 'UTF-8'}. ${encodingRemedy(spec)}.`,
      '',
      line,
    );
  const below = nextLine(bytes, header.start);
  const row = below === undefined ? undefined : rowAt(bytes, below, { ...spec, delimiter: header.delimiter });
  if (header.key !== undefined && headerIsRow(header.columns, header.key, row))
    return problem(
      'header_is_data',
      `The header of ${spec.file} looks like a row of data, so the file seems to have no header, and this row would be lost. Name its columns in the mapping, in their order (columns: [number, name, ...]), and take one of them as the key.`,
      '',
      line,
    );
  const names = new Set<string>();
  const repeated = header.columns.find((name) => names.size === names.add(name).size);
  if (repeated !== undefined)
    return problem(
      'repeated_column',
      `The header of ${spec.file} has the name '${repeated}' twice. Give each column its own name.`,
      repeated,
      line,
    );
  const { columns, delimiter, key } = header;
  if (key !== undefined) {
    const rowsAbove = rowsBefore(bytes, text.start, header, spec).map(lineOf);
    return definedFields({
      ...{ columns, delimiter, key, headerLine: line },
      rowsAbove: rowsAbove.length === 0 ? undefined : rowsAbove,
    });
  }
  return problem(
    'missing_key_column',
    `${spec.file} has no column '${spec.key}', which contains the account number. ${keyRemedy(spec, columns)}`,
    spec.key,
    line,
  );
}

/** What a mapping says in place of a header; the row at `start` is the first one. */
function namedHeader(
  bytes: Buffer,
  start: number,
  spec: TableSpec & { readonly names: readonly string[] },
): CsvHeader | { readonly problem: Problem } {
  const { names, file } = spec;
  const stated = spec.delimiter ?? statedDelimiter(bytes)?.delimiter;
  const rows = headersAt(bytes, start, stated === undefined ? spec : { ...spec, delimiter: stated });
  const row = rows.find(({ columns }) => columns.length === names.length) ?? best(rows);
  const line = 1 + lineEndsIn(bytes, 0, start);
  if (row !== undefined && row.columns.length !== names.length)
    return {
      problem: fileProblem(
        'wrong_number_of_cells',
        file,
        `The mapping names ${names.length} columns of ${file}, and its first row has ${row.columns.length}. Name each column under columns, in the order of the file.`,
        line,
      ),
    };
  const key = spelledAs(spec.key, names);
  if (key === undefined)
    return {
      problem: fileProblem(
        'missing_key_column',
        file,
        `The mapping names no column '${spec.key}' of ${file}, which contains the account number. ${keyRemedy(spec, names)}`,
        line,
      ),
    };
  return { columns: names, delimiter: row?.delimiter ?? ',', key, headerLine: line, isNamed: true };
}

function keyRemedy({ key, delimiter }: TableSpec, columns: readonly string[]): string {
  if (delimiter !== undefined && columns.length === 1)
    return `The header does not contain the given delimiter ${JSON.stringify(delimiter)}: check that first.`;
  if (spelledAs(`'${key}'`, columns) !== undefined)
    return `Its cells are in single quotes. Set quote: "'" in the mapping.`;
  const meant = nearest(key, columns);
  return meant === undefined ? 'Add it, or name the right column.' : meantRemedy(key, meant, "'");
}

function best(headers: readonly CsvHeaderGuess[]): CsvHeaderGuess | undefined {
  return [...headers].sort((a, b) => score(b) - score(a))[0];
}

function score({ columns, key }: CsvHeaderGuess): number {
  return columns.length + (key === undefined ? 0 : 1_000_000_000);
}

interface StartOfText {
  readonly bytes: Buffer;
  /** Where the first line begins that is neither blank nor a comment, nor states the delimiter. */
  readonly start: number;
  /** The row that has the key column; absent if there is none. */
  readonly header?: CsvHeaderGuess | undefined;
  readonly invalid: readonly number[];
}

/** Reads until the header is complete, which may be several lines; undefined if there is none. */
async function startOfText(
  blocks: AsyncIterable<TextBlock>,
  spec: TableSpec,
): Promise<StartOfText | undefined> {
  let window: Buffer = Buffer.alloc(0);
  const invalid: number[] = [];
  for await (const block of blocks) {
    for (const at of block.invalid) invalid.push(window.length + at);
    window = joined(window, block.bytes);
    const { start, header, isSearched } = search(window.subarray(0, lastLineEnd(window)), spec, false);
    if (start !== undefined && (header !== undefined || isSearched))
      return { bytes: window, start, header, invalid };
    if (window.length > longestRow) break;
  }
  const { start, header } = search(window, spec, true);
  return start === undefined ? undefined : { bytes: window, start, header, invalid };
}

/** Looks for the row with the key column among the first lines. */
function search(
  bytes: Buffer,
  spec: TableSpec,
  isWhole: boolean,
): { readonly start?: number; readonly header?: CsvHeaderGuess; readonly isSearched: boolean } {
  const stated = statedDelimiter(bytes);
  const start = textStart(bytes, stated?.end ?? 0, spec.comment);
  if (start === undefined) return { isSearched: false };
  const asked =
    spec.delimiter === undefined && stated !== undefined ? { ...spec, delimiter: stated.delimiter } : spec;
  const found = withKey(bytes, start, asked);
  const isEnded = found.isSearched || isWhole;
  const isDelimited = asked.delimiter !== undefined || found.header !== undefined || !isEnded;
  return { start, ...(isDelimited ? found : withKey(bytes, start, { ...asked, delimiter: ' ' }, true)) };
}

/** The first row with the key column, of which the next row `isAlike`. */
function withKey(
  bytes: Buffer,
  start: number,
  asked: TableSpec,
  isAlike = false,
): { readonly header?: CsvHeaderGuess; readonly isSearched: boolean } {
  let at: number | undefined = start;
  for (let line = 0; at !== undefined && line < headerLines; line += 1) {
    const header = best(headersAt(bytes, at, asked).filter(({ key }) => key !== undefined));
    const next = nextLine(bytes, at);
    if (header !== undefined && (!isAlike || isLike(bytes, next, header, asked)))
      return { header, isSearched: true };
    at = next === undefined ? undefined : textStart(bytes, next, asked.comment);
  }
  return { isSearched: at !== undefined };
}

/** Whether a row has as many cells as the header. */
function isLike(
  bytes: Buffer,
  at: number | undefined,
  { columns }: CsvHeaderGuess,
  spec: TableSpec,
): boolean {
  return (
    at !== undefined && columns.length > 1 && headersAt(bytes, at, spec)[0]?.columns.length === columns.length
  );
}

/** What the row at a place is with each of the delimiters. */
function headersAt(bytes: Buffer, start: number, spec: TableSpec): readonly CsvHeaderGuess[] {
  return (spec.delimiter === undefined ? delimiters : [spec.delimiter]).flatMap((delimiter) => {
    const cells = rowAt(bytes, start, { ...spec, delimiter });
    const columns = cells?.map((name) => (spec.trim === true ? name.trim() : name));
    return columns === undefined ? [] : [{ columns, delimiter, key: spelledAs(spec.key, columns), start }];
  });
}

/** The cells of the row at a place, which has several lines if a quote is open; undefined if it cannot be read. */
function rowAt(
  bytes: Buffer,
  start: number,
  asked: TableSpec & { readonly delimiter: string },
): readonly string[] | undefined {
  let end = start;
  for (let line = 0; line < linesOfHeader && end < bytes.length; line += 1) {
    end = nextLine(bytes, end) ?? bytes.length;
    const { records, wrong } = parseCsv(bytes.subarray(start, end), asked, 1);
    if (wrong?.isOpen !== true) return records[0] && [...records[0].cells];
  }
  return undefined;
}

/** The rows above the header that have as many cells as it has, and one in the key's column. */
function rowsBefore(
  bytes: Buffer,
  from: number,
  { columns, key = '', delimiter, start }: CsvHeaderGuess,
  spec: TableSpec,
): number[] {
  const found: number[] = [];
  for (let at: number | undefined = from; at !== undefined && at < start; at = nextLine(bytes, at)) {
    const [row] = headersAt(bytes, at, { ...spec, delimiter });
    const number = row?.columns[columns.indexOf(key)] ?? '';
    if (row?.columns.length === columns.length && number.trim() !== '') found.push(at);
  }
  return found;
}

/** The first line as spreadsheets understand it: `sep=;`. */
export function statedDelimiter(
  bytes: Buffer,
): { readonly delimiter: string; readonly end: number } | undefined {
  const end = nextLine(bytes, 0);
  if (end === undefined || end > 16) return undefined;
  const [, delimiter] = /^"?sep=([^"\r\n])"?[\r\n]+$/i.exec(bytes.toString('utf8', 0, end)) ?? [];
  return delimiter === undefined ? undefined : { delimiter, end };
}

/** The start of the first line from `from` on that is neither blank nor a comment. */
function textStart(bytes: Buffer, from: number, comment: string | undefined): number | undefined {
  let at = from;
  while (at < bytes.length) {
    const next = nextLine(bytes, at) ?? bytes.length;
    const line = bytes.toString('utf8', at, next);
    const isComment = comment !== undefined && line.startsWith(comment);
    if (!isComment && line.trim() !== '') return at;
    at = next;
  }
  return undefined;
}
