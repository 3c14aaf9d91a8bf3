import { FileUnreadable } from './file-bytes.ts';
import type { ReadOptions } from './places/place.ts';
import { ExportBroken, unreadableFile } from './fault.ts';
import { formatOf } from './formats/formats.ts';
import type { Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/**
 * Reads the rows of one file, in batches. If it is cut short, that is the last row. Throws ExportBroken, and the
 * signal's reason.
 */
export async function* readRows(
  file: OpenedFile,
  options: ReadOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    yield* formatOf(file.table).rows(file, options);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new ExportBroken(unreadableFile(error, file.table.file));
  }
}
