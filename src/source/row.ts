import type { JsonObject } from '../domain/json.ts';

/** The cells of a row: an array, or the row's text, from which a cell is cut out on request. */
export interface Cells extends Iterable<string> {
  readonly length: number;
  at(index: number): string | undefined;
  /** The row as the file has it, without its line end, where that is known. */
  row?(): string;
  /** The row in UTF-8, with its line end if it has one, where hardly any cell of it was read. */
  asRead?(): Uint8Array;
}

/** A row or JSON element whose account is known. */
export interface GoodRow {
  /** Line on which it starts, from 1. */
  readonly line: number;
  /** External account number, as in the export. */
  readonly account: string;
  /** CSV: its cells with white space. JSON: its text. */
  readonly body: Cells | string;
  /** The columns, from 0, whose cells are numbers or dates by their type: a mapping's marks and formats do not apply to them. */
  readonly typed?: readonly number[];
  /** JSON: its parsed text, if it was just parsed. */
  readonly fields?: Readonly<JsonObject>;
  /** Its values that cannot be read; absent if there are none. */
  readonly unreadable?: readonly UnreadableValue[];
  /** Whether the mapping leaves it out. */
  readonly isIgnored?: true;
  /** Remarks about its cells, although they can be read. */
  readonly remarks?: readonly Remark[] | undefined;
}

/** A remark about a cell; those of one kind in a column are reported once. */
export interface Remark {
  readonly code: string;
  /** Header's name. */
  readonly column: string;
  /** What it means, and the remedy. */
  readonly detail: string;
}

/** A value of a row that cannot be read, while its other values can. */
export interface UnreadableValue {
  readonly line: number;
  /** Header's name or JSON path. */
  readonly column: string;
  readonly code: string;
  /** The fault and the remedy; never a value. */
  readonly detail: string;
}

/** A row or JSON element with a fault, or the place where reading of the file ends. */
export interface BadRow {
  readonly line: number;
  /** Header's name or JSON path; '' if there is none. */
  readonly column: string;
  readonly code: string;
  /** The fault and the remedy; never a value. */
  readonly detail: string;
  /** Its account number, if it could be found despite the fault. */
  readonly account?: string | undefined;
  /** Further account numbers that it contains: it may hold more than one record. */
  readonly alsoOf?: readonly string[] | undefined;
  /** Texts in it that may be account numbers of further records: each matters only if the export has such an account. */
  readonly mayBeOf?: readonly string[] | undefined;
  /** Whether `account` is such a text. */
  readonly isSuspect?: true | undefined;
  /** Its cells or text, where it was parsed: whether a mapping leaves it out may depend on them. */
  readonly cells?: GoodRow['body'] | undefined;
  /** Line on which the row starts, if the fault is on a later one. */
  readonly first?: number;
  /** JSON: the element's text. */
  readonly text?: string;
  /** Whether nothing is lost by it: it is told, and not used. */
  readonly isWarning?: true | undefined;
  /** Whether the file seems to be cut off here, so that rows may be missing. */
  readonly isCutOff?: true | undefined;
}

export type Row = GoodRow | BadRow;

/** A file's last row if the file ends within it: the row, if its account is known, and the end of the file. */
export function cutOffIn(row: Row): readonly Row[] {
  const { line, account } = row;
  const end: BadRow = {
    line,
    column: 'body' in row ? '' : row.column,
    code: 'truncated_file',
    detail: 'The file ends within this row, so rows after it may be missing. Export the file again.',
    isCutOff: true,
  };
  if (account === undefined || 'body' in row) return [end];
  const detail = 'The file ends within this row, so the row is incomplete. Export the file again.';
  return [{ ...row, detail }, end];
}

/** A row whose account number is known, sound or not. */
export type AccountRow = Row & { readonly account: string };

/** Without the parsed text, which can be parsed again and has numbers that are not JSON's own. */
export function withoutFields(row: AccountRow): AccountRow {
  if (!('body' in row)) return row;
  const { fields: _fields, ...written } = row;
  return written;
}

export function hasAccount(row: Row): row is AccountRow {
  return row.account !== undefined;
}

/** The rows whose accounts are known; one that holds several records is a row of each account that it names. */
export function rowsOfAccounts(rows: readonly Row[]): readonly AccountRow[] {
  return rows.every(isOfOne) ? rows : rows.flatMap(underNamed);
}

/** The same, and the rows of accounts that rows may also be of. */
export function rowsOfAllAccounts(rows: readonly Row[]): readonly AccountRow[] {
  return rows.every(isOfOne) ? rows : rows.flatMap((row) => [...underNamed(row), ...underSuspects(row)]);
}

/** A row under each account that it may be of, besides those that it names. */
export function underSuspects(row: Row): readonly AccountRow[] {
  if ('body' in row || row.mayBeOf === undefined) return [];
  const { alsoOf: _alsoOf, mayBeOf, ...one } = row;
  return mayBeOf.map((account) => ({ ...one, account, isSuspect: true as const }));
}

function isOfOne(row: Row): row is AccountRow {
  return row.account !== undefined && ('body' in row || (row.alsoOf ?? row.mayBeOf) === undefined);
}

function underNamed(row: Row): readonly AccountRow[] {
  if (!hasAccount(row)) return [];
  if ('body' in row) return [row];
  const { alsoOf = [], mayBeOf: _mayBeOf, ...one } = row;
  return [one, ...alsoOf.map((account) => ({ ...one, account }))];
}

/** Whether it is a row only of an account that has other rows. */
export function isSuspect(row: Row): boolean {
  return 'isSuspect' in row && row.isSuspect === true;
}

/** Whether the mapping leaves out the row. */
export function isLeftOut(row: Row): boolean {
  return 'body' in row && row.isIgnored === true;
}

/** A row that is used together with the others of its account. */
export interface PlacedRow {
  readonly account: string;
  /** Index of its file. */
  readonly file: number;
  readonly row: Row;
}
