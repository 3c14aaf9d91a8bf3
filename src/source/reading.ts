import type { ExportFault } from './export.ts';
import type { ReadOptions } from './file-bytes.ts';
import { RowFaults } from './row-faults.ts';
import { Disorder, mergeByAccount, mostMerged, orders, type Order } from './merge.ts';
import type { RowCache } from './row-cache.ts';
import type { OpenedFile } from './open-file.ts';
import type { RowsByAccount } from './opened-export.ts';
import { readRows } from './read-rows.ts';
import { hasAccount, type AccountRow, type Row } from './row.ts';
import { ExternalSort } from './external-sort.ts';

/** The progress of a reading. */
export interface ReadProgress {
  /** Rows read so far, in all files. */
  readonly rows: number;
  /** Bytes of the files; compressed ones count compressed. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ReadingOptions {
  /** Takes the rows of one account only. Files are still read to their ends, unless the account's rows are known. */
  readonly only?: RowCache;
  /** Called a few times for each MiB; starts again if files turn out not to be sorted. */
  readonly onProgress?: (progress: ReadProgress) => void;
  /** If it is aborted, reading throws its reason. */
  readonly signal?: AbortSignal;
}

/** The findings of reading all files to their ends. */
export interface Reading {
  readonly isSorted: boolean;
  readonly accounts: number;
  readonly faults: readonly ExportFault[];
  readonly rows: RowsByAccount;
}

/**
 * Reads files that are sorted by account number, so that they can be merged; undefined if they are not sorted. The
 * accounts come from a second reading; the check for changes ensures that it equals this one.
 */
export async function readSorted(
  files: readonly OpenedFile[],
  options: ReadingOptions,
): Promise<Reading | undefined> {
  if (files.length > mostMerged) return undefined;
  for (const order of orders) {
    const reading = await readInOrder(files, order, options);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

async function readInOrder(
  files: readonly OpenedFile[],
  order: Order,
  options: ReadingOptions,
): Promise<Reading | undefined> {
  const findings = new RowFaults(files.map(({ table }) => table));
  const watch = watched(files, findings, options);
  const isOwn = files.map(({ table }) => table.role === 'accounts');
  let accounts = 0;
  try {
    for await (const rows of mergeByAccount(files, order, watch)) {
      if (rows.some(({ file }) => isOwn[file])) {
        accounts += 1;
      } else {
        const isConfirmed = rows.some(({ row }) => 'body' in row);
        for (const row of rows) findings.addStray({ ...row, isConfirmed });
      }
    }
  } catch (error) {
    if (error instanceof Disorder) return undefined;
    throw error;
  }
  const { signal } = options;
  const rows: RowsByAccount = {
    byAccount: () => mergeByAccount(files, order, { signal }),
    close: () => undefined,
  };
  return { isSorted: true, accounts, faults: findings.all(), rows };
}

/** Reads files in any order: their rows are kept in a temporary file on disk, and sorted there. */
export async function readStaged(files: readonly OpenedFile[], options: ReadingOptions): Promise<Reading> {
  const findings = new RowFaults(files.map(({ table }) => table));
  const { onBatch, ...watch } = watched(files, findings, options);
  const { only } = options;
  const staging = new ExternalSort(files.map(({ table }) => table.role === 'accounts'));
  try {
    for (const [position, file] of files.entries()) {
      const known = only?.of(file);
      if (known !== undefined) {
        staging.add(known, position);
        continue;
      }
      const found: AccountRow[] = [];
      for await (const batch of readRows(file, watch)) {
        onBatch(batch, position);
        const rows = batch.filter(hasAccount);
        if (only === undefined) staging.add(rows, position);
        else found.push(...rows.filter(({ account }) => account === only.account));
      }
      staging.add(found, position);
      only?.add(file, found);
    }
    await only?.save();
    const accounts = staging.settle();
    for (const stray of staging.strays()) findings.addStray(stray);
    return { isSorted: false, accounts, faults: findings.all(), rows: staging };
  } catch (error) {
    staging.close();
    throw error;
  }
}

/** The listeners of a reading: its progress, and the rows whose account is not known. */
function watched(
  files: readonly OpenedFile[],
  findings: RowFaults,
  { onProgress, signal }: ReadingOptions,
): ReadOptions & { readonly onBatch: (batch: readonly Row[], file: number) => void } {
  const totalBytes = files.reduce((sum, { state }) => sum + state.size, 0);
  let rows = 0;
  let bytes = 0;
  return {
    signal,
    onBytes: (count) => void (bytes += count),
    onBatch(batch, file) {
      for (const row of batch) findings.see(row, file);
      rows += batch.length;
      onProgress?.({ rows, bytes, totalBytes });
    },
  };
}
