import type { FileTable } from '../../table.ts';

/** A table in a CSV file whose header was read. */
export interface CsvTable extends FileTable {
  readonly columns: readonly string[];
  /** The index of each column in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
  readonly delimiter: string;
}
