import { accountRanges, rowsOfRange, type AccountRange } from './account-range.ts';
import { limitOf } from './account-rows.ts';
import { bundleOf } from './bundle.ts';
import type { Bundle } from './export.ts';
import { ExportBroken, unreadableFile } from './fault.ts';
import { fileChanged } from './file-bytes.ts';
import type { KeptReading, KeptReadings } from './kept-readings.ts';
import { localFile } from './places/directory.ts';
import { farApart, RowStarts } from './row-starts.ts';
import type { FileTable, OpenedFile } from './table.ts';

/** Sorted files on this machine as another thread can be given them, which reads any of their accounts by itself. */
export interface SortedFiles {
  /** The position of their order in `orders`. */
  readonly order: number;
  readonly files: readonly { readonly path: string; readonly mark: string }[];
  /** The most memory of the rows of one account, in bytes; undefined: any. */
  readonly mostBytes: number | undefined;
}

/** All accounts of such files, in ranges of about `bytes` bytes. */
export interface SortedRanges extends SortedFiles {
  readonly inRanges: (bytes: number) => readonly AccountRange[];
  /** Call this if the files turn out to be others than those whose rows were found. */
  readonly forget: () => Promise<void>;
}

/** undefined where rows of one of the files can only be found by reading all that is before them. */
export function sortedRanges(
  files: readonly OpenedFile[],
  index: KeptReading | undefined,
  { mostBytes, kept }: { readonly mostBytes?: number | undefined; readonly kept?: KeptReadings | undefined },
): SortedRanges | undefined {
  if (index === undefined || !files.every((file, at) => canBeEntered(file, index.starts[at] ?? [])))
    return undefined;
  return {
    order: index.order,
    files: files.map(({ stored: { path, state } }) => ({ path, mark: state.mark })),
    mostBytes,
    inRanges: (bytes) => accountRanges(files, index, bytes),
    forget: async () => kept?.forget(files),
  };
}

/** Whether a part of a file can be read: it is a file by itself, and rows of it are known, unless it is small. */
function canBeEntered(file: OpenedFile, starts: KeptReading['starts'][number]): boolean {
  const { isLocal, state } = file.stored;
  if (isLocal !== true || RowStarts.of(file) === undefined || file.table.spellings !== undefined)
    return false;
  return starts.length > 0 || state.size <= 2 * farApart(state.size);
}

/** Reads accounts of sorted files. */
export class SortedReader {
  readonly #sorted: SortedFiles;
  readonly #tables: readonly FileTable[];
  #opened: readonly OpenedFile[] | undefined;

  /** `tables`: as those who found the ranges have them. */
  constructor(sorted: SortedFiles, tables: readonly FileTable[]) {
    this.#sorted = sorted;
    this.#tables = tables;
  }

  /**
   * The accounts of a range, in their order. Throws Disorder if its rows are not where they were found, and ExportBroken, including
   * if a file has changed since.
   */
  async *bundles(range: AccountRange): AsyncGenerator<Bundle, void, undefined> {
    const { order, mostBytes } = this.#sorted;
    const files = (this.#opened ??= this.#open());
    const limit = limitOf(files, mostBytes);
    for await (const rows of rowsOfRange(files, range, order, { limit })) {
      const bundle = bundleOf(rows[0]?.account ?? '', rows, this.#tables);
      if (bundle !== undefined) yield bundle;
    }
  }

  #open(): readonly OpenedFile[] {
    return this.#sorted.files.map(({ path, mark }, at) => {
      const [table, stored] = [this.#tables[at], localFile(path)];
      if (table === undefined || stored?.state.mark !== mark)
        throw new ExportBroken(unreadableFile(fileChanged(), table?.file ?? path));
      return { table, stored };
    });
  }
}
