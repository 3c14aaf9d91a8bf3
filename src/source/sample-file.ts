import { definedFields } from '../domain/defined-fields.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from './export.ts';
import { fileProblem, unreadableFile } from './fault.ts';
import { findEncoding } from './find-encoding.ts';
import type { Sample } from './formats/format.ts';
import { formatOfFile } from './formats/formats.ts';
import type { Place } from './places/place.ts';

/** The start of a table in a data file, from which the rest is guessed. */
export interface FileSample extends Sample {
  readonly file: string;
  readonly format: string;
  /** Whether only the other files of the export suggest the encoding. */
  readonly isEncodingOfOthers?: true;
}

/** Why the table of a sample cannot be read by this key; undefined if it can. */
export async function problemOfTable(
  place: Place,
  file: string,
  { encoding, delimiter, quote, sheet, isHeaderless, columns }: Sample,
  key: string,
): Promise<Problem | undefined> {
  const names = isHeaderless === true ? columns : undefined;
  const said = { encoding, delimiter, quote, sheet, names };
  const spec: TableSpec = { name: file, file, role: 'child', key, ...definedFields(said) };
  try {
    const stored = await place.find(file);
    if (stored === undefined) return undefined;
    const found = await formatOfFile(file).open(spec, { stored, findEncoding });
    return 'problem' in found ? found.problem : undefined;
  } catch (error) {
    return unreadableFile(error, file);
  }
}

/**
 * Reads the first readable rows of each table in a file, in the encoding that is stated, if any; a full reading reports
 * their faults.
 */
export async function sampleFile(
  place: Place,
  file: string,
  encoding?: string,
): Promise<readonly FileSample[] | { readonly problem: Problem }> {
  const format = formatOfFile(file);
  try {
    const stored = await place.find(file);
    if (stored === undefined)
      return { problem: fileProblem('missing_file', file, `There is no file ${file}.`) };
    const samples = await format.samples(stored, encoding);
    return samples.map((sample) => ({ file, format: format.name, ...sample }));
  } catch (error) {
    return { problem: unreadableFile(error, file) };
  }
}
