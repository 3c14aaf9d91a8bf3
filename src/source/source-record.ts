import type { Problem } from '../domain/problem.ts';
import { changeBy } from '../domain/text-shape.ts';
import type { SourceRecord, TableLink } from './export.ts';
import { exportProblem } from './fault.ts';
import type { Through } from './formats/format.ts';
import { formatOf } from './formats/formats.ts';
import type { BadRow, GoodRow } from './row.ts';
import { keyOf, type FileTable } from './table.ts';

/**
 * Recreates the record from which a row was stored. `through` finds the cells of other tables by which the row found
 * its account.
 */
export function sourceRecord(row: GoodRow, table: FileTable, through?: Through): SourceRecord {
  const linked = table.via === undefined ? undefined : through;
  return formatOf(table).record(row, table, linked);
}

/** The record of a row that cannot be read at all. */
export function unreadableRecord(row: BadRow, table: FileTable): SourceRecord {
  const line = row.first ?? row.line;
  return {
    table,
    line,
    fields: {},
    unreadable: [''],
    value: () => undefined,
    cell: (column) => formatOf(table).place(table, line, column),
    release: () => undefined,
  };
}

/** The key of a row as it is compared: its account number, or the value by which it finds its account. */
export function ownKey(row: GoodRow, table: FileTable): string {
  return keyOf(table)(textAt(row, table, table.key));
}

/** The value by which rows of another table refer to this row; '' if it has none. */
export function linkedValue(row: GoodRow, table: FileTable, { column, shape }: TableLink): string {
  const text = textAt(row, table, column).trim().normalize('NFC');
  return shape === undefined ? text : changeBy(shape)(text);
}

function textAt(row: GoodRow, table: FileTable, column: string): string {
  return formatOf(table).text(row, table, column);
}

/** Turns a bad row into a problem of its account, or of none. */
export function rowProblem(
  { code, detail, line, column }: Omit<BadRow, 'account'>,
  table: FileTable,
  account: string | null,
): Problem {
  return { ...exportProblem(code, detail, formatOf(table).place(table, line, column)), account };
}
