import type { Table } from './export.ts';
import type { StoredFile } from './places/place.ts';

/** A table as in one of its files; a format adds what it found there. */
export interface FileTable extends Table {
  readonly encoding: string;
}

/** A file of a table whose start was read. */
export interface OpenedFile<Read extends FileTable = FileTable> {
  readonly table: Read;
  readonly stored: StoredFile;
}
