import type { Problem } from '../domain/problem.ts';
import { exportProblem } from './fault.ts';
import { formatOf } from './formats/formats.ts';
import type { BadRow } from './row.ts';
import type { FileTable } from './table.ts';

/** Turns a bad row into a problem of its account, or of none. */
export function rowProblem(
  { code, detail, line, column }: Omit<BadRow, 'account'>,
  table: FileTable,
  account: string | null,
): Problem {
  return { ...exportProblem(code, detail, formatOf(table).place(table, line, column)), account };
}
