/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: string;
  /** One ASCII character that takes a quote's meaning away within quotes, as a second quote does in any case. */
  readonly escape?: string;
  /** What a line begins with that is not read. */
  readonly comment?: string;
  /** White space around quotes is allowed. */
  readonly trim?: boolean;
}

/** The cells of a row: an array of them, or the row's text, of which a cell is cut out when it is asked for. */
export interface Cells extends Iterable<string> {
  readonly length: number;
  at(index: number): string | undefined;
}

export interface CsvRecord {
  readonly cells: Cells;
  /** Position of its first byte. */
  readonly start: number;
  /** Position after the record and its line end. */
  readonly end: number;
  /** How many lines it takes up. */
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
