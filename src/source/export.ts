import type { Spellings } from '../domain/account-key.ts';
import type { Cell } from '../domain/cell.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ExportCounts } from '../domain/run-facts.ts';
import type { CellValue } from '../domain/typed-value.ts';
import type { Problem } from '../domain/problem.ts';
import type { TextShape } from '../domain/text-shape.ts';

/** A mapping's description of one table of an export, before the files are read. */
export interface TableSpec {
  /** The table's name within the mapping, such as `customers`. */
  readonly name: string;
  /**
   * File name relative to the export directory, such as `KUNDEN.csv`; if it does not exist, its compressed form or
   * its numbered parts are used. With a `*`, all files that match.
   */
  readonly file: string;
  /** The sheet of a workbook; may be left out if it has only one. */
  readonly sheet?: string;
  /** `accounts`: each record is an account. `child`: its records belong to an account. */
  readonly role: 'accounts' | 'child';
  /**
   * Column (CSV) or dotted path (JSON) of the external account number. A header may have it in another case, if that
   * is unambiguous.
   */
  readonly key: string;
  /** The changes that make the account number of the key column's text. */
  readonly keyShape?: TextShape;
  /** The account numbers that are spelled otherwise than their keys. */
  readonly spellings?: Spellings | undefined;
  /** The table through which rows find their account; their key is then a value of a column there. */
  readonly via?: TableLink;
  /** Whether it matters in which order an account's rows are. */
  readonly isOrdered?: true;
  /** Set by the user; detected if absent. */
  readonly delimiter?: string | undefined;
  /** The ASCII character around a CSV cell with a delimiter or line end; '' if there is none. By default the double quote. */
  readonly quote?: string;
  /** The ASCII character that escapes a quote within quotes, besides the quote itself. */
  readonly escape?: string;
  /** The text that begins a comment line of a CSV file. */
  readonly comment?: string;
  /** A known encoding label such as `windows-1252`; a byte order mark takes precedence. Detected if absent. */
  readonly encoding?: string | undefined;
  /** Whether leading and trailing white space of CSV cells is removed. */
  readonly trim?: boolean;
  /** The names of the columns of a CSV file without a header, in their order. */
  readonly names?: readonly string[] | undefined;
  /** The columns that the file has, where its own text does not show them all: those of a database's query. */
  readonly columns?: readonly string[];
  /** JSON: the columns whose texts are numbers, to which a mapping's marks do not apply: those of a database's query. */
  readonly numeric?: readonly string[];
  /** JSON: the columns whose texts are dates, to which a mapping's formats do not apply: those of a database's query. */
  readonly dates?: readonly string[];
  /** The columns of a binary floating-point type: those of a database's query. */
  readonly floats?: readonly string[];
  /** Whether it is a sheet to which rows were copied: its first row is the header, with the names as they were. */
  readonly isCopy?: true;
  /** Whether its texts of times in UTC were typed in the file that was copied: a workbook has no such type. */
  readonly hasUtcTexts?: true;
  /** The rows that a mapping leaves out on purpose. */
  readonly ignore?: IgnoreRule;
  /** What is done about rows of no account; by default what `orphanRule` says. */
  readonly orphans?: OrphanRule | undefined;
  /** Where a user declares the table; a missing file is a problem of this place. */
  readonly origin?: Cell;
}

/** Rows of no account are left out and counted, are a warning each, or a problem each. */
export type OrphanRule = 'ignore' | 'warn' | 'refuse';

/** Which rows of a table are left out. */
export interface IgnoreRule {
  /** Identifies the rule. */
  readonly said: string;
  /** Whether a row is left out. */
  readonly holds: (record: SourceRecord) => boolean;
}

/** A table whose rows name the accounts of another table's rows. */
export interface TableLink {
  /** Name of the table that has the account, or that finds it through another one. */
  readonly table: string;
  /** The column there that has the value of the key. */
  readonly column: string;
  /** The changes to its text before it is compared. */
  readonly shape?: TextShape;
  /** Whether a row may belong to several accounts: it is then a row of each. */
  readonly several?: boolean;
}

/**
 * The findings when the table's file was opened: delimiter and encoding are those in use, `file` is the file's real
 * name, and `key` is spelled as in the header. A table of several files is represented by its first file.
 */
export interface Table extends TableSpec {
  /** The name of its format (`formats/`). */
  readonly format: string;
  /** Whether a row has a text for each column; otherwise it is an object, and a column is a path in it. */
  readonly isFlat: boolean;
  /** The header's names in file order; without a header, those of the spec. */
  readonly columns?: readonly string[];
  /** The line of the header, or its row on the sheet; absent without a header. */
  readonly headerLine?: number;
  /** The cell of a column's name in the header. Of an export's `tables`. */
  readonly headerCell?: (column: string) => Cell;
  /** The bytes suggest the encoding, but do not prove it. */
  readonly isEncodingGuess?: true;
  /** Its encoding is stated, but its first bytes are UTF-8, and not all ASCII. */
  readonly looksLikeUtf8?: true;
  /** Its bytes are not UTF-8, and these encodings fit them, as text. */
  readonly fitting?: string;
  /** The other sheets of its workbook that hold something. */
  readonly otherSheets?: readonly string[];
  /** The columns that hold lists, records or binary data, which are not read. */
  readonly leftOut?: readonly string[];
  /** Whether the file is empty, which is not a fault in NDJSON. */
  readonly isEmpty?: true;
}

/** One row or JSON object of the export, with its provenance. */
export interface SourceRecord {
  /** The table as in the record's own file. */
  readonly table: Table;
  /** Line on which the record starts, from 1. */
  readonly line: number;
  /** CSV: the cells by column name, all strings, empty cells as ''. JSON: the parsed object. */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** Columns (CSV) or dotted paths (JSON) of the values that cannot be read; '' is the whole record. */
  readonly unreadable?: readonly string[];
  /** The field of this name; undefined if there is none. Of a CSV row it parses only this field. A typed cell's date is a TypedDate, and its number with a point or a sign a TypedNumber. */
  value(name: string): CellValue | undefined;
  /**
   * The cell that a value was read from: `path` is a column name (CSV), or a dotted path within the record (JSON).
   * The line is that of the value itself, even if the record spans several lines; for a missing path, that of the
   * enclosing value.
   */
  cell(path: string): Cell;
  /** Keeps only the row's text; later requests parse it again. */
  release(): void;
}

/** All records of one account from every file, whatever their order. */
export interface Bundle {
  /** External account number, exactly as the export has it. */
  readonly account: string;
  /** The account's records of one table, in file order; empty if there are none. */
  records(table: string): readonly SourceRecord[];
  /** Names of the tables with a row of this account that cannot be read at all. */
  readonly incomplete: ReadonlySet<string>;
  /** The problems of this account's rows; an account with an error here is not sent. */
  readonly problems: readonly Problem[];
  /** The fingerprint of its rows; absent if not requested, or if a row has a fault. */
  readonly rows?: { readonly print: string; readonly found: 'same' | 'changed' | 'unknown' };
  /** Releases all of its records. */
  release(): void;
}

/** An account by its rows. */
export interface PrintedAccount {
  /** External account number, exactly as the export has it. */
  readonly account: string;
  readonly print: string;
}

/**
 * Tells what is known of accounts by their rows, in their order: `unchanged` if nothing more has to be known of it, `same` if it
 * is unchanged and given anyway, `changed` if it had other rows. Called with many at once, and again before the answer is there.
 */
export type Recognise = (
  accounts: readonly PrintedAccount[],
) => Promise<readonly ('unchanged' | NonNullable<Bundle['rows']>['found'])[]>;

/** A fault without an account, because its row could not be attributed to an account of the export. */
export interface ExportFault extends Problem {
  /**
   * True if rows that may belong to any account could not be read, so that every account may be incomplete, and if a
   * file is cut off. False for orphans, and for unreadable rows of the accounts table, which do not affect other
   * accounts.
   */
  readonly holdsBack: boolean;
  /** It is about cells or a column, and keeps no row from being read. */
  readonly isRemark?: true;
}

export interface Export {
  /** The tables, in the order of their specs. */
  readonly tables: readonly Table[];
  /** Every file, as a table or a part of one, in reading order. */
  readonly files: readonly Table[];
  /** The number of accounts that `bundles` gives; known once reading has finished, before the first bundle. */
  readonly accounts: number;
  /** The size of its files. */
  readonly counts: ExportCounts;
  /** Whether the files are sorted by account number, so that nothing is kept on disk. */
  readonly isSorted: boolean;
  /** Faults without an account; complete before the first bundle. */
  /** Rows that the mapping leaves out, without those that are left out of their accounts. */
  readonly ignoredRows: number;
  readonly faults: readonly ExportFault[];
  /**
   * The accounts, one bundle each, ordered by external account number (by code point, or shorter numbers first for
   * files sorted that way); memory does not grow with their number. Can be iterated again after it was read to its
   * end.
   */
  bundles(): AsyncIterable<Bundle>;
  /** The same, with the fingerprints of their rows, and without accounts that are unchanged by them. */
  bundlesSince(recognise: Recognise): AsyncIterable<Bundle>;
  /** Frees the disk; can be called twice, and while bundles are being read. */
  close(): void;
}

/** The export could not be opened: each problem names a file and a remedy. */
export interface ExportUnreadable {
  readonly problems: readonly Problem[];
}
