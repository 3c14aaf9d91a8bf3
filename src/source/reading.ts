import type { ReadOptions } from './places/place.ts';
import { limitOf } from './account-rows.ts';
import { NotByBlocks } from './blocks/not-by-blocks.ts';
import { ReadingInBlocks } from './blocks/reading-in-blocks.ts';
import { ComparedAccounts } from './compared-accounts.ts';
import type { ExportCounts } from '../domain/run-facts.ts';
import { FileCounter } from './file-counts.ts';
import type { ExportFault, Recognise } from './export.ts';
import { ExportBroken, unreadableFile } from './fault.ts';
import { fileChanged } from './file-bytes.ts';
import type { KeptIndexes } from './kept-indexes.ts';
import { RowFaults } from './row-faults.ts';
import { rowsOfAccount } from './sorted/account-range.ts';
import { RowStarts, type RowStart } from './sorted/row-starts.ts';
import type { SortedIndex } from './sorted/sorted-index.ts';
import { Disorder, mergeByAccount, mostMerged, orders, type Order } from './merge.ts';
import type { RowCache } from './row-cache.ts';
import type { RowsByAccount } from './opened-export.ts';
import { readRows } from './read-rows.ts';
import { FilesReadTwice } from './read-twice.ts';
import { isLeftOut, isSuspect, rowsOfAllAccounts, type AccountRow, type PlacedRow, type Row } from './row.ts';
import { SuspectRows } from './suspect-rows.ts';
import { keyOf, type FileTable, type OpenedFile } from './table.ts';
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
  readonly only?: RowCache | undefined;
  /** Compares accounts by their rows already while they are first read, if the files are sorted. */
  readonly recognise?: Recognise | undefined;
  /**
   * Saves reading files that are sorted and unchanged to their ends before their accounts are read, and, where accounts are compared,
   * parsing the blocks that are as they were when they were last compared.
   */
  readonly kept?: KeptIndexes | undefined;
  /** At least so many bytes are between the rows at which a sorted file can be entered later; absent: 16 KiB. */
  readonly startEach?: number | undefined;
  /** The most memory of the rows of one account, in bytes; absent: any. */
  readonly mostBytes?: number | undefined;
  /** Called a few times for each MiB; starts again if files turn out not to be sorted. */
  readonly onProgress?: (progress: ReadProgress) => void;
  /** If it is aborted, reading throws its reason. */
  readonly signal?: AbortSignal;
}

/** The findings of reading all files to their ends. */
export interface Reading {
  readonly isSorted: boolean;
  readonly accounts: number;
  /** Rows that the mapping leaves out, without those that are left out of their accounts. */
  readonly ignoredRows: number;
  readonly faults: readonly ExportFault[];
  /** The size of its files. */
  readonly counts: ExportCounts;
  readonly rows: RowsByAccount;
  /** What was found of accounts by their rows. */
  readonly compared?: ComparedAccounts | undefined;
  /** What can be kept of it: a later reading would find the same. */
  readonly index?: SortedIndex | undefined;
  /** Keeps it, unless it is kept: the first reading may have begun before there was a directory for it. */
  readonly keep?: () => void;
}

/**
 * Reads files that are sorted by account number, so that they can be merged; undefined if they are not sorted. The
 * accounts come from a second reading; the check for changes ensures that it equals this one, or that of an earlier
 * command.
 */
export async function readSorted(
  files: readonly OpenedFile[],
  options: ReadingOptions,
): Promise<Reading | undefined> {
  if (files.length > mostMerged || files.some(({ table }) => table.via !== undefined)) return undefined;
  const { kept } = options;
  const known = kept?.sorted.find(files);
  const orderBefore = known && orders[known.order];
  const hasUsefulBlocks = known !== undefined && hasBlocks(files, known.order, options);
  if (kept !== undefined && known !== undefined && orderBefore !== undefined && !hasUsefulBlocks) {
    const { accounts, ignoredRows, faults, counts } = known;
    const byAccount = (isForKeys?: boolean) =>
      mergeAgain(files, orderBefore, kept, { ...options, isForKeys });
    return {
      isSorted: true,
      accounts,
      ignoredRows,
      faults,
      counts,
      rows: { byAccount, close: () => undefined },
      index: known,
    };
  }
  // An order that is known is tried first.
  const inTurn = [...orders.entries()].sort(
    ([one], [other]) => Number(other === known?.order) - Number(one === known?.order),
  );
  for (const [at, order] of inTurn) {
    const reading = await readInOrder(files, { at, order }, options);
    if (reading === undefined) continue;
    const { accounts, ignoredRows, faults, counts, rows, suspects, starts } = reading;
    // Rows that a later reading would lack are not kept.
    const index = suspects.isEmpty ? { order: at, accounts, ignoredRows, faults, counts, starts } : undefined;
    let isKept = false;
    const keep = (): void => {
      isKept ||= kept === undefined || index === undefined || kept.sorted.keep(files, index);
    };
    keep();
    // The directory of a run's journal is made between the two readings.
    const byAccount = async function* (isForKeys?: boolean): ReturnType<typeof mergeByAccount> {
      keep();
      yield* rows.byAccount(isForKeys);
    };
    return { ...reading, index, keep, rows: { byAccount, close: () => rows.close() } };
  }
  return undefined;
}

/** Whether accounts are compared, and blocks of an earlier comparison save more than what is kept of an earlier reading. */
function hasBlocks(
  files: readonly OpenedFile[],
  at: number,
  { recognise, kept, mostBytes }: ReadingOptions,
): boolean {
  const order = orders[at];
  if (recognise === undefined || kept === undefined || order === undefined) return false;
  return ReadingInBlocks.areCut(files) && kept.blocks.has({ files, at, order, mostBytes });
}

/** Merges files that an earlier command has read to their ends. */
async function* mergeAgain(
  files: readonly OpenedFile[],
  order: Order,
  kept: KeptIndexes,
  { signal, mostBytes, isForKeys = false }: ReadingOptions & { readonly isForKeys: boolean | undefined },
): ReturnType<typeof mergeByAccount> {
  try {
    yield* mergeByAccount(files, order, { signal, isForKeys, limit: limitOf(files, mostBytes) });
  } catch (error) {
    if (!(error instanceof Disorder)) throw error;
    kept.sorted.forget(files);
    throw new ExportBroken(unreadableFile(fileChanged(), files[0]?.table.file ?? ''));
  }
}

async function readInOrder(
  files: readonly OpenedFile[],
  { at, order, isWhole = false }: { readonly at: number; readonly order: Order; readonly isWhole?: boolean },
  options: ReadingOptions,
): Promise<
  | (Reading & { readonly suspects: SuspectRows; readonly starts: readonly (readonly RowStart[])[] })
  | undefined
> {
  const findings = new RowFaults(files.map(({ table }) => table));
  const { onBatch, counter, ...watch } = watched(files, findings, options);
  const suspects = new SuspectRows();
  const isOwn = files.map(({ table }) => table.role === 'accounts');
  const limit = limitOf(files, options.mostBytes);
  let accounts = 0;
  const twice = new FilesReadTwice();
  const { recognise } = options;
  const compared = recognise && new ComparedAccounts(files.map(({ table }) => table), recognise); // prettier-ignore
  let blocks: ReadingInBlocks | undefined;
  let starts: readonly (readonly RowStart[])[] | undefined;
  try {
    if (compared !== undefined && options.kept !== undefined && !isWhole)
      blocks = await ReadingInBlocks.of(
        { files, at, order, mostBytes: options.mostBytes },
        options.kept.blocks,
        {
          ...{ findings, counter, compared, onBytes: watch.onBytes, startEach: options.startEach },
        },
      );
    const found = files.map((file) =>
      blocks === undefined ? RowStarts.of(file, options.startEach) : undefined,
    );
    const watchedFiles = files.map((file, at) => found[at]?.watched(file) ?? file);
    const first = {
      ...watch,
      onBatch(rows: readonly Row[], file: number) {
        suspects.see(rows, file);
        // How many rows are taken for several records depends on all rows before.
        if (blocks !== undefined && !suspects.isEmpty) throw new NotByBlocks();
        found[file]?.take(rows);
        onBatch(rows, file);
      },
      isForKeys: compared === undefined,
      limit,
      read: twice.first.bind(twice),
    };
    for await (const rows of blocks?.groups(first) ?? mergeByAccount(watchedFiles, order, first)) {
      const own = rows.filter(({ file }) => isOwn[file]);
      if (own.some(({ row }) => !isLeftOut(row))) {
        accounts += 1;
        const print = await compared?.add(rows);
        if (print !== undefined) blocks?.print({ account: rows[0]?.account ?? '', print });
      } else if (own.length > 0) {
        findings.ignore(rows.filter(({ row }) => !isLeftOut(row)).length);
      } else {
        const isConfirmed = rows.some(({ row }) => 'body' in row);
        for (const row of rows) findings.addStray({ ...row, isConfirmed });
      }
    }
    await compared?.finish();
    accounts += blocks?.accounts ?? 0;
    starts = blocks?.starts ?? found.map((one) => one?.found ?? []);
    blocks?.finish();
  } catch (error) {
    compared?.close();
    twice.close();
    if (error instanceof NotByBlocks) return await readInOrder(files, { at, order, isWhole: true }, options);
    if (error instanceof Disorder) return undefined;
    throw error;
  } finally {
    blocks?.close();
  }
  const { signal } = options;
  const rows: RowsByAccount = {
    byAccount: (isForKeys = false) => {
      const again = { signal, isForKeys, limit, read: twice.again.bind(twice) };
      const merged = mergeByAccount(files, order, again);
      return suspects.isEmpty ? merged : suspects.among(merged);
    },
    close: () => twice.close(),
  };
  // What was compared lacks the rows that may be of an account by another one's row.
  if (!suspects.isEmpty) compared?.close();
  const isUseful = compared?.isGivenUp === false && suspects.isEmpty;
  const found = {
    ...{
      isSorted: true,
      accounts,
      faults: findings.all(),
      counts: counter.counts(true, (file) => findings.orphansOf(file)),
      rows,
      suspects,
      starts,
    },
    ignoredRows: findings.ignored,
  };
  return { ...found, ...(isUseful ? { compared } : {}) };
}

/**
 * Reads the rows of one account, of sorted files by what is known of them: they are read to their ends only once. What else it gives is
 * that of the whole export.
 */
export async function readOne(
  files: readonly OpenedFile[],
  only: RowCache,
  options: ReadingOptions,
): Promise<Reading> {
  const { kept, signal, mostBytes } = options;
  const isRemembered = files.every((file) => only.of(file) !== undefined);
  const sorted = kept === undefined || isRemembered ? undefined : await readSorted(files, options);
  sorted?.rows.close();
  if (sorted?.index === undefined) return readStaged(files, options);
  try {
    const limit = limitOf(files, mostBytes);
    const rows = await rowsOfAccount(files, only.account, sorted.index, { signal, limit });
    const isThere = rows?.some(({ file, row }) => files[file]?.table.role === 'accounts' && !isLeftOut(row));
    // Of an account that is not there, it is told which one may be meant.
    if (rows === undefined || isThere !== true) return await readStaged(files, options);
    await only.save();
    sorted.keep?.();
    const byAccount = function* () {
      yield rows;
    };
    return { ...sorted, accounts: 1, rows: { byAccount, close: () => undefined } };
  } catch (error) {
    if (!(error instanceof Disorder)) throw error;
    kept?.sorted.forget(files);
    return readStaged(files, options);
  }
}

/** Reads files in any order: their rows are kept in a temporary file on disk, and sorted there. */
export async function readStaged(files: readonly OpenedFile[], options: ReadingOptions): Promise<Reading> {
  const tables = files.map(({ table }) => table);
  const findings = new RowFaults(tables);
  const { onBatch, counter, ...watch } = watched(files, findings, options);
  const { only } = options;
  const staging = new ExternalSort(tables, limitOf(files, options.mostBytes));
  const linked = files.filter(({ table }) => isLinked(table, files));
  const beside = (file: OpenedFile): readonly OpenedFile[] => (linked.includes(file) ? linked : []);
  const isKnown = linked.every((file) => only?.of(file, linked) !== undefined);
  try {
    for (const [position, file] of files.entries()) {
      const known = linked.includes(file) && !isKnown ? undefined : only?.of(file, beside(file));
      if (known !== undefined) {
        staging.add(known, position, true);
        continue;
      }
      const found: AccountRow[] = [];
      const change = keyOf(file.table);
      for await (const batch of readRows(file, watch)) {
        onBatch(batch, position);
        const rows = rowsOfAllAccounts(batch);
        if (file.table.role === 'accounts')
          for (const row of rows) if (!isSuspect(row) && !isLeftOut(row)) only?.see(row.account, change);
        if (only === undefined || linked.includes(file)) staging.add(rows, position);
        else found.push(...rows.filter(({ account }) => account === only.account));
      }
      if (only === undefined || linked.includes(file)) continue;
      staging.add(found, position, true);
      only.add(file, found);
    }
    const accounts = staging.settle(only?.account);
    if (only === undefined) for (const row of staging.unlinked()) findings.addUnlinked(row);
    for (const stray of staging.strays()) findings.addStray(stray);
    if (only !== undefined) await keep(only, staging, linked, files);
    const ignoredRows = findings.ignored + staging.ofIgnoredAccounts();
    const counts = counter.counts(false, (file) => findings.orphansOf(file));
    return { isSorted: false, accounts, ignoredRows, faults: findings.all(), counts, rows: staging };
  } catch (error) {
    staging.close();
    throw error;
  }
}

/** Keeps what was read of one account, for the next time that it is asked for. */
async function keep(
  only: NonNullable<ReadingOptions['only']>,
  staging: ExternalSort,
  linked: readonly OpenedFile[],
  files: readonly OpenedFile[],
): Promise<void> {
  const own = [...staging.byAccount()].flat();
  for (const file of linked) only.add(file, rowsIn(own, files.indexOf(file)), linked);
  await only.save();
  only.isIgnored = staging.isIgnored(only.account);
}

/** Whether a table's rows find their accounts through other tables, or other tables through it. */
function isLinked({ name, via }: FileTable, files: readonly OpenedFile[]): boolean {
  return via !== undefined || files.some(({ table }) => table.via?.table === name);
}

function rowsIn(rows: readonly PlacedRow[], position: number): AccountRow[] {
  return rows.flatMap(({ account, file, row }) => (file === position ? [{ ...row, account }] : []));
}

/** Bytes after which progress is reported. */
const tellEach = 256 * 1024;

/** The listeners of a reading: its progress, and the rows whose account is not known. */
function watched(
  files: readonly OpenedFile[],
  findings: RowFaults,
  { onProgress, signal }: ReadingOptions,
): ReadOptions & {
  readonly onBatch: (batch: readonly Row[], file: number) => void;
  readonly counter: FileCounter;
} {
  const counter = new FileCounter(files);
  const totalBytes = files.reduce((sum, { stored }) => sum + stored.state.size, 0);
  let rows = 0;
  let bytes = 0;
  let told = 0;
  return {
    signal,
    counter,
    onBytes: (count) => void (bytes += count),
    onBatch(batch, file) {
      for (const row of batch) findings.see(row, file);
      counter.see(batch, file);
      rows += batch.length;
      if (bytes - told < tellEach && bytes < totalBytes) return;
      told = bytes;
      onProgress?.({ rows, bytes, totalBytes });
    },
  };
}
