import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from './export.ts';
import { ExportBroken, fileProblem, missingFile } from './fault.ts';
import { FileUnreadable, stateOf, type FileState, type ReadOptions } from './file-bytes.ts';
import { formatOf, tableNames } from './file-name.ts';
import { findEncoding, type FoundEncoding } from './find-encoding.ts';
import { formats } from './formats/formats.ts';
import type { FileTable } from './table.ts';
import { readText } from './text-blocks.ts';

export interface OpenFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Finds encodings, and may remember earlier results. */
  readonly encodings?: { readonly findEncoding: typeof findEncoding } | undefined;
}

export interface OpenedFile {
  readonly table: FileTable;
  readonly path: string;
  readonly state: FileState;
}

/**
 * Reads the start of one file of a table: its encoding, its delimiter and header (CSV), its opening bracket (JSON).
 */
export async function openFile(
  root: string,
  spec: TableSpec,
  { signal, encodings = { findEncoding } }: OpenFileOptions,
): Promise<OpenedFile | { readonly problem: Problem }> {
  const path = join(root, spec.file);
  try {
    const state = stateOf(path);
    if (state === undefined) return refused(spec, 'unreadable_file', 'is not a file. Name a file.');
    const options = { signal, state };
    const encoding = await encodings.findEncoding(path, spec.encoding, options);
    const look = await lookAt(path, spec, encoding, options);
    return 'problem' in look ? look : { table: look, path, state };
  } catch (error) {
    if (isMissing(error)) return { problem: missingFile(spec, await suggestion(root, spec)) };
    return { problem: unreadableFile(error, spec.file) };
  }
}

/** The problem for an error of reading; any other error is thrown again. */
export function unreadableFile(error: unknown, file: string): Problem {
  if (error instanceof ExportBroken) return error.problem;
  if (!(error instanceof FileUnreadable)) throw error;
  return fileProblem(error.code, file, `${file} ${error.message}`);
}

async function lookAt(
  path: string,
  { origin: _origin, ...spec }: TableSpec,
  { name: encoding, isGuess }: FoundEncoding,
  options: ReadOptions,
): Promise<FileTable | { readonly problem: Problem }> {
  const found = { ...spec, encoding, ...(isGuess ? { isEncodingGuess: true as const } : {}) };
  return formats[formatOf(spec.file)].open(readText(path, encoding, options), found);
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
