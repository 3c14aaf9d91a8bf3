import type { GoodRow, Row } from './row.ts';
import { sourceRecord } from './source-record.ts';
import type { FileTable } from './table.ts';

/** Stands for the account of a row that is left out and names none: no account number is this character. */
export const noAccount = '\0';

/**
 * Finds the rows that a mapping leaves out, before anything else is asked of them: those of the accounts table, and those of
 * other tables that could not be used otherwise. The others are left out where they are mapped, so that they are counted with
 * their accounts.
 */
export function withoutIgnored(rows: readonly Row[], table: FileTable): readonly Row[] {
  const { ignore, role } = table;
  if (ignore === undefined) return rows;
  return rows.map((row): Row => {
    if ('body' in row)
      return role === 'accounts' && isIgnored(row, table) ? { ...row, isIgnored: true } : row;
    const { cells, ...bad } = row;
    if (cells === undefined) return row;
    const unreadable = missingCells(cells, table).map((column) => ({ ...bad, column }));
    const asGood: GoodRow = { line: row.first ?? row.line, account: noAccount, body: cells, unreadable };
    return isIgnored(asGood, table)
      ? { line: asGood.line, account: noAccount, body: cells, isIgnored: true }
      : bad;
  });
}

/** The columns of cells that a row is too short for. */
function missingCells(cells: GoodRow['body'], { columns = [] }: FileTable): readonly string[] {
  return typeof cells === 'string' ? [] : columns.slice(cells.length);
}

/** Whether the mapping leaves out a row; false if that depends on a cell that cannot be read. */
export function isIgnored(row: GoodRow, table: FileTable): boolean {
  return table.ignore?.holds(sourceRecord(row, table)) === true;
}
