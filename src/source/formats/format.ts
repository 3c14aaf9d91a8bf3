import type { Cell } from '../../domain/cell.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import type { SourceRecord, Table, TableSpec } from '../export.ts';
import type { findEncoding } from '../find-encoding.ts';
import type { ReadOptions, StoredFile } from '../places/place.ts';
import type { GoodRow, Row } from '../row.ts';
import type { FileTable, OpenedFile } from '../table.ts';

/** A file that is opened. */
export interface FileAt extends ReadOptions {
  readonly stored: StoredFile;
  /** Finds encodings, and may remember earlier results. */
  readonly findEncoding: typeof findEncoding;
}

/** The first rows of a table, from which the rest is guessed. */
export interface Sample {
  readonly isFlat: boolean;
  /** How the mapping has to describe the file, by key; a value that is always assumed is left out. */
  readonly encoding?: string;
  /** Whether the bytes only suggest the encoding. */
  readonly isEncodingGuess?: true;
  /** A Central European encoding that is as likely, if other files are in it. */
  readonly likelyEncoding?: string | undefined;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  /** Column names, or dotted paths of plain values (JSON), in order of occurrence. */
  readonly columns: readonly string[];
  /** Texts by column. */
  readonly rows: readonly ReadonlyMap<string, string>[];
  /** Whether the file seems to have no header, so that the columns have numbers. */
  readonly isHeaderless?: boolean;
  /** Whether these are all rows of the table. */
  readonly isWhole?: boolean;
}

/** The cells of other tables by which a row found its account. */
export type Through = () => readonly Cell[];

/** What is noted at a cell of a workbook. */
export interface CellMark {
  readonly text: string;
  /** Whether the cell must be corrected: it is then highlighted. */
  readonly isFault: boolean;
}

/** A file that is copied with only the rows of some accounts. */
export interface CopiedFile<Read extends FileTable = FileTable> {
  readonly file: OpenedFile<Read>;
  /** Why rows with this key are copied; undefined for those that are not. */
  reasonOf(key: string): string | undefined;
  /** What is wrong with the cells of a line (a row of a sheet), by their columns. */
  marksAt(line: number): ReadonlyMap<string, CellMark>;
}

/** A cell of a workbook that is written. */
export interface WrittenCell {
  /** Number of its column, from 0. */
  readonly column: number;
  readonly kind: 'text' | 'number' | 'boolean' | 'error';
  readonly value: string;
  /** The code of its number format; absent for none. */
  readonly format?: string | undefined;
  readonly mark?: CellMark | undefined;
}

/** Rows that were written as a file. */
export interface WrittenRows {
  readonly text: string;
  /** The line of each row. */
  readonly lines: readonly number[];
}

export interface RowOptions extends ReadOptions {
  /** Whether most rows are asked for their accounts alone: their cells may then take longer. */
  readonly isForKeys?: boolean;
  /** The file's bytes begin with a row, which is on this line; absent: with the beginning of the file. */
  readonly fromLine?: number;
}

/** The rows of a file, which are read twice, in batches. */
export interface ReadTwice {
  first(options: ReadOptions): AsyncGenerator<readonly Row[], void, undefined>;
  /** After the first was read to its end. */
  again(options: ReadOptions): Generator<readonly Row[], void, undefined>;
  /** Frees the disk. */
  close(): void;
}

/** All that is asked of a format. Another format is one more module, listed in formats.ts. */
export interface Format<Read extends FileTable = FileTable> {
  /** The format of a table has this name. */
  readonly name: string;
  /** How the names of its files end. */
  readonly endings: readonly string[];
  /** Endings that other files have too: such files are data only if a mapping names them. */
  readonly namedEndings?: readonly string[];
  /** Reads as much of a file's start as its table needs. Throws what readBytes throws. */
  open(spec: TableSpec, file: FileAt): Promise<Read | { readonly problem: Problem }>;
  /** Whether rows can be read from any row on (`fromLine`). */
  readonly readsFromRows?: true;
  /** Reads the rows, in batches. Throws what readBytes throws. */
  rows(file: OpenedFile<Read>, options: RowOptions): AsyncGenerator<readonly Row[], void, undefined>;
  /**
   * Reads the rows twice and parses the file once. Absent if parsing takes little longer than reading rows from a temporary file.
   * Throws what readBytes throws, including if the rows cannot be stored.
   */
  twice?(file: OpenedFile<Read>): ReadTwice;
  /** Recreates the record from which a row was stored; it knows the cell of each of its values. */
  record(row: GoodRow, table: Read, through: Through | undefined): SourceRecord;
  /** The text in a column of a row; '' if there is none. */
  text(row: GoodRow, table: Read, column: string): string;
  /** The cell of a line (a row of a sheet) in this column; '' is the whole row. */
  place(table: Read, line: number, column: string): Cell;
  /** The names of the tables in a file; absent if a file is one table. Throws what readBytes throws. */
  sheets?(stored: StoredFile): Promise<readonly string[]>;
  /** What was found in a file, in a few words. */
  described(table: Table): string;
  /** The first rows of each table in a file; `encoding` is that of a text file, if it is stated. Throws what readBytes throws. */
  samples(file: StoredFile, encoding: string | undefined): Promise<readonly Sample[]>;
  /**
   * Writes the rows with a reason, each with its reason, to a new file, which is of the same format. Several tables
   * may be of one file. Throws what readBytes throws, and errors of the file system. Absent if people could not correct
   * such a file: its rejected rows go into a workbook.
   */
  copy?(tables: readonly [CopiedFile<Read>, ...CopiedFile<Read>[]], target: string): Promise<void>;
  /**
   * The header, and the rows with a reason, each with its reason in a last column, as rows of a sheet. Absent if rows are
   * not flat. Several tables may be of one file (and sheet). Throws what readBytes throws.
   */
  cells?(
    tables: readonly [CopiedFile<Read>, ...CopiedFile<Read>[]],
  ): AsyncGenerator<readonly WrittenCell[], void, undefined>;
  /** Writes rows as a file from which they are read alike, and the ending of its name. */
  readonly writing: {
    readonly ending: string;
    write(rows: readonly JsonObject[], columns: ReadonlySet<string>): WrittenRows;
  };
}

export function withThrough(cell: Cell, through: Through | undefined): Cell {
  const cells = through?.() ?? [];
  return cells.length === 0 ? cell : { ...cell, behind: cells };
}

/** The number of rows in a sample. */
export const sampleRows = 1000;
