import type { Cells } from '../../row.ts';
import type { FileTable } from '../../table.ts';

/** A table in a CSV file whose header was read. */
export interface CsvTable extends FileTable {
  readonly columns: readonly string[];
  /** The index of each column in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
  readonly delimiter: string;
  readonly headerLine: number;
  /** Whether the file has no header: the line is that of the first row. */
  readonly isNamed?: true;
  /** The lines above the header that look like rows, which are not read. */
  readonly rowsAbove?: readonly number[];
}

/** The format of a CSV file. */
export interface CsvDialect {
  readonly delimiter: string;
  /** The ASCII character around a cell with a delimiter or line end; '' if there is none. By default the double quote. */
  readonly quote?: string;
  /** One ASCII character that escapes a quote within quotes; a doubled quote always does. */
  readonly escape?: string;
  /** The text that begins a comment line. */
  readonly comment?: string;
  /** Whether white space around quotes is allowed. */
  readonly trim?: boolean;
}

export interface CsvRecord {
  readonly cells: Cells;
  /** Position of its first byte. */
  readonly start: number;
  /** Position after the record and its line end. */
  readonly end: number;
  /** The number of its lines. */
  readonly lines: number;
}

export interface CsvParsing {
  /** The records before the end, or before the fault. */
  readonly records: readonly CsvRecord[];
  readonly wrong?: WrongRecord;
}

export interface WrongRecord {
  readonly start: number;
  /**
   * The quote that is not closed correctly, or that is within an unquoted cell; `start` for a row that is too long.
   */
  readonly at: number;
  /** Index of the quote's cell, from zero. */
  readonly cell: number;
  /** Whether it is open to the end of the text. */
  readonly isOpen: boolean;
}

/** The longest row in bytes: an unclosed quote must not consume a whole file. */
export const longestRow = 4 * 1024 * 1024;
