import type { Cell } from '../domain/cell.ts';
import type { JsonValue } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';

export type TableFormat = 'csv' | 'json' | 'ndjson';

/** What a mapping says of one table of an export, before the files are looked at. */
export interface TableSpec {
  /** The table's name within the mapping, such as `customers`. */
  readonly name: string;
  /**
   * File name relative to the export directory, such as `KUNDEN.csv`; where that is not there, its compressed form or
   * its numbered parts are taken. With a `*`, all files that fit.
   */
  readonly file: string;
  /** `accounts`: one record makes an account. `child`: its records belong to an account. */
  readonly role: 'accounts' | 'child';
  /**
   * Column (CSV) or dotted path (JSON) of the external account number. A header may have it in another case, where that
   * is not ambiguous.
   */
  readonly key: string;
  /** Stated by the user; detected where absent. */
  readonly delimiter?: string;
  /** The ASCII character that takes a quote's meaning away within quotes, beside the quote itself. */
  readonly escape?: string;
  /** What a CSV line begins with that is not to be read. */
  readonly comment?: string;
  /** A known encoding label such as `windows-1252`; what a byte order mark says comes first. Detected where absent. */
  readonly encoding?: string;
  /** Leading and trailing white space of CSV cells is dropped. */
  readonly trim?: boolean;
  /** Where a user declares the table; a file that is not there is a problem of this place. */
  readonly origin?: Cell;
}

/**
 * What was found when the table's file was opened; delimiter and encoding are then the ones in use, `file` is the
 * file's real name, and `key` is spelled as in the header. A table of several files stands for itself with its first file.
 */
export interface Table extends TableSpec {
  readonly format: TableFormat;
  /** The header's names in file order (CSV); absent for JSON. */
  readonly columns?: readonly string[];
  /** The bytes suggest the encoding, but do not prove it. */
  readonly isEncodingGuess?: true;
  /** There is nothing in the file, which is no fault in itself (NDJSON). */
  readonly isEmpty?: true;
}

/** One row or JSON object of the export, with its provenance. */
export interface SourceRecord {
  /** The table as the record's own file has it. */
  readonly table: Table;
  /** Line on which the record starts, from 1. */
  readonly line: number;
  /**
   * CSV: the cells by column name, every one a string, empty cells as ''. JSON: the parsed object.
   */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** The field of this name; undefined where there is none. Of a CSV row it takes nothing else apart. */
  value(name: string): JsonValue | undefined;
  /**
   * The cell that a value was read from: `path` is a column name (CSV), or a dotted path within the record (JSON).
   * The line is that of the value itself, also when the record spans several lines; for a path that leads nowhere,
   * that of what would have held it.
   */
  cell(path: string): Cell;
  /** Keeps no more than the row's text; what is asked for afterwards is read from it again. */
  release(): void;
}

/** All records of one account, brought together from every file whatever their order. */
export interface Bundle {
  /** External account number, exactly as the export has it. */
  readonly account: string;
  /** The account's records of one table, in file order; empty where there are none. */
  records(table: string): readonly SourceRecord[];
  /** Names of the tables of which a row of this account could not be read. */
  readonly incomplete: ReadonlySet<string>;
  /** What is wrong with this account's rows; an account with an error here is not sent. */
  readonly problems: readonly Problem[];
  /** Releases all of its records. */
  release(): void;
}

/** A fault that stands for itself, because its row could not be laid at the door of an account of the export. */
export interface ExportFault extends Problem {
  /**
   * True when rows that may belong to any account could not be read, so that no account is known to be whole.
   * False for orphans, and for unreadable rows of the accounts table, which leave the other accounts whole.
   */
  readonly holdsBack: boolean;
}

export interface Export {
  /** The tables, in the order of their specs. */
  readonly tables: readonly Table[];
  /** Every file as the table that it is, or is a part of, in reading order. */
  readonly files: readonly Table[];
  /** Accounts that `bundles` will give; known once reading has finished, before the first bundle. */
  readonly accounts: number;
  /** The files are in the order of the account numbers already, so that nothing had to be kept on disk. */
  readonly isSorted: boolean;
  /** Faults without an account; complete before the first bundle is given. */
  readonly faults: readonly ExportFault[];
  /**
   * The accounts, one bundle each, ordered by external account number (by code point, or as files that are sorted with
   * shorter numbers first have it); memory stays flat in their number.
   * May be iterated again after it was read to its end.
   */
  bundles(): AsyncIterable<Bundle>;
  /** Frees what was kept on disk; safe to call twice and while bundles are being read. */
  close(): void;
}

/** The export could not be opened at all: each problem names a file and a remedy. */
export interface ExportUnreadable {
  readonly problems: readonly Problem[];
}
