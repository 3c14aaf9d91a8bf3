import type { Cells } from '../../row.ts';
import { longestRow, type CsvDialect, type CsvParsing, type CsvRecord } from './dialect.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const highestAscii = 0x7f;

/**
 * A fast path that parses whole RFC 4180 rows; undefined for lines that end with CR alone, and for a dialect with
 * escapes, comments, white space around quotes or a delimiter that is not ASCII: the parser reads those. Stops at a
 * row with incorrect quotes. At most the given number of rows; empty lines give none. The bytes are UTF-8.
 */
export function parsePlainCsv(bytes: Buffer, dialect: CsvDialect, most: number): CsvParsing | undefined {
  const { delimiter, escape, comment, trim } = dialect;
  if (escape !== undefined || comment !== undefined || trim === true) return undefined;
  if (!isAscii.test(delimiter) || bytes.length > longestRow) return undefined;
  return recordsIn(bytes, delimiter.charCodeAt(0), most);
}

const isAscii = /^[\0-\x7f]$/;

/** One loop, byte by byte: a call for each cell, or a search for each mark, is slower. */
function recordsIn(bytes: Buffer, delimiter: number, most: number): CsvParsing | undefined {
  const { length } = bytes;
  const text = bytes.toString();
  const ends: number[] = [];
  const records: CsvRecord[] = [];
  // The difference between bytes and characters before `at`.
  let fewer = 0;
  for (let at = 0; at < length && records.length < most; at += 1) {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && isFeedOrEnd(bytes, at + 1))) continue;
    const start = at;
    const from = at - fewer;
    const first = ends.length;
    let lines = 1;
    let cellStart: number;
    for (;;) {
      cellStart = at;
      const isQuoted = bytes[at] === quote;
      let isOpen = isQuoted;
      if (isQuoted) at += 1;
      for (; at < length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte > highestAscii) fewer += surplus(byte);
        if (!isOpen) {
          if (
            isQuoted ||
            byte === delimiter ||
            byte === lineFeed ||
            byte === carriageReturn ||
            byte === quote
          )
            break;
        } else if (byte === quote) {
          if (bytes[at + 1] === quote) at += 1;
          else isOpen = false;
        } else if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) lines += 1;
      }
      if (isOpen) return { records, wrong: { start, at: cellStart, cell: ends.length - first, isOpen } };
      ends.push(at - fewer);
      if (bytes[at] !== delimiter) break;
      at += 1;
    }
    if (bytes[at] === carriageReturn) {
      at += 1;
      if (!isFeedOrEnd(bytes, at)) return undefined;
    } else if (!isFeedOrEnd(bytes, at)) {
      // The parser treats a NUL after a quoted cell as part of it.
      if (bytes[at] === 0) return undefined;
      const quoteAt = bytes[cellStart] === quote ? cellStart : at;
      return { records, wrong: { start, at: quoteAt, cell: ends.length - first - 1, isOpen: false } };
    }
    const cells = new PlainCells(text, from, ends, first);
    records.push({ cells, start, end: Math.min(at + 1, length), lines });
  }
  return { records };
}

function isFeedOrEnd(bytes: Buffer, at: number): boolean {
  return at >= bytes.length || bytes[at] === lineFeed;
}

/** In a string, a character of two or three bytes is one unit, and one of four bytes is two. */
function surplus(byte: number): number {
  if (byte < 0xc0) return 1;
  return byte < 0xf0 ? 0 : -1;
}

/** The cells of one row of a block: a requested cell is cut out of the block's text. */
class PlainCells implements Cells {
  readonly length: number;
  private readonly text: string;
  private readonly start: number;
  /** The ends of the cells of the block; those of the row start at `first`. */
  private readonly ends: readonly number[];
  private readonly first: number;

  constructor(text: string, start: number, ends: readonly number[], first: number) {
    this.text = text;
    this.start = start;
    this.ends = ends;
    this.first = first;
    this.length = ends.length - first;
  }

  at(index: number): string | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const { text, ends, first } = this;
    const from = index === 0 ? this.start : (ends[first + index - 1] ?? 0) + 1;
    const to = ends[first + index] ?? 0;
    if (text.charCodeAt(from) !== quote) return text.slice(from, to);
    const cell = text.slice(from + 1, to - 1);
    return cell.includes('"') ? cell.replaceAll('""', '"') : cell;
  }

  /** Quotes and delimiters included. */
  row(): string {
    return this.text.slice(this.start, this.ends[this.first + this.length - 1] ?? this.start);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index) ?? '';
  }

  toJSON(): readonly string[] {
    return [...this];
  }
}
