import type { ReadTwice, RowOptions } from './formats/format.ts';
import { formatOf } from './formats/formats.ts';
import { withoutIgnored } from './ignored-rows.ts';
import { namingFile, readRows } from './read-rows.ts';
import type { Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/** Reads files twice, and parses those once whose format can give its rows again. */
export class FilesReadTwice {
  readonly #open = new Map<OpenedFile, ReadTwice>();

  /** The first reading. Throws what readRows throws, including if the rows cannot be stored. */
  first(file: OpenedFile, options: RowOptions): AsyncGenerator<readonly Row[], void, undefined> {
    return namingFile(file, () => {
      const format = formatOf(file.table);
      const rows = format.twice?.(file);
      if (rows === undefined) return format.rows(file, options);
      this.#open.set(file, rows);
      return rows.first(options);
    });
  }

  /** A further reading, after the first was read to its end. */
  async *again(file: OpenedFile, options: RowOptions): AsyncGenerator<readonly Row[], void, undefined> {
    const rows = this.#open.get(file);
    if (rows === undefined) yield* readRows(file, options);
    else for (const batch of rows.again(options)) yield withoutIgnored(batch, file.table);
  }

  /** Frees the disk. */
  close(): void {
    for (const rows of this.#open.values()) rows.close();
    this.#open.clear();
  }
}
