import { CutShort, FileUnreadable, type ReadOptions } from './file-bytes.ts';
import { ExportBroken } from './fault.ts';
import { parseFileName } from './file-name.ts';
import { formats } from './formats/formats.ts';
import { unreadableFile, type OpenedFile } from './open-file.ts';
import { lineEndsIn } from './physical-lines.ts';
import type { Row } from './row.ts';
import { readText, type TextBlock } from './text-blocks.ts';

/**
 * Reads the rows of one file, in batches. If a compressed file is cut short, that is the last row. Throws
 * ExportBroken, and the signal's reason.
 */
export async function* readRows(
  file: OpenedFile,
  options: ReadOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { table, path, state } = file;
  const isCompressed = parseFileName(path).compression !== undefined;
  let line = 1;
  const blocks = async function* (): AsyncGenerator<TextBlock, void, undefined> {
    for await (const block of readText(path, table.encoding, { ...options, state })) {
      yield block;
      if (isCompressed) line += lineEndsIn(block.bytes, 0, block.bytes.length);
    }
  };
  try {
    yield* formats[table.format].rows(blocks(), table);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    if (!(error instanceof CutShort)) throw new ExportBroken(unreadableFile(error, table.file));
    const detail = `The file ${error.message} The rest was not read.`;
    yield [{ line, column: '', code: error.code, detail, isCutOff: true }];
  }
}
