import type { Table } from './export.ts';

/** A table in a CSV file whose header was read. */
export interface CsvTable extends Table {
  readonly format: 'csv';
  readonly columns: readonly string[];
  /** The index of each column in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
  readonly delimiter: string;
  readonly encoding: string;
}

/** A table in a JSON array, or with one JSON object a line. */
export interface JsonTable extends Table {
  readonly format: 'json' | 'ndjson';
  readonly encoding: string;
}

/** A table as in one of its files. */
export type FileTable = CsvTable | JsonTable;
