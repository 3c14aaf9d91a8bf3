import type { JsonObject } from '../domain/json.ts';
import type { Cells } from './csv-record.ts';

/** A row or JSON element that was read, and whose account is known. */
export interface GoodRow {
  /** Line on which it starts, from 1. */
  readonly line: number;
  /** External account number, as the export has it. */
  readonly account: string;
  /** CSV: its cells, white space and all. JSON: its text. */
  readonly body: Cells | string;
  /** JSON: what its text says, where that was just read. */
  readonly fields?: Readonly<JsonObject>;
}

/** A row or JSON element with a fault, or the place from which a file cannot be read on. */
export interface BadRow {
  readonly line: number;
  /** Header's name or JSON path; '' where there is none. */
  readonly column: string;
  readonly code: string;
  /** What is wrong and what to do about it; never a value. */
  readonly detail: string;
  /** Its account number, where that could be made out all the same. */
  readonly account?: string;
  /** Line on which the row starts, where the fault is on a later one. */
  readonly first?: number;
  /** JSON: the element's text. */
  readonly text?: string;
  /** The file seems to be cut off here: rows that should follow are not known. */
  readonly isCutOff?: true;
}

export type Row = GoodRow | BadRow;

/** A row whose account number is known, be it sound or not. */
export type AccountRow = Row & { readonly account: string };

export function hasAccount(row: Row): row is AccountRow {
  return row.account !== undefined;
}

/** A row that comes with the others of its account. */
export interface PlacedRow {
  readonly account: string;
  /** Position of its file. */
  readonly file: number;
  readonly row: Row;
}
