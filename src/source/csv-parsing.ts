import { isAscii } from 'node:buffer';
import { lineEndsIn } from './physical-lines.ts';

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: string;
  /** One ASCII character that takes a quote's meaning away within quotes; a doubled quote is one in any case. */
  readonly escape?: string;
  /** What a line begins with that is not read. */
  readonly comment?: string;
  /** White space around quotes is allowed. */
  readonly trim?: boolean;
}

export interface CsvRecord {
  readonly cells: readonly string[];
  readonly start: number;
  /** Position after the record and its line end. */
  readonly end: number;
  /** How many lines end from start to end. */
  readonly lines: number;
}

export interface CsvParsing {
  /** What was read before the end, or before what is wrong. */
  readonly records: readonly CsvRecord[];
  readonly wrong?: WrongRecord;
}

export interface WrongRecord {
  readonly start: number;
  /** The quote that is not closed as it should be, or that is within an unquoted cell; `start` for a row too long. */
  readonly at: number;
  /** Position, from zero, of the cell that the quote is in. */
  readonly cell: number;
  /** It is open to the end of what there is. */
  readonly isOpen: boolean;
}

/** The longest row that is read, in bytes: a quote that nobody closed must not swallow a file. */
export const longestRow = 4 * 1024 * 1024;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;

/** Parses whole rows (RFC 4180, any line ends), at most so many; empty lines and comments give none. */
export function parseCsv(bytes: Buffer, dialect: CsvDialect, most = Infinity): CsvParsing {
  return new CsvParser(bytes, dialect).parse(most);
}

class CsvParser {
  private readonly bytes: Buffer;
  /** One character for each byte, to be searched fast. */
  private readonly text: string;
  private readonly isAscii: boolean;
  private readonly dialect: CsvDialect;
  /** The delimiter as it stands in `text`. */
  private readonly delimiter: string;
  private readonly delimiterStart: number;
  private readonly comment: string | undefined;
  private readonly escape: number;
  /** Within quotes: what takes a meaning away, and what had it. */
  private readonly pairs: RegExp;
  private at = 0;
  /** The next of each from `at` on, found no sooner than needed. */
  private nextReturn = -1;
  private nextQuote = -1;

  constructor(bytes: Buffer, dialect: CsvDialect) {
    this.bytes = bytes;
    this.text = bytes.toString('latin1');
    this.isAscii = isAscii(bytes);
    this.dialect = dialect;
    this.delimiter = Buffer.from(dialect.delimiter).toString('latin1');
    this.delimiterStart = this.delimiter.charCodeAt(0);
    this.comment =
      dialect.comment === undefined ? undefined : Buffer.from(dialect.comment).toString('latin1');
    this.escape = dialect.escape?.charCodeAt(0) ?? quote;
    const special = String.raw`["\u{${this.escape.toString(16)}}]`;
    this.pairs = new RegExp(`${special}(${special})`, 'gu');
  }

  parse(most: number): CsvParsing {
    const records: CsvRecord[] = [];
    const { text } = this;
    while (this.at < text.length && records.length < most) {
      const start = this.at;
      const lineEnd = this.lineEnd(start);
      const next = this.afterLineEnd(lineEnd);
      if (lineEnd === start || (this.comment !== undefined && text.startsWith(this.comment, start))) {
        this.at = next;
        continue;
      }
      const read =
        this.quoteFrom(start) < lineEnd ? this.quotedRecord(start) : this.plainRecord(start, lineEnd, next);
      if ('isOpen' in read) return { records, wrong: read };
      if (read.end - start > longestRow)
        return { records, wrong: { start, at: start, cell: 0, isOpen: false } };
      records.push(read);
      this.at = read.end;
    }
    return { records };
  }

  private plainRecord(start: number, lineEnd: number, end: number): CsvRecord {
    const cells = this.decoded(start, lineEnd).split(this.dialect.delimiter);
    return { cells, start, end, lines: end > lineEnd ? 1 : 0 };
  }

  private quotedRecord(start: number): CsvRecord | WrongRecord {
    const { text, delimiter } = this;
    const cells: string[] = [];
    for (let at = start; ; at += delimiter.length) {
      const opens = this.afterSpace(at);
      if (text.charCodeAt(opens) === quote) {
        const closes = this.closingQuote(opens);
        if (closes < 0) return { start, at: opens, cell: cells.length, isOpen: true };
        cells.push(this.unquoted(opens + 1, closes));
        at = this.afterSpace(closes + 1);
        if (!this.isCellEnd(at)) return { start, at: opens, cell: cells.length - 1, isOpen: false };
      } else {
        const from = at;
        while (!this.isCellEnd(at)) {
          if (text.charCodeAt(at) === quote) return { start, at, cell: cells.length, isOpen: false };
          at += 1;
        }
        cells.push(this.decoded(from, at));
      }
      if (at < text.length && text.startsWith(delimiter, at)) continue;
      const end = this.afterLineEnd(at);
      return { cells, start, end, lines: lineEndsIn(this.bytes, start, end) };
    }
  }

  /** Where the cell's closing quote is; -1 where there is none. */
  private closingQuote(opens: number): number {
    const { text, escape } = this;
    if (escape === quote) {
      let at = text.indexOf('"', opens + 1);
      while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
      return at;
    }
    for (let at = opens + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === escape) at += 1;
      else if (code === quote) {
        if (text.charCodeAt(at + 1) !== quote) return at;
        at += 1;
      }
    }
    return -1;
  }

  private unquoted(from: number, to: number): string {
    const cell = this.decoded(from, to);
    return cell.includes('"') || this.escape !== quote ? cell.replaceAll(this.pairs, '$1') : cell;
  }

  /** A text of its own: a slice would keep all the rest in memory for as long as somebody keeps the cell. */
  private decoded(from: number, to: number): string {
    return this.isAscii ? this.bytes.toString('latin1', from, to) : this.bytes.toString('utf8', from, to);
  }

  private isCellEnd(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return (
      at >= this.text.length ||
      code === lineFeed ||
      code === carriageReturn ||
      (code === this.delimiterStart && this.text.startsWith(this.delimiter, at))
    );
  }

  private afterSpace(from: number): number {
    let at = from;
    if (this.dialect.trim === true)
      while ((this.text[at] === ' ' || this.text[at] === '\t') && !this.isCellEnd(at)) at += 1;
    return at;
  }

  private lineEnd(from: number): number {
    const feed = orEnd(this.text.indexOf('\n', from), this.text);
    if (this.nextReturn < from) this.nextReturn = orEnd(this.text.indexOf('\r', from), this.text);
    return Math.min(feed, this.nextReturn);
  }

  private afterLineEnd(at: number): number {
    if (at >= this.text.length) return at;
    return this.text.startsWith('\r\n', at) ? at + 2 : at + 1;
  }

  private quoteFrom(from: number): number {
    if (this.nextQuote < from) this.nextQuote = orEnd(this.text.indexOf('"', from), this.text);
    return this.nextQuote;
  }
}

function orEnd(found: number, text: string): number {
  return found < 0 ? text.length : found;
}

/** The cell that a row's key would be in, where a row that cannot be parsed still shows it plainly. */
export function plainCell(
  line: string,
  { delimiter, escape }: CsvDialect,
  index: number,
): string | undefined {
  const raw = line.split(delimiter)[index]?.replace(/[\r\n]+$/, '');
  const cell = raw?.replace(/^"(.*)"$/, '$1');
  if (cell === undefined || cell.trim() === '' || cell.includes('"')) return undefined;
  return escape !== undefined && cell.includes(escape) ? undefined : cell;
}
