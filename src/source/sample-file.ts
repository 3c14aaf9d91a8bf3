import { isAscii } from 'node:buffer';
import { join } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import type { TableFormat } from './export.ts';
import { formatOf } from './file-name.ts';
import { findEncoding } from './find-encoding.ts';
import type { Sample } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { unreadableFile } from './open-file.ts';
import { lastLineEnd } from './physical-lines.ts';
import { joined, readText } from './text-blocks.ts';

/** The start of a data file, from which the rest is guessed. */
export interface FileSample extends Sample {
  readonly file: string;
  readonly format: TableFormat;
  /** Absent if the sampled rows are the same in all usual encodings. */
  readonly encoding?: string;
}

const sampleSize = 1024 * 1024;

/** Reads the first rows of a file, as far as they can be read; a full reading reports their faults. */
export async function sampleFile(
  root: string,
  file: string,
): Promise<FileSample | { readonly problem: Problem }> {
  try {
    const path = join(root, file);
    const { name: encoding } = await findEncoding(path, undefined);
    const start = await startOf(path, encoding);
    const base = { file, ...(encoding === 'utf-8' && isAscii(start) ? {} : { encoding }) };
    const format = formatOf(file);
    return { ...base, format, ...formats[format].sample(start) };
  } catch (error) {
    return { problem: unreadableFile(error, file) };
  }
}

/** Whole lines, in UTF-8. */
async function startOf(path: string, encoding: string): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const block of readText(path, encoding)) {
    bytes = joined(bytes, block.bytes);
    if (bytes.length > sampleSize) return bytes.subarray(0, lastLineEnd(bytes));
  }
  return bytes;
}
