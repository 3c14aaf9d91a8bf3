import { join } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import type { Sample } from './formats/format.ts';
import { formatOfFile } from './formats/formats.ts';
import { unreadableFile } from './unreadable-file.ts';

/** The start of a table in a data file, from which the rest is guessed. */
export interface FileSample extends Sample {
  readonly file: string;
  readonly format: string;
}

/** Reads the first rows of each table in a file, as far as they can be read; a full reading reports their faults. */
export async function sampleFile(
  root: string,
  file: string,
): Promise<readonly FileSample[] | { readonly problem: Problem }> {
  const format = formatOfFile(file);
  try {
    const samples = await format.samples(join(root, file));
    return samples.map((sample) => ({ file, format: format.name, ...sample }));
  } catch (error) {
    return { problem: unreadableFile(error, file) };
  }
}
