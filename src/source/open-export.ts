import { join } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import { DatabaseRefused } from '../sqlite/open-database.ts';
import { readCsvRows } from './csv-rows.ts';
import type { Export, ExportFault, ExportUnreadable, TableSpec } from './export.ts';
import { exportProblem, FaultList, fileProblem, rowProblem } from './fault.ts';
import { readJsonArray } from './json-array.ts';
import { readNdjson } from './ndjson.ts';
import { openTable, unreadableFile, type OpenedTable } from './open-table.ts';
import type { Row } from './row.ts';
import { sourceRecord } from './source-record.ts';
import { StagedExport, stagingRefusal } from './staged-export.ts';
import { Staging, type StageableRow, type Stray } from './staging.ts';
import type { CsvTable, JsonTable } from './table.ts';
import { readText, type TextBlock } from './text-blocks.ts';

/** How far reading has come. */
export interface ReadProgress {
  /** Rows read so far, in all files. */
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface OpenExportOptions {
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
  const looks = await Promise.all(specs.map((spec) => openTable(root, spec)));
  const problems = looks.flatMap((look) => ('problem' in look ? [look.problem] : []));
  if (problems.length > 0) return { problems };
  const opened = looks.flatMap((look) => ('table' in look ? [look] : []));
  const accountsTable = opened.findIndex(({ table }) => table.role === 'accounts');
  const accountsFile = opened[accountsTable]?.table.file;
  if (accountsFile === undefined) throw new Error('An export needs an accounts table.');

  const staging = new Staging(accountsTable);
  const faults = new FaultList();
  let opens = false;
  try {
    const problem = await stageAll(root, opened, { staging, faults }, options);
    if (problem !== undefined) return { problems: [problem] };
    const tables = opened.map(({ table }) => table);
    const accounts = staging.settle();
    for (const stray of staging.strays()) {
      const table = tables[stray.table];
      if (table !== undefined) faults.add(strayFault(stray, table, accountsFile));
    }
    if (accounts === 0 && !faults.all().some(({ cell }) => cell?.file === accountsFile)) {
      const detail = `${accountsFile} has no accounts in it. Export it again, or name another export.`;
      return { problems: [fileProblem('empty_export', accountsFile, detail)] };
    }
    opens = true;
    return new StagedExport(staging, { tables, accounts, faults: faults.all() }, options.signal);
  } catch (error) {
    const refusal = stagingRefusal(error);
    if (!(refusal instanceof DatabaseRefused)) throw error;
    return { problems: [exportProblem('staging_failed', refusal.message)] };
  } finally {
    if (!opens) staging.close();
  }
}

/** Reads every file into the staging; gives the problem of the first that cannot be read. */
async function stageAll(
  root: string,
  opened: readonly OpenedTable[],
  { staging, faults }: { readonly staging: Staging; readonly faults: FaultList },
  { onProgress, signal }: OpenExportOptions,
): Promise<Problem | undefined> {
  const totalBytes = opened.reduce((sum, { size }) => sum + size, 0);
  let rows = 0;
  let bytes = 0;
  const onBytes = (count: number): void => void (bytes += count);
  for (const [position, { table }] of opened.entries()) {
    try {
      const blocks = readText(join(root, table.file), table.encoding, { onBytes, signal });
      for await (const batch of readRows(blocks, table)) {
        staging.add(batch.filter(isStageable), position);
        for (const row of batch)
          if (!isStageable(row))
            faults.add({ ...rowProblem(row, table.file, null), holdsBack: table.role !== 'accounts' });
        rows += batch.length;
        onProgress?.({ rows, bytes, totalBytes });
      }
    } catch (error) {
      return unreadableFile(error, table.file);
    }
  }
  return undefined;
}

function readRows(
  blocks: AsyncIterable<TextBlock>,
  table: CsvTable | JsonTable,
): AsyncIterable<readonly Row[]> {
  if (table.format === 'csv') return readCsvRows(blocks, table);
  return table.format === 'json' ? readJsonArray(blocks, table) : readNdjson(blocks, table);
}

function isStageable(row: Row): row is StageableRow {
  return row.account !== undefined;
}

function strayFault(
  { account, row, isConfirmed }: Stray,
  table: CsvTable | JsonTable,
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
