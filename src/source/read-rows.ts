import { FileUnreadable } from './file-bytes.ts';
import type { RowOptions } from './formats/format.ts';
import { ExportBroken, unreadableFile } from './fault.ts';
import { withoutIgnored } from './ignored-rows.ts';
import { formatOf } from './formats/formats.ts';
import type { Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/**
 * Reads the rows of one file, in batches. If it is cut short, that is the last row. Throws ExportBroken, and the
 * signal's reason.
 */
export function readRows(
  file: OpenedFile,
  options: RowOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  return namingFile(file, () => formatOf(file.table).rows(file, options));
}

/** Rows of a file: what a format throws because it cannot be read becomes ExportBroken, with its name. */
export async function* namingFile(
  { table }: OpenedFile,
  rows: () => AsyncGenerator<readonly Row[], void, undefined>,
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    for await (const batch of rows()) yield withoutIgnored(batch, table);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new ExportBroken(unreadableFile(error, table.file));
  }
}
