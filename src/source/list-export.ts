import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { ExportUnreadable } from './export.ts';
import { exportProblem } from './fault.ts';
import { fileErrorText } from './file-errors.ts';
import { isDataFile } from './file-name.ts';

/** The data files of an export. */
export interface ExportListing {
  /** The directory that they are in, absolute. */
  readonly root: string;
  /** Their names, sorted. */
  readonly files: readonly string[];
}

/**
 * Lists the data files (.csv, .tsv, .json, .ndjson, .jsonl, as they are or as .gz or .zst) of a directory, or takes a
 * single file for the whole export.
 */
export async function listExport(path: string): Promise<ExportListing | ExportUnreadable> {
  const unreadable = (code: string, rest: string): ExportUnreadable => ({
    problems: [exportProblem(code, `The export ${path} ${rest}`)],
  });
  try {
    const root = resolve(path);
    if (!(await stat(root)).isDirectory())
      return isDataFile(basename(root))
        ? { root: dirname(root), files: [basename(root)] }
        : unreadable(
            'not_a_data_file',
            'is not a .csv, .json or .ndjson file (.gz or not). Name such a file, or a directory.',
          );
    const files = (await readdir(root)).filter(isDataFile).sort();
    return files.length > 0
      ? { root, files }
      : unreadable(
          'empty_export',
          'has no .csv, .json or .ndjson file (.gz or not) in it. Name the directory that has them.',
        );
  } catch (error) {
    const text = fileErrorText(error);
    if (text === undefined) throw error;
    return unreadable('unreadable_export', text);
  }
}
