import { shownText } from './foreign-text.ts';
import { definedFields } from './defined-fields.ts';

/** Provenance: the place in the export that a value was read from. */
export interface Cell {
  /** Path of the file, relative to the export directory. */
  readonly file: string;
  /** Line in the file as an editor shows it, or row of its sheet, from 1. */
  readonly line: number;
  /** The header's name (CSV, workbooks), or the JSON path within the record, such as `customers.0.landline`. */
  readonly column: string;
  /** The sheet of a workbook. */
  readonly sheet?: string;
  /** The cell's reference on its sheet, such as `C17`; absent for a whole row. */
  readonly ref?: string;
  /** The other columns of the same row that the value was made of, if it was made of several. */
  readonly beside?: readonly string[];
  /**
   * The other cells on which the value depends: those of conditions that chose it or its row, those that joined the row to
   * its parent, and those of other tables through which the row's account was found.
   */
  readonly behind?: readonly Cell[];
}

/** A single cell, without the others that a value depends on. */
export function oneCell({ file, line, column, sheet, ref }: Cell): Cell {
  return definedFields({ file, line, column, sheet, ref });
}

/** Differs between any two places. */
export function cellKey({ file, line, column, sheet }: Cell): string {
  return JSON.stringify([file, sheet, line, column]);
}

/**
 * A cell as members of a JSON line: what every cell has is null if it is not known, the rest undefined.
 */
export function cellRecord(cell: Cell | undefined): object {
  const { file = null, line = null, column = null, sheet, ref } = cell ?? {};
  return { file, line, column, sheet, cell: ref };
}

/** `file:line:column`, as editors and terminals open it, or `file:sheet!C17`; without the column for a whole record. For people. */
export function place({ file, line, column, sheet, ref }: Cell): string {
  const where =
    sheet === undefined ? [line, ...(column === '' ? [] : [column])] : [`${sheet}!${ref ?? line}`];
  return shownText([file, ...where].join(':'));
}

/** Stands between the file, the sheet and the reference in one text; no name has it. */
const mark = '\u001f';

/** A cell in three values. */
export interface StoredCell {
  readonly file: string;
  readonly line: number;
  readonly column: string;
}

type StoredOrNulls = { readonly [Key in keyof StoredCell]: StoredCell[Key] | null };

export function storedCell({ file, line, column, sheet, ref }: Cell): StoredCell {
  return { file: sheet === undefined ? file : [file, sheet, ref ?? ''].join(mark), line, column };
}

/** The same; nulls if there is no cell. */
export function storedOrNulls(cell: Cell | undefined): StoredOrNulls {
  return cell === undefined ? { file: null, line: null, column: null } : storedCell(cell);
}

export function restoredCell({ file: stored, line, column }: StoredCell): Cell {
  const [file = '', sheet, ref] = stored.split(mark);
  return definedFields({
    file,
    line,
    column,
    sheet,
    ref: ref === '' ? undefined : ref,
  });
}

/** The same of what `storedOrNulls` stored. */
export function restoredIfAny({ file, line, column }: StoredOrNulls): Cell | undefined {
  return file === null || line === null || column === null ? undefined : restoredCell({ file, line, column });
}
