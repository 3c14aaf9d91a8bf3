import { rejectedBecause } from '../domain/rejected-because.ts';
import { DatabaseRefused } from '../sqlite/refusal.ts';
import type { Export, ExportUnreadable, TableSpec } from './export.ts';
import { ExportBroken, exportProblem, fileProblem } from './fault.ts';
import { listExport } from './list-export.ts';
import { openTables } from './open-tables.ts';
import { OpenedExport } from './opened-export.ts';
import { readSorted, readStaged, type ReadingOptions } from './reading.ts';
import { stagingRefusal } from './staging.ts';
import type { FileTable } from './table.ts';

export interface OpenExportOptions extends ReadingOptions {
  /** Names of the data files that a table's parts are looked for among; those of the directory where absent. */
  readonly files?: readonly string[];
}

/**
 * Reads an export, given its tables, exactly one of them the accounts table. All files are read here,
 * to the end; then the accounts can be taken from it one by one. Files that are all sorted by account number are read
 * again for that and merged; the rows of others are kept in a temporary file on disk.
 * What is wrong with a row is laid at its account, or is one of the `faults`; what keeps a whole file from being read
 * makes the export unreadable, and every such file is named. When the signal is aborted, reading (bundles included)
 * throws its reason; bundles throw ExportBroken where a file is no longer what it was.
 */
export async function openExport(
  root: string,
  specs: readonly TableSpec[],
  options: OpenExportOptions = {},
): Promise<Export | ExportUnreadable> {
  const opened = await openTables(root, specs, options.files ?? (await dataFiles(root)), {
    signal: options.signal,
    encodings: options.only,
  });
  if ('problems' in opened) return opened;
  const tables = opened.map(([{ table }]) => table);
  const accountsFile = tables.find(({ role }) => role === 'accounts')?.file;
  if (accountsFile === undefined) throw new Error('An export needs an accounts table.');
  try {
    const files = opened.flat();
    // One account is found in one reading; a merge would take two.
    const sorted = options.only === undefined ? await readSorted(files, options) : undefined;
    const reading = sorted ?? (await readStaged(files, options));
    if (
      reading.accounts === 0 &&
      options.only === undefined &&
      !reading.faults.some(({ cell }) => cell?.file === accountsFile)
    ) {
      reading.rows.close();
      const detail = `${accountsFile} has no accounts in it. Export it again, or name another export.`;
      return { problems: [fileProblem('empty_export', accountsFile, detail)] };
    }
    const found = { ...reading, tables: tables.map(withoutReason), files: files.map(({ table }) => table) };
    return new OpenedExport(found, options.signal);
  } catch (error) {
    if (error instanceof ExportBroken) return { problems: [error.problem] };
    const refusal = stagingRefusal(error);
    if (!(refusal instanceof DatabaseRefused)) throw error;
    return { problems: [exportProblem('staging_failed', refusal.message)] };
  }
}

async function dataFiles(root: string): Promise<readonly string[]> {
  const listing = await listExport(root);
  return 'problems' in listing ? [] : listing.files;
}

/** The reason that a rejected row carries is for people, and no part of its data. */
function withoutReason(table: FileTable): FileTable {
  if (table.format !== 'csv') return table;
  return { ...table, columns: table.columns.filter((name) => name !== rejectedBecause) };
}
