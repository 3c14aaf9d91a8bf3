import type { PrintedAccount } from '../export.ts';
import type { ComparedAccounts } from '../compared-accounts.ts';
import { parseFileName } from '../file-name.ts';
import type { FileCounter } from '../file-counts.ts';
import { formatOf } from '../formats/formats.ts';
import { unreadableFile, ExportBroken } from '../fault.ts';
import type { MergeOptions } from '../merge.ts';
import type { RowFaults } from '../row-faults.ts';
import type { PlacedRow } from '../row.ts';
import { farApart, type RowStart } from '../sorted/row-starts.ts';
import type { OpenedFile } from '../table.ts';
import { isCutAtBytes } from '../text-blocks.ts';
import type { Block, RowPlace } from './block.ts';
import type { BlockIndexes, ReadAs } from './block-index.ts';
import type { KeptFileWriter } from '../kept-files.ts';
import { BlockReading, type SameBlock } from './block-reading.ts';
import { FileWindow } from './file-window.ts';

/** What learns of the rows and accounts that a reading finds. */
interface Learning {
  readonly findings: RowFaults;
  readonly counter: FileCounter;
  readonly compared: ComparedAccounts;
  readonly onBytes?: MergeOptions['onBytes'];
  /** See ReadingOptions. */
  readonly startEach?: number | undefined;
}

/** A reading of sorted files that compares their blocks with those of an earlier one, and keeps its own for the next. */
export class ReadingInBlocks {
  /** Accounts whose rows were not parsed. */
  accounts = 0;
  readonly #windows: readonly FileWindow[];
  readonly #before: Generator<Block, void> | undefined;
  readonly #writer: KeptFileWriter | undefined;
  readonly #reading: BlockReading;
  readonly #learning: Learning;
  readonly #starts: RowStart[][];

  private constructor(
    asked: ReadAs,
    {
      windows,
      indexes,
      learning,
    }: { windows: readonly FileWindow[]; indexes: BlockIndexes; learning: Learning },
  ) {
    const { files, order } = asked;
    this.#windows = windows;
    this.#learning = learning;
    this.#starts = files.map(() => []);
    this.#before = indexes.find(asked);
    this.#writer = indexes.write(asked);
    this.#reading = new BlockReading({
      ...{ files, order, windows, writer: this.#writer, before: this.#before },
      accountsEach: indexes.accountsEach,
      onBlock: this.#see.bind(this),
      onSame: this.#learn.bind(this),
    });
  }

  /** Whether files of this kind can be read by blocks. */
  static areCut(files: readonly OpenedFile[]): boolean {
    return files.every(isCutIntoBlocks);
  }

  /** undefined where a file cannot be read by blocks. Throws ExportBroken. */
  static async of(
    asked: ReadAs,
    indexes: BlockIndexes,
    learning: Learning,
  ): Promise<ReadingInBlocks | undefined> {
    if (!ReadingInBlocks.areCut(asked.files)) return undefined;
    const windows: FileWindow[] = [];
    try {
      for (const file of asked.files) {
        const window = await FileWindow.open(file).catch((error: unknown) => {
          throw new ExportBroken(unreadableFile(error, file.table.file));
        });
        if (window === undefined) break;
        windows.push(window);
      }
      if (windows.length === asked.files.length)
        return new ReadingInBlocks(asked, { windows, indexes, learning });
    } catch (error) {
      for (const window of windows) window.close();
      throw error;
    }
    for (const window of windows) window.close();
    return undefined;
  }

  /** Where rows of each file begin, from which it can be read. */
  get starts(): readonly (readonly RowStart[])[] {
    return this.#starts;
  }

  /** The accounts whose rows are not those of the earlier reading. Throws NotByBlocks, and what mergeByAccount throws. */
  groups(options: MergeOptions): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    return this.#reading.groups(options);
  }

  /** The fingerprint of the account that was given last, if it has one. */
  print(printed: PrintedAccount): void {
    this.#reading.print(printed);
  }

  /** Keeps the blocks, once all accounts were compared. */
  finish(): void {
    // Windows gives an open file's name to no other.
    this.#before?.return();
    if (this.#learning.compared.isGivenUp) this.#writer?.abandon();
    else this.#writer?.finish();
  }

  close(): void {
    this.#before?.return();
    this.#writer?.abandon();
    for (const window of this.#windows) window.close();
  }

  #see({ parts, digest }: Block, from: readonly RowPlace[]): void {
    let bytes = 0;
    for (const [file, { byte, line }] of from.entries()) {
      const part = parts[file];
      const starts = this.#starts[file];
      if (part === undefined || starts === undefined) continue;
      bytes += part.bytes;
      const last = starts.at(-1)?.[0] ?? 0;
      const size = this.#windows[file]?.size ?? 0;
      // A row of a block without a fault, not one behind it.
      const isSound = digest !== undefined && part.rows > 0;
      if (isSound && part.next !== undefined && byte - last >= farApart(size, this.#learning.startEach))
        starts.push([byte, line, part.next]);
    }
    this.#learning.onBytes?.(bytes);
  }

  async #learn({ parts, accounts, rowsOf }: SameBlock): Promise<void> {
    const { findings, counter, compared } = this.#learning;
    this.accounts += accounts.length;
    counter.seeSame(parts, accounts);
    for (const [file, { rows }] of parts.entries()) findings.seeSound(rows, file);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    await compared.addUnread(accounts, rowsOf, bytes);
  }
}

/** Whether the same bytes of a file are the same rows, wherever they are in it. */
function isCutIntoBlocks({ table, stored }: OpenedFile): boolean {
  const { encoding, ignore, spellings, orphans, via } = table;
  return (
    ignore === undefined &&
    spellings === undefined &&
    via === undefined &&
    orphans !== 'ignore' &&
    parseFileName(stored.path).compression === undefined &&
    isCutAtBytes(encoding) &&
    formatOf(table).readsFromRows === true
  );
}
