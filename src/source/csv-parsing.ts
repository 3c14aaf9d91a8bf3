import { CsvError, parse, type CsvErrorCode } from 'csv-parse/sync';

interface CsvRecord {
  readonly cells: readonly string[];
  /** Position after the record and its line end. */
  readonly end: number;
}

interface CsvParsing {
  /** What was read before the end, or before what is wrong. */
  readonly records: readonly CsvRecord[];
  readonly wrong?: {
    readonly code: CsvErrorCode;
    /** Position, from zero, of the cell in which it went wrong. */
    readonly cell: number;
  };
}

/** The longest row that is read, in bytes: a quote that nobody closed must not swallow a file. */
export const longestRow = 4 * 1024 * 1024;

/** Parses whole rows; empty lines give none. */
export function parseCsv(
  bytes: Buffer,
  options: { readonly delimiter: string; readonly trim?: boolean; readonly to?: number },
): CsvParsing {
  const records: CsvRecord[] = [];
  try {
    parse(bytes, {
      delimiter: options.delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: options.trim ?? false,
      to: options.to ?? -1,
      max_record_size: longestRow,
      on_record: (cells, { bytes: end }) => {
        records.push({ cells, end });
        return null;
      },
    });
    return { records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, wrong: { code: error.code, cell: Number(error['column']) } };
  }
}

const quote = 34;

/**
 * Where a wrongly quoted row went wrong: the quote that opens a cell and is not closed as it should be, or a quote
 * within an unquoted cell. `from` is where the row begins.
 */
export function wrongQuote(bytes: Buffer, from: number, delimiter: string): number {
  const separator = delimiter.codePointAt(delimiter.length - 1);
  const ends = (byte: number | undefined): boolean =>
    byte === undefined || byte === separator || byte === 10 || byte === 13;
  let opened = -1;
  let cellStart = true;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (opened >= 0) {
      if (byte !== quote) continue;
      if (bytes[at + 1] === quote) at += 1;
      else if (ends(bytes[at + 1])) opened = -1;
      else return opened;
    } else if (byte === quote) {
      if (!cellStart) return at;
      opened = at;
      cellStart = false;
    } else {
      cellStart = ends(byte);
    }
  }
  return opened >= 0 ? opened : from;
}

/** The cell that a row's key would be in, where a row that cannot be parsed still shows it plainly. */
export function plainCell(line: string, delimiter: string, index: number): string | undefined {
  const raw = line.split(delimiter)[index]?.replace(/[\r\n]+$/, '');
  const cell = raw?.replace(/^"(.*)"$/, '$1');
  return cell === undefined || cell.trim() === '' || cell.includes('"') ? undefined : cell;
}
