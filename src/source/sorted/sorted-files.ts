import { accountRanges, rowsOfAccount, rowsOfRange, type AccountRange } from './account-range.ts';
import { limitOf } from '../account-rows.ts';
import { ExportBroken, unreadableFile } from '../fault.ts';
import { fileChanged } from '../file-bytes.ts';
import type { SortedIndex, SortedIndexes } from './sorted-index.ts';
import { localFile } from '../places/directory.ts';
import type { PlacedRow } from '../row.ts';
import { farApart, RowStarts } from './row-starts.ts';
import type { FileTable, OpenedFile } from '../table.ts';

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
  /** Whether the rows of so many accounts are found sooner one by one than by reading all. */
  readonly isFewOf: (accounts: number) => boolean;
  /** The rows of one account; undefined if it has none. Throws what rowsOfRange throws. */
  readonly rowsOf: (account: string) => Promise<readonly PlacedRow[] | undefined>;
  /** Call this if the files turn out to be others than those whose rows were found. */
  readonly forget: () => void;
}

/** undefined where rows of one of the files can only be found by reading all that is before them. */
export function sortedRanges(
  files: readonly OpenedFile[],
  index: SortedIndex | undefined,
  {
    mostBytes,
    kept,
    signal,
  }: {
    readonly mostBytes?: number | undefined;
    readonly kept?: SortedIndexes | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): SortedRanges | undefined {
  if (index === undefined || !files.every((file, at) => canBeEntered(file, index.starts[at] ?? [])))
    return undefined;
  const sizes = files.map(({ stored }) => stored.state.size);
  const ofOne = sizes.reduce((sum, size) => sum + Math.min(size, 2 * farApart(size)), 0);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return {
    order: index.order,
    files: files.map(({ stored: { path, state } }) => ({ path, mark: state.mark })),
    mostBytes,
    inRanges: (bytes) => accountRanges(files, index, bytes),
    isFewOf: (accounts) => accounts * ofOne < all,
    rowsOf: (account) => rowsOfAccount(files, account, index, { signal, limit: limitOf(files, mostBytes) }),
    forget: () => kept?.forget(files),
  };
}

/** Whether a part of a file can be read: it is a file by itself, and rows of it are known, unless it is small. */
function canBeEntered(file: OpenedFile, starts: SortedIndex['starts'][number]): boolean {
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
   * The rows of the accounts of a range, account by account. Throws Disorder if they are not where they were found, and ExportBroken,
   * including if a file has changed since.
   */
  async *rows(range: AccountRange): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    const { order, mostBytes } = this.#sorted;
    const files = (this.#opened ??= this.#open());
    yield* rowsOfRange(files, range, order, { limit: limitOf(files, mostBytes) });
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
