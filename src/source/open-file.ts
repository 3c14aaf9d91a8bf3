import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from './export.ts';
import { fileProblem, missingFile } from './fault.ts';
import { FileUnreadable, stateOf } from './file-bytes.ts';
import { tableNames } from './file-name.ts';
import { findEncoding } from './find-encoding.ts';
import { formatOfFile } from './formats/formats.ts';
import type { OpenedFile } from './table.ts';
import { unreadableFile } from './unreadable-file.ts';

export interface OpenFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Finds encodings, and may remember earlier results. */
  readonly encodings?: { readonly findEncoding: typeof findEncoding } | undefined;
}

/** Reads the start of one file of a table: as much as tells its format's features, such as a header. */
export async function openFile(
  root: string,
  spec: TableSpec,
  { signal, encodings = { findEncoding } }: OpenFileOptions,
): Promise<OpenedFile | { readonly problem: Problem }> {
  const path = join(root, spec.file);
  try {
    const state = stateOf(path);
    if (state === undefined) return refused(spec, 'unreadable_file', 'is not a file. Name a file.');
    const look = await formatOfFile(spec.file).open(spec, {
      path,
      signal,
      state,
      findEncoding: (...asked) => encodings.findEncoding(...asked),
    });
    return 'problem' in look ? look : { table: look, path, state };
  } catch (error) {
    if (isMissing(error)) return { problem: missingFile(spec, await suggestion(root, spec)) };
    return { problem: unreadableFile(error, spec.file) };
  }
}

function refused(spec: TableSpec, code: string, rest: string): { problem: Problem } {
  return { problem: fileProblem(code, spec.file, `${spec.file} ${rest}`) };
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof FileUnreadable ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

async function suggestion(root: string, spec: TableSpec): Promise<string> {
  const files = await readdir(root).catch(() => []);
  const meant = nearest(spec.file, [...tableNames(files), ...files]);
  return meant === undefined ? ' Add it.' : ` Did you mean ${meant}?`;
}
