import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import { readHeader } from './csv-header.ts';
import { encodingOf } from './encoding.ts';
import type { TableSpec } from './export.ts';
import { ExportBroken, fileProblem } from './fault.ts';
import { FileUnreadable, readBytes, stateOf, type FileState, type ReadOptions } from './file-bytes.ts';
import { formatOf } from './file-name.ts';
import type { FileTable } from './table.ts';
import { readText, type TextBlock } from './text-blocks.ts';

export interface OpenedFile {
  readonly table: FileTable;
  readonly path: string;
  readonly state: FileState;
}

/**
 * Looks at the start of one file of a table: its encoding, its delimiter and header (CSV), its opening bracket (JSON).
 */
export async function openFile(
  root: string,
  spec: TableSpec,
  signal: AbortSignal | undefined,
): Promise<OpenedFile | { readonly problem: Problem }> {
  const path = join(root, spec.file);
  try {
    const state = await stateOf(path);
    if (state === undefined)
      return refused(spec, 'unreadable_file', 'is not a file. A file is needed there.');
    const look = await lookAt(path, spec, { signal, state });
    return 'problem' in look ? look : { table: look, path, state };
  } catch (error) {
    if (isMissing(error))
      return refused(spec, 'missing_file', `is not in the export.${await suggestion(root, spec)}`);
    return { problem: unreadableFile(error, spec.file) };
  }
}

/** The problem that an error of reading stands for; any other error is thrown on. */
export function unreadableFile(error: unknown, file: string): Problem {
  if (error instanceof ExportBroken) return error.problem;
  if (!(error instanceof FileUnreadable)) throw error;
  return fileProblem(error.code, file, `${file} ${error.message}`);
}

async function lookAt(
  path: string,
  spec: TableSpec,
  options: ReadOptions,
): Promise<FileTable | { readonly problem: Problem }> {
  const encoding = encodingOf(await firstBytes(path, options), spec.encoding)?.name;
  if (encoding === undefined)
    return refused(
      spec,
      'unknown_encoding',
      'has an encoding stated for it that is not known. State one such as utf-8 or windows-1252.',
    );
  const format = formatOf(spec.file);
  const blocks = readText(path, encoding, options);
  if (format === 'csv') {
    const header = await readHeader(blocks, { ...spec, encoding });
    return 'problem' in header ? header : { ...spec, ...header, format, encoding };
  }
  if (format === 'json' && !(await beginsWithBracket(blocks)))
    return refused(
      spec,
      'not_an_array',
      'is not a JSON array. Put the records in [ and ], or call it .ndjson if it has one record a line.',
    );
  return { ...spec, format, encoding };
}

function refused(spec: TableSpec, code: string, rest: string): { problem: Problem } {
  return { problem: fileProblem(code, spec.file, `${spec.file} ${rest}`) };
}

async function firstBytes(path: string, options: ReadOptions): Promise<Buffer> {
  for await (const bytes of readBytes(path, options)) return bytes;
  return Buffer.alloc(0);
}

async function beginsWithBracket(blocks: AsyncIterable<TextBlock>): Promise<boolean> {
  for await (const { bytes } of blocks) {
    const text = bytes.toString().trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof FileUnreadable ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

async function suggestion(root: string, spec: TableSpec): Promise<string> {
  const meant = nearest(spec.file, await readdir(root).catch(() => []));
  return meant === undefined ? ' Add it.' : ` Did you mean ${meant}?`;
}
