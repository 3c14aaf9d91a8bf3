import type { Table } from './export.ts';

/** A table in a CSV file, its header read. */
export interface CsvTable extends Table {
  readonly format: 'csv';
  readonly columns: readonly string[];
  /** Where each of them stands in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
  readonly delimiter: string;
  readonly encoding: string;
}

/** A table in a JSON array, or with one JSON object a line. */
export interface JsonTable extends Table {
  readonly format: 'json' | 'ndjson';
  readonly encoding: string;
}

/** A table as one file has it. */
export type FileTable = CsvTable | JsonTable;
