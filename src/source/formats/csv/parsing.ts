import type * as library from 'csv-parse/sync';
import { lazily, load } from '../../../domain/lazily.ts';
import { longestRow, type CsvDialect, type CsvParsing, type CsvRecord } from './dialect.ts';
import { lineEndsInText, nextLine, withoutLineEnds } from '../../physical-lines.ts';
import { withoutFormula, withoutFormulas } from './formula-texts.ts';
import { exchanged, isOtherQuote, parseOtherQuote } from './other-quote.ts';
import { parsePlainCsv } from './plain.ts';

const csvParse = lazily(() => load('csv-parse/sync') as typeof library);
const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;

/**
 * Parses whole rows (RFC 4180, any line ends), at most the given number; empty lines and comments give none. `keyCell`: the
 * only cell that most rows are asked for; the bytes must stay as they are then.
 */
export function parseCsv(
  written: Buffer,
  dialect: CsvDialect,
  most = Infinity,
  keyCell?: number,
): CsvParsing {
  if (isOtherQuote(dialect))
    return parseOtherQuote(written, dialect, (swapped, other) => parseCsv(swapped, other, most));
  const { escape, quote: own } = dialect;
  const plain = parsePlainCsv(written, dialect, most, keyCell);
  // Stryker disable next-line ConditionalExpression: the parser finds the same, later
  if (plain !== undefined) return plain;
  const doubled = escape === undefined ? written : withDoubledQuotes(written, escape);
  const formulas = own === '' ? unquotedFormulas(doubled) : withoutFormulas(doubled, dialect);
  const bytes = formulas?.bytes ?? doubled;
  const records = (count: number): CsvRecord[] => {
    const rows = parsed(bytes, dialect, count);
    return placed(formulas === undefined ? rows : rows.map(formulas.texts), bytes, dialect);
  };
  try {
    return { records: records(most) };
  } catch (error) {
    // Stryker disable next-line ConditionalExpression: the parser throws no other
    if (!(error instanceof csvParse().CsvError)) throw error;
    // On an error the parser returns none of the records before it, only their number.
    const sound = records(Number(error['records']));
    const start = recordStart(bytes, sound.at(-1)?.end ?? 0, dialect);
    // Stryker disable next-line ObjectLiteral: without quotes only a long row is refused
    const quoted = own === '' ? { at: start, isOpen: false } : wrongQuote(bytes, start, dialect);
    const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE' && !quoted.isOpen;
    const wrong = isTooLong ? { at: start, isOpen: false } : quoted;
    return { records: sound, wrong: { start, ...wrong, cell: isTooLong ? 0 : Number(error['column']) } };
  }
}

function parsed(
  bytes: Buffer,
  { delimiter, quote: own, escape, comment, trim }: CsvDialect,
  most: number,
): readonly string[][] {
  if (most === 0) return [];
  return csvParse().parse(bytes, {
    delimiter,
    record_delimiter: bytes.includes(carriageReturn) ? ['\r\n', '\n', '\r'] : '\n',
    quote: own === '' ? false : '"',
    relax_column_count: true,
    skip_empty_lines: true,
    trim: trim ?? false,
    max_record_size: longestRow,
    cast: escape === undefined ? undefined : unescaped(escape),
    comment: comment ?? null,
    comment_no_infix: true,
    to: most === Infinity ? null : most,
  });
}

/** The texts of cells such as ="0017" in a file without quotes. */
function unquotedFormulas(bytes: Buffer): ReturnType<typeof withoutFormulas> {
  return { bytes, texts: (cells) => cells.map(withoutFormula) };
}

/** Finds the positions of the records. The parser could report them, but is much slower then. */
function placed(rows: readonly string[][], bytes: Buffer, dialect: CsvDialect): CsvRecord[] {
  let from = 0;
  // Stryker disable next-line UnaryOperator: see below
  let nextQuote = -1;
  return rows.map((cells) => {
    const start = recordStart(bytes, from, dialect);
    // Stryker disable next-line ConditionalExpression,EqualityOperator: saves a search
    if (nextQuote < start) nextQuote = bytes.indexOf(quote, start) >>> 0;
    let end = nextLine(bytes, start) ?? bytes.length;
    let lines = 1;
    // Without quotes it is one line.
    // Stryker disable next-line ConditionalExpression,EqualityOperator: saves time
    if (nextQuote < end) for (const cell of cells) lines += lineEndsInText(cell);
    for (let line = 1; line < lines; line += 1) end = nextLine(bytes, end) ?? bytes.length;
    from = end;
    return { cells, start, end, lines };
  });
}

/**
 * Doubles every escaped quote instead: the parser drops a custom escape before any character, and with it the
 * backslashes of a path. No position changes.
 */
function withDoubledQuotes(written: Buffer, escape: string): Buffer {
  const bytes = Buffer.from(written);
  const taking = escape.charCodeAt(0);
  for (let at = bytes.indexOf(taking); at >= 0; at = bytes.indexOf(taking, at)) {
    if (bytes[at + 1] === quote) bytes[at] = quote;
    // What follows begins no escape: it is escaped, or another character.
    at += 2;
  }
  return bytes;
}

/** Unescapes a quoted cell: a doubled escape stands for one. */
function unescaped(escape: string): (cell: string, context: { readonly quoting: boolean }) => string {
  return (cell, { quoting }) => (quoting ? cell.replaceAll(escape + escape, () => escape) : cell);
}

/** Where the next record begins, after empty lines and comments. */
function recordStart(bytes: Buffer, from: number, { delimiter, comment, trim }: CsvDialect): number {
  let at = from;
  // Stryker disable next-line EqualityOperator: a row follows
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === lineFeed || byte === carriageReturn) {
      at += 1;
      continue;
    }
    // Stryker disable next-line ConditionalExpression: saves time
    if (trim !== true && comment === undefined) break;
    const next = nextLine(bytes, at) ?? bytes.length;
    const line = bytes.toString('utf8', at, next);
    const text = trim === true ? line.trimStart() : line;
    // A delimiter, such as a tab, is not white space.
    if (line.slice(0, line.length - text.length).includes(delimiter)) break;
    if (text !== '' && (comment === undefined || !text.startsWith(comment))) break;
    at = next;
  }
  return at;
}

/** In the row that begins there: the opening quote of a cell that is not closed correctly, or a quote within an unquoted cell. */
function wrongQuote(bytes: Buffer, from: number, { delimiter, trim }: CsvDialect) {
  const separator = Buffer.from(delimiter);
  const last = separator.at(-1);
  const isSpace = (byte: number | undefined): boolean =>
    trim === true && byte !== last && (byte === 32 || byte === 9);
  let opened = -1;
  let isCellStart = true;
  // Stryker disable next-line EqualityOperator: no byte is behind the last
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (opened >= 0) {
      if (byte === quote && bytes[at + 1] === quote) at += 1;
      else if (byte === quote) {
        while (isSpace(bytes[at + 1])) at += 1;
        if (!separator.equals(bytes.subarray(at + 1, at + 1 + separator.length)))
          return { at: opened, isOpen: false };
        opened = -1;
      }
    } else if (byte === quote) {
      if (!isCellStart) return { at, isOpen: false };
      opened = at;
    } else if (byte === lineFeed || byte === carriageReturn) break;
    else if (!(isCellStart && isSpace(byte))) isCellStart = byte === last;
  }
  // Stryker disable next-line ObjectLiteral: a row without a wrong quote is too long
  return opened >= 0 ? { at: opened, isOpen: true } : { at: from, isOpen: false };
}

/** The cell of a row's key column, if a row that cannot be parsed still shows it. */
export function plainCell(line: string, dialect: CsvDialect, index: number): string | undefined {
  if (isOtherQuote(dialect)) {
    const { quote: own, ...other } = dialect;
    const cell = plainCell(exchanged(line, own), other, index);
    return cell === undefined ? undefined : exchanged(cell, own);
  }
  const { delimiter, escape } = dialect;
  const raw = line.split(delimiter)[index];
  if (raw === undefined) return undefined;
  const cell = withoutLineEnds(raw).replace(/^=?"(.*)"$/, '$1');
  if (cell.trim() === '' || cell.includes('"')) return undefined;
  return escape !== undefined && cell.includes(escape) ? undefined : cell;
}
