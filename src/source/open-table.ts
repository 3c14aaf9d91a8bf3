import { open, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import { readHeader } from './csv-header.ts';
import { encodingOf } from './encoding.ts';
import type { TableFormat, TableSpec } from './export.ts';
import { fileProblem } from './fault.ts';
import { fileErrorText } from './file-errors.ts';
import type { CsvTable, JsonTable } from './table.ts';
import { readText, type TextBlock } from './text-blocks.ts';

export interface OpenedTable {
  readonly table: CsvTable | JsonTable;
  /** Size of its file in bytes. */
  readonly size: number;
}

/** Looks at the start of a table's file: its encoding, its delimiter and header (CSV), its opening bracket (JSON). */
export async function openTable(
  root: string,
  spec: TableSpec,
): Promise<OpenedTable | { readonly problem: Problem }> {
  try {
    const found = await stat(join(root, spec.file));
    if (!found.isFile()) return refused(spec, 'unreadable_file', 'is not a file. A file is needed there.');
    return await lookAt(join(root, spec.file), spec, found.size);
  } catch (error) {
    if (isMissing(error))
      return refused(spec, 'missing_file', `is not in the export.${await suggestion(root, spec)}`);
    return { problem: unreadableFile(error, spec.file) };
  }
}

/** The problem that an error of the file system stands for; any other error is thrown on. */
export function unreadableFile(error: unknown, file: string): Problem {
  const text = fileErrorText(error);
  if (text === undefined) throw error;
  return fileProblem('unreadable_file', file, `${file} ${text}`);
}

async function lookAt(
  path: string,
  spec: TableSpec,
  size: number,
): Promise<OpenedTable | { readonly problem: Problem }> {
  const encoding = encodingOf(await firstBytes(path), spec.encoding)?.name;
  if (encoding === undefined)
    return refused(
      spec,
      'unknown_encoding',
      'has an encoding stated for it that is not known. State one such as utf-8 or windows-1252.',
    );
  const format = formatOf(spec.file);
  const blocks = readText(path, encoding);
  if (format === 'csv') {
    const header = await readHeader(blocks, { ...spec, encoding });
    return 'problem' in header ? header : { table: { ...spec, ...header, format, encoding }, size };
  }
  if (format === 'json' && !(await beginsWithBracket(blocks)))
    return refused(
      spec,
      'not_an_array',
      'is not a JSON array. Put the records in [ and ], or call it .ndjson if it has one record a line.',
    );
  return { table: { ...spec, format, encoding }, size };
}

function refused(spec: TableSpec, code: string, rest: string): { problem: Problem } {
  return { problem: fileProblem(code, spec.file, `${spec.file} ${rest}`) };
}

function formatOf(file: string): TableFormat {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return 'json';
  return extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : 'csv';
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function beginsWithBracket(blocks: AsyncIterable<TextBlock>): Promise<boolean> {
  for await (const { bytes } of blocks) {
    const text = bytes.toString().trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function suggestion(root: string, spec: TableSpec): Promise<string> {
  const meant = nearest(spec.file, await readdir(root).catch(() => []));
  return meant === undefined ? ' Add it.' : ` Did you mean ${meant}?`;
}
