import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from './export.ts';
import { missingFile } from './fault.ts';
import { tableNames } from './file-name.ts';
import { findEncoding } from './find-encoding.ts';
import { formatOfFile } from './formats/formats.ts';
import type { Place } from './places/place.ts';
import type { OpenedFile } from './table.ts';
import { unreadableFile } from './unreadable-file.ts';

export interface OpenFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Finds encodings, and may remember earlier results. */
  readonly encodings?: { readonly findEncoding: typeof findEncoding } | undefined;
}

/** Reads the start of one file of a table: as much as tells its format's features, such as a header. */
export async function openFile(
  place: Place,
  spec: TableSpec,
  { signal, encodings = { findEncoding } }: OpenFileOptions,
): Promise<OpenedFile | { readonly problem: Problem }> {
  try {
    const stored = await place.find(spec.file);
    if (stored === undefined) return { problem: missingFile(spec, await suggestion(place, spec)) };
    const look = await formatOfFile(spec.file).open(spec, {
      stored,
      signal,
      findEncoding: (...asked) => encodings.findEncoding(...asked),
    });
    return 'problem' in look ? look : { table: look, stored };
  } catch (error) {
    return { problem: unreadableFile(error, spec.file) };
  }
}

async function suggestion(place: Place, spec: TableSpec): Promise<string> {
  const files = await place.list().catch(() => []);
  const meant = nearest(spec.file, [...tableNames(files), ...files]);
  return meant === undefined ? ' Add it.' : ` Did you mean ${meant}?`;
}
