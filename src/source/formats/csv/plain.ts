import { withoutFormula } from './formula-texts.ts';
import type { Cells } from '../../row.ts';
import { longestRow, type CsvDialect, type CsvParsing, type CsvRecord } from './dialect.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const equals = 61;
const highestAscii = 0x7f;

/**
 * A fast path that parses whole RFC 4180 rows; undefined for lines that end with CR alone, and for a dialect with
 * escapes, comments, white space around quotes or a delimiter that is not ASCII: the parser reads those. Stops at a
 * row with incorrect quotes. At most the given number of rows; empty lines give none. The bytes are UTF-8. `keyCell`: the
 * only cell that most rows are asked for; others take longer then, and the bytes must stay as they are.
 */
export function parsePlainCsv(
  bytes: Buffer,
  dialect: CsvDialect,
  most: number,
  keyCell?: number,
): CsvParsing | undefined {
  const { delimiter, quote: own, escape, comment, trim } = dialect;
  if (own !== undefined || escape !== undefined || comment !== undefined || trim === true) return undefined;
  // Stryker disable next-line EqualityOperator: the parser finds the same
  if (!isAscii.test(delimiter) || bytes.length > longestRow) return undefined;
  return recordsIn(bytes, delimiter.charCodeAt(0), most, keyCell ?? everyCell);
}

/** The cells of whole rows that `parsePlainCsv` has parsed before, each as the file has it with a line end. */
export function plainRows(bytes: Buffer, delimiter: string): readonly Cells[] {
  // Stryker disable next-line OptionalChaining,ArrayDeclaration: they were parsed before
  return recordsIn(bytes, delimiter.charCodeAt(0), Infinity, everyCell)?.records.map(({ cells }) => cells) ?? []; // prettier-ignore
}

const isAscii = /^[\0-\x7f]$/;

/** Any cell may be asked for. */
const everyCell = -1;

/** One loop, byte by byte: a call for each cell, or a search for each mark, is slower. */
function recordsIn(bytes: Buffer, delimiter: number, most: number, keyCell: number): CsvParsing | undefined {
  const { length } = bytes;
  const highestMark = Math.max(delimiter, quote);
  const isKeyed = keyCell !== everyCell;
  // Stryker disable next-line StringLiteral: not used then
  const text = isKeyed ? '' : bytes.toString();
  const keyed = { bytes, delimiter, keyCell };
  // Stryker disable next-line ObjectLiteral,StringLiteral: any other bytes are not the key of the row before
  let key = { start: 0, end: 0, text: '' };
  // Stryker disable next-line ArrayDeclaration: a row's cells begin at its own ends
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
    let count = 0;
    let keyStart = at;
    let keyEnd = at;
    let cellStart: number;
    for (;;) {
      cellStart = at;
      const isFormula = bytes[at] === equals && bytes[at + 1] === quote;
      if (bytes[at] !== quote && !isFormula) {
        // Stryker disable next-line EqualityOperator: no byte is behind the last
        for (; at < length; at += 1) {
          const byte = bytes[at] ?? 0;
          if (byte > highestMark) {
            if (byte > highestAscii) fewer += surplus(byte);
          } else if (byte === delimiter || byte === lineFeed || byte === carriageReturn || byte === quote)
            break;
        }
      } else {
        // Stryker disable next-line EqualityOperator: no byte is behind the last
        for (at += isFormula ? 2 : 1; at < length; at += 1) {
          const byte = bytes[at] ?? 0;
          if (byte > highestAscii) fewer += surplus(byte);
          else if (byte === quote) {
            if (bytes[at + 1] !== quote) break;
            at += 1;
          } else if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) lines += 1;
        }
        if (at >= length) return { records, wrong: { start, at: cellStart, cell: count, isOpen: true } };
        at += 1;
      }
      if (!isKeyed) ends.push(at - fewer);
      else if (count === keyCell) [keyStart, keyEnd] = [cellStart, at];
      count += 1;
      if (bytes[at] !== delimiter) break;
      at += 1;
    }
    if (bytes[at] === carriageReturn) {
      at += 1;
      if (!isFeedOrEnd(bytes, at)) return undefined;
    } else if (!isFeedOrEnd(bytes, at)) {
      // The parser treats a NUL after a quoted cell as part of it.
      if (bytes[at] === 0) return undefined;
      const isQuoted = bytes[cellStart] === quote || (bytes[cellStart] === equals && bytes[cellStart + 1] === quote); // prettier-ignore
      const quoteAt = isQuoted ? cellStart : at;
      return { records, wrong: { start, at: quoteAt, cell: count - 1, isOpen: false } };
    }
    const end = Math.min(at + 1, length);
    // Stryker disable next-line ConditionalExpression,LogicalOperator: saves time
    if (isKeyed && !isSame(bytes, key, keyStart, keyEnd))
      key = { start: keyStart, end: keyEnd, text: bytes.toString('utf8', keyStart, keyEnd) };
    const cells = isKeyed
      ? new KeyedCells(keyed, key.text, count, start, end)
      : new PlainCells(text, from, ends, first);
    records.push({ cells, start, end, lines });
  }
  return { records };
}

/** Whether the same bytes are elsewhere: most rows have the key of the row before. */
function isSame(
  bytes: Buffer,
  at: { readonly start: number; readonly end: number },
  start: number,
  end: number,
): boolean {
  // Stryker disable next-line ConditionalExpression,ArithmeticOperator: saves time
  if (at.end - at.start !== end - start) return false;
  // Stryker disable next-line EqualityOperator,AssignmentOperator: saves time
  for (let from = at.start, to = start; to < end; from += 1, to += 1)
    if (bytes[from] !== bytes[to]) return false;
  // Stryker disable next-line BooleanLiteral: saves time
  return true;
}

function isFeedOrEnd(bytes: Buffer, at: number): boolean {
  return at >= bytes.length || bytes[at] === lineFeed;
}

/** In a string, a character of two or three bytes is one unit, and one of four bytes is two. */
function surplus(byte: number): number {
  // Stryker disable next-line EqualityOperator: UTF-8 has no such byte
  if (byte < 0xc0) return 1;
  return byte < 0xf0 ? 0 : -1;
}

/** The cells of one row of a block: a requested cell is cut out of the block's text. */
class PlainCells implements Cells {
  readonly length: number;
  readonly #text: string;
  readonly #start: number;
  /** The ends of the cells of the block; those of the row start at `first`. */
  readonly #ends: readonly number[];
  readonly #first: number;

  constructor(text: string, start: number, ends: readonly number[], first: number) {
    this.#text = text;
    this.#start = start;
    this.#ends = ends;
    this.#first = first;
    this.length = ends.length - first;
  }

  at(index: number): string | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const last = this.#first + index;
    const from = index === 0 ? this.#start : (this.#ends[last - 1] ?? 0) + 1;
    return unquoted(this.#text.slice(from, this.#ends[last] ?? 0));
  }

  /** Quotes and delimiters included. */
  row(): string {
    return this.#text.slice(this.#start, this.#ends[this.#first + this.length - 1] ?? this.#start);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    // Stryker disable next-line StringLiteral: each of these is there
    for (let index = 0; index < this.length; index += 1) yield this.at(index) ?? '';
  }

  toJSON(): readonly string[] {
    return [...this];
  }
}

/** Where the rows are of which the keys are read. */
interface KeyedText {
  readonly bytes: Buffer;
  readonly delimiter: number;
  readonly keyCell: number;
}

/** The cells of one row, of which one was read. */
class KeyedCells implements Cells {
  readonly length: number;
  readonly #text: KeyedText;
  readonly #key: string;
  readonly #start: number;
  readonly #end: number;

  constructor(text: KeyedText, key: string, length: number, start: number, end: number) {
    this.#text = text;
    this.#key = key;
    this.length = length;
    this.#start = start;
    this.#end = end;
  }

  at(index: number): string | undefined {
    // Stryker disable next-line ConditionalExpression: saves time
    const isRead = index === this.#text.keyCell && index < this.length;
    return isRead ? unquoted(this.#key) : this.#all().at(index);
  }

  row(): string {
    // Stryker disable next-line OptionalChaining,StringLiteral: they were parsed before
    return this.#all().row?.() ?? '';
  }

  asRead(): Uint8Array {
    return this.#text.bytes.subarray(this.#start, this.#end);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#all()[Symbol.iterator]();
  }

  toJSON(): readonly string[] {
    return [...this];
  }

  #all(): Cells {
    const { bytes, delimiter } = this.#text;
    const row = recordsIn(bytes.subarray(this.#start, this.#end), delimiter, 1, everyCell);
    // Stryker disable next-line OptionalChaining,ArrayDeclaration: it was parsed before
    return row?.records[0]?.cells ?? [];
  }
}

function unquoted(cell: string): string {
  const first = cell.charCodeAt(0);
  if (first === equals) return withoutFormula(cell);
  if (first !== quote) return cell;
  const text = cell.slice(1, -1);
  // Stryker disable next-line StringLiteral: saves time
  return text.includes('"') ? withoutFormula(text.replaceAll('""', '"')) : text;
}
