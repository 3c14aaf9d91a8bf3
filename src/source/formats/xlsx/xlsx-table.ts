import type { FileTable } from '../../table.ts';
import type { Merge } from './merges.ts';

/** A table on a sheet of a workbook, whose header was found. */
export interface XlsxTable extends FileTable {
  readonly columns: readonly string[];
  /** The index of each column in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
  readonly sheet: string;
  /** The sheet's part of the file. */
  readonly part: string;
  /** The row of the header. */
  readonly header: number;
  /** The number of each column on the sheet, from zero. */
  readonly places: readonly number[];
  readonly merges: readonly Merge[];
}
