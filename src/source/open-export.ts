import { rejectedBecause } from '../domain/rejected-because.ts';
import { DatabaseRefused } from '../sqlite/open-database.ts';
import type { Export, ExportFault, ExportUnreadable, TableSpec } from './export.ts';
import { exportProblem, FaultList, fileProblem, rowProblem } from './fault.ts';
import { listExport } from './list-export.ts';
import { unreadableFile, type OpenedFile } from './open-file.ts';
import { openTables } from './open-tables.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';
import { sourceRecord } from './source-record.ts';
import { StagedExport, stagingRefusal } from './staged-export.ts';
import { Staging, type StageableRow, type Stray } from './staging.ts';
import type { FileTable } from './table.ts';

/** How far reading has come. */
export interface ReadProgress {
  /** Rows read so far, in all files. */
  readonly rows: number;
  /** Bytes of the files, compressed ones as they are. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface OpenExportOptions {
  /** Names of the data files that a table's parts are looked for among; those of the directory where absent. */
  readonly files?: readonly string[];
  /** Keeps the rows of this account alone. All files are read all the same. */
  readonly only?: string;
  /** Called a few times for each MiB that is read. */
  readonly onProgress?: (progress: ReadProgress) => void;
  /** When it is aborted, reading (bundles included) throws its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads an export, given its tables, exactly one of them the accounts table. All files are read here,
 * to the end, and their rows kept in a temporary file on disk; then the accounts can be taken from it one by one.
 * What is wrong with a row is laid at its account, or is one of the `faults`; what keeps a whole file from being read
 * makes the export unreadable, and every such file is named.
 */
export async function openExport(
  root: string,
  specs: readonly TableSpec[],
  options: OpenExportOptions = {},
): Promise<Export | ExportUnreadable> {
  const opened = await openTables(root, specs, options.files ?? (await dataFiles(root)), options.signal);
  if ('problems' in opened) return opened;
  const files = opened.flat();
  const tables = opened.map(([{ table }]) => table);
  const accountsTable = tables.find(({ role }) => role === 'accounts');
  if (accountsTable === undefined) throw new Error('An export needs an accounts table.');

  const staging = new Staging(files.map(({ table }) => table.role === 'accounts'));
  const faults = new FaultList();
  let opens = false;
  try {
    const unreadable = await stageAll(files, { staging, faults }, options);
    if (unreadable !== undefined) return unreadable;
    const accounts = staging.settle();
    for (const stray of staging.strays()) {
      const file = files[stray.file];
      if (file !== undefined) faults.add(strayFault(stray, file.table, accountsTable.file));
    }
    const isEmpty = accounts === 0 && options.only === undefined;
    if (isEmpty && !faults.all().some(({ cell }) => cell?.file === accountsTable.file)) {
      const detail = `${accountsTable.file} has no accounts in it. Export it again, or name another export.`;
      return { problems: [fileProblem('empty_export', accountsTable.file, detail)] };
    }
    opens = true;
    const found = {
      tables: tables.map(withoutReason),
      files: files.map(({ table }) => table),
      accounts,
      faults: faults.all(),
    };
    return new StagedExport(staging, found, options.signal);
  } catch (error) {
    const refusal = stagingRefusal(error);
    if (!(refusal instanceof DatabaseRefused)) throw error;
    return { problems: [exportProblem('staging_failed', refusal.message)] };
  } finally {
    if (!opens) staging.close();
  }
}

/** The reason that a rejected row carries is for people, and no part of its data. */
function withoutReason(table: FileTable): FileTable {
  if (table.format !== 'csv') return table;
  return { ...table, columns: table.columns.filter((name) => name !== rejectedBecause) };
}

async function dataFiles(root: string): Promise<readonly string[]> {
  const listing = await listExport(root);
  return 'problems' in listing ? [] : listing.files;
}

/** Reads every file into the staging; gives the problem of the first that cannot be read. */
async function stageAll(
  files: readonly OpenedFile[],
  { staging, faults }: { readonly staging: Staging; readonly faults: FaultList },
  { only, onProgress, signal }: OpenExportOptions,
): Promise<ExportUnreadable | undefined> {
  const totalBytes = files.reduce((sum, { state }) => sum + state.size, 0);
  let rows = 0;
  let bytes = 0;
  const onBytes = (count: number): void => void (bytes += count);
  for (const [position, file] of files.entries()) {
    const { table } = file;
    try {
      for await (const batch of readRows(file, { onBytes, signal })) {
        const known = batch.filter(isStageable);
        staging.add(only === undefined ? known : known.filter(({ account }) => account === only), position);
        for (const row of batch)
          if (!isStageable(row))
            faults.add({ ...rowProblem(row, table.file, null), holdsBack: table.role !== 'accounts' });
        rows += batch.length;
        onProgress?.({ rows, bytes, totalBytes });
      }
    } catch (error) {
      return { problems: [unreadableFile(error, table.file)] };
    }
  }
  return undefined;
}

function isStageable(row: Row): row is StageableRow {
  return row.account !== undefined;
}

function strayFault(
  { account, row, isConfirmed }: Stray,
  table: FileTable,
  accountsFile: string,
): ExportFault {
  // A bad row whose number no sound row has may be any account's, misread.
  if (!('body' in row))
    return { ...rowProblem(row, table.file, isConfirmed ? account : null), holdsBack: !isConfirmed };
  const { line, column } = sourceRecord(row, table).cell(table.key);
  const detail = `The account of this row is not in ${accountsFile}. Add it there, or take the row out.`;
  return {
    ...rowProblem({ code: 'orphan_row', detail, line, column }, table.file, account),
    holdsBack: false,
  };
}
