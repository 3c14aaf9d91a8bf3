import { longestRow, type CsvDialect, type CsvRecord } from './csv-record.ts';
import { lineEndsInText, nextLine } from './physical-lines.ts';

const quote = 34;

/**
 * Takes whole rows apart that are written as RFC 4180 has it, in a quarter of the parser's time; undefined where
 * anything in them is not, and for a dialect that has escapes, comments or white space around quotes: such rows are
 * the parser's. At most so many; empty lines give none.
 */
export function plainRecords(bytes: Buffer, dialect: CsvDialect, most: number): CsvRecord[] | undefined {
  const { delimiter, escape, comment, trim } = dialect;
  if (escape !== undefined || comment !== undefined || trim === true || bytes.length > longestRow)
    return undefined;
  const text = bytes.toString();
  const isAscii = text.length === bytes.length;
  const records: CsvRecord[] = [];
  let [at, start] = [0, 0];
  while (at < text.length && records.length < most) {
    const row = plainRow(text, at, delimiter);
    if (row === undefined) return undefined;
    const { cells, lines } = row;
    const next = Math.min(row.stop + 1, text.length);
    const end = isAscii ? next : linesFrom(bytes, start, lines);
    if (cells.length > 0) records.push({ cells, start, end, lines });
    [at, start] = [next, end];
  }
  return records;
}

interface PlainRow {
  /** None where the line is empty. */
  readonly cells: readonly string[];
  readonly lines: number;
  /** Position of the line feed behind it, or the end of the text. */
  readonly stop: number;
}

function plainRow(text: string, at: number, delimiter: string): PlainRow | undefined {
  const feed = text.indexOf('\n', at);
  const stop = feed < 0 ? text.length : feed;
  const written = text.slice(at, stop);
  const line = written.endsWith('\r') ? written.slice(0, -1) : written;
  if (line.includes('"')) return quotedRow(text, at, delimiter);
  if (line.includes('\r')) return undefined;
  return { cells: line === '' ? [] : line.split(delimiter), lines: 1, stop };
}

function quotedRow(text: string, from: number, delimiter: string): PlainRow | undefined {
  const cells: string[] = [];
  let lines = 1;
  for (let at = from; ; at += delimiter.length) {
    const isQuoted = text.charCodeAt(at) === quote;
    const to = isQuoted ? closingQuote(text, at) : endOfCell(text, at, delimiter);
    if (to < 0) return undefined;
    const cell = text.slice(isQuoted ? at + 1 : at, to);
    if (isQuoted) {
      lines += lineEndsInText(cell);
      cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
    } else {
      if (cell.includes('"') || cell.includes('\r')) return undefined;
      cells.push(cell);
    }
    at = isQuoted ? to + 1 : to;
    if (text.startsWith(delimiter, at)) continue;
    const stop = text.startsWith('\r', at) ? at + 1 : at;
    return stop === text.length || text.startsWith('\n', stop) ? { cells, lines, stop } : undefined;
  }
}

/** -1 where it is not closed. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  return at;
}

function endOfCell(text: string, at: number, delimiter: string): number {
  const feed = text.indexOf('\n', at);
  const stop = feed < 0 ? text.length : feed;
  const next = text.indexOf(delimiter, at);
  if (next >= 0 && next < stop) return next;
  return text.startsWith('\r', stop - 1) && stop > at ? stop - 1 : stop;
}

/** The position after so many lines. */
function linesFrom(bytes: Buffer, start: number, lines: number): number {
  let at = start;
  for (let line = 0; line < lines; line += 1) at = nextLine(bytes, at) ?? bytes.length;
  return at;
}
