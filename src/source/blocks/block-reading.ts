import { createHash } from 'node:crypto';
import { ExportBroken, unreadableFile } from '../fault.ts';
import { FileUnreadable } from '../file-bytes.ts';
import type { KeptFileWriter } from '../kept-files.ts';
import { mergeByAccount, type MergeOptions, type Order } from '../merge.ts';
import { lineEndsInText } from '../physical-lines.ts';
import { readRows } from '../read-rows.ts';
import type { PrintedAccount } from '../export.ts';
import type { AccountRow, PlacedRow, Row } from '../row.ts';
import type { OpenedFile } from '../table.ts';
import { splitPrinted, type Block, type BlockPart, type RowPlace } from './block.ts';
import { blockLine } from './block-lines.ts';
import type { FileWindow } from './file-window.ts';
import { HeldRows } from './held-rows.ts';
import { LineBytes } from './line-bytes.ts';
import { NotByBlocks } from './not-by-blocks.ts';
import { isSoundRow, OpenBlock, type BlockEnd } from './open-block.ts';

/** Bytes of a file that are read besides those which the block had before: the row behind it. */
const moreBytes = 1024;
const blockSize = 64 * 1024;

/** A block of an earlier reading whose rows are the same. */
export interface SameBlock {
  readonly parts: readonly BlockPart[];
  readonly accounts: readonly PrintedAccount[];
  /** The rows of one of its accounts, which are read again. */
  readonly rowsOf: (account: string) => Promise<readonly PlacedRow[]>;
}

/** What a reading by blocks needs. */
export interface BlocksAsked {
  readonly files: readonly OpenedFile[];
  readonly order: Order;
  /** Those of each file. */
  readonly windows: readonly FileWindow[];
  /** The blocks of an earlier reading. */
  readonly before: Generator<Block, void> | undefined;
  /** A block with so many accounts ends. */
  readonly accountsEach: number;
  /** Takes the blocks of this reading. */
  readonly writer: KeptFileWriter | undefined;
  /** Called with each block, and where it begins in each file. */
  readonly onBlock: (block: Block, from: readonly RowPlace[]) => void;
  /** Called with a block that is not parsed, before its accounts would come. */
  readonly onSame: (same: SameBlock) => Promise<void>;
}

/**
 * Merges files that are sorted by account number, and parses only what differs from an earlier reading. A block whose bytes are those
 * of the earlier one is passed over. What differs is parsed until an account at which another block began before, and
 * whose bytes are the same: rows that were added or removed move all that follow, and no more.
 */
export class BlockReading {
  readonly #asked: BlocksAsked;
  #next: Block | undefined;
  #at: readonly RowPlace[];
  #open: OpenBlock | undefined;

  constructor(asked: BlocksAsked) {
    this.#asked = asked;
    this.#at = asked.files.map(() => ({ byte: 0, line: 1 }));
    this.#advance();
  }

  /** The accounts that are parsed. `onBatch` gets the rows of these alone. Throws NotByBlocks, and what mergeByAccount throws. */
  async *groups(options: MergeOptions): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    do {
      yield* this.#parsed(options);
      for (let same = this.#next; same !== undefined && this.#isSame(same, this.#at); same = this.#next) {
        options.signal?.throwIfAborted();
        await this.#passOver(same, options);
        this.#advance();
      }
    } while (!this.#isAtEnd);
  }

  /** The fingerprint of the account that was given last; one without is not passed over by the next reading. */
  print(printed: PrintedAccount): void {
    this.#open?.print(printed);
  }

  async *#parsed(options: MergeOptions): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    const { files, order, windows, accountsEach } = this.#asked;
    const from = this.#at;
    const expected = this.#next?.parts;
    this.#advance();
    const lines = from.map((place) => new LineBytes(place));
    const held = new HeldRows(files.length, options.onBatch);
    const entered = files.map((file, at) => {
      const place = from[at] ?? start;
      const window = windows[at];
      if (window === undefined) return file;
      const first = expected === undefined ? blockSize : (expected[at]?.bytes ?? 0) + moreBytes;
      return window.part(file, {
        from: place,
        to: window.size,
        first,
        see: (bytes) => lines[at]?.see(bytes),
      });
    });
    const placed = new Map(entered.map((file, at) => [file, from[at] ?? start]));
    const read: typeof readRows = (file, asked) => {
      const { byte, line } = placed.get(file) ?? start;
      return readRows(file, byte === 0 ? asked : { ...asked, fromLine: line });
    };
    let stop: readonly BlockEnd[] | undefined;
    const endsBefore: MergeOptions['endsBefore'] = (account, cursors) => {
      const ends = () => cursors.map(({ row }, file) => endAt(row, lines[file] ?? none));
      if (this.#open === undefined) {
        this.#open = new OpenBlock(
          account,
          ends().map((end, file) => ({ ...end, ...from[file] })),
          accountsEach,
        );
        return false;
      }
      while (this.#next !== undefined && order(this.#next.account, account)) this.#advance();
      const isKnown = this.#next?.account === account;
      if (!isKnown && !this.#open.isFull) return false;
      const here = ends();
      this.#close(here, held);
      for (const [file, { line }] of here.entries()) lines[file]?.forget(line);
      if (isKnown && this.#next !== undefined && this.#isSame(this.#next, here)) {
        stop = here;
        return true;
      }
      this.#open = new OpenBlock(account, here, accountsEach);
      return false;
    };
    const merging = { ...options, read, endsBefore, onBatch: held.take.bind(held) };
    for await (const rows of mergeByAccount(entered, order, merging)) {
      this.#open?.add(rows);
      yield rows;
    }
    const here = stop ?? lines.map((ended) => endAt(undefined, ended));
    if (stop === undefined) this.#close(here, held);
    held.flush(here);
    this.#at = here;
  }

  #close(here: readonly BlockEnd[], held: HeldRows): void {
    const block = this.#open;
    this.#open = undefined;
    if (block === undefined) return;
    const { writer, windows } = this.#asked;
    const isHeld = held.forgetFaults(here);
    const isCertain = here.every(({ ahead, account }) => ahead !== undefined || account === undefined);
    // What a file begins with is read as the beginning of a file.
    const isWithin = block.from.every(({ byte }, file) => byte > 0 || windows[file]?.size === 0);
    const isSound = isHeld && isCertain && isWithin && writer !== undefined;
    const closed = block.closed(here, isSound, (from, parts) => this.#digest(from, parts));
    writer?.line(blockLine(closed));
    this.#asked.onBlock(closed, block.from);
  }

  async #passOver(block: Block, options: MergeOptions): Promise<void> {
    const { onBlock, onSame, writer } = this.#asked;
    const from = this.#at;
    this.#at = from.map(({ byte, line }, file) => {
      const { bytes = 0, lines = 0 } = block.parts[file] ?? {};
      return { byte: byte + bytes, line: line + lines };
    });
    writer?.line(block.line ?? blockLine(block));
    onBlock(block, from);
    const accounts = splitPrinted(block.printed);
    let read: Promise<ReadonlyMap<string, readonly PlacedRow[]>> | undefined;
    await onSame({
      parts: block.parts,
      accounts,
      rowsOf: async (account) => {
        const rows = (await (read ??= this.#rowsIn(block, { from, accounts }, options))).get(account);
        if (rows === undefined) throw new NotByBlocks();
        return rows;
      },
    });
  }

  async #rowsIn(
    { parts }: Block,
    { from, accounts }: { readonly from: readonly RowPlace[]; readonly accounts: readonly PrintedAccount[] },
    { signal, limit }: MergeOptions,
  ): Promise<ReadonlyMap<string, readonly PlacedRow[]>> {
    const { files, order, windows } = this.#asked;
    const placed = new Map<OpenedFile, RowPlace>();
    const entered = files.map((file, at) => {
      const place = from[at] ?? start;
      const window = windows[at];
      // What is behind the block tells a row that ends there from the end of the file.
      const first = (parts[at]?.bytes ?? 0) + moreBytes;
      const part = window?.part(file, { from: place, to: window.size, first }) ?? file;
      placed.set(part, place);
      return part;
    });
    const read: typeof readRows = (file, asked) =>
      readRows(file, { ...asked, fromLine: (placed.get(file) ?? start).line });
    const found = new Map<string, readonly PlacedRow[]>();
    const own = new Set(accounts.map(({ account }) => account));
    const endsBefore = (account: string): boolean => !own.has(account);
    for await (const rows of mergeByAccount(entered, order, { signal, limit, read, endsBefore }))
      found.set(rows[0]?.account ?? '', rows);
    return found;
  }

  get #isAtEnd(): boolean {
    return this.#asked.windows.every(({ size }, file) => this.#at[file]?.byte === size);
  }

  #advance(): void {
    this.#next = this.#asked.before?.next().value ?? undefined;
  }

  /** Whether the bytes from these places on are those of a block, and what follows them is what followed then. */
  #isSame({ digest, parts }: Block, at: readonly RowPlace[]): boolean {
    return digest !== undefined && this.#digest(at, parts) === digest;
  }

  /** undefined if a file does not end where it should. Throws ExportBroken. */
  #digest(from: readonly RowPlace[], parts: readonly BlockPart[]): string | undefined {
    const hash = createHash('sha256');
    for (const [file, window] of this.#asked.windows.entries()) {
      const { bytes = 0, ahead } = parts[file] ?? {};
      const { byte } = from[file] ?? start;
      const end = byte + bytes;
      if (ahead === undefined ? end !== window.size : end + ahead > window.size) return undefined;
      try {
        for (const piece of window.pieces(byte, end + (ahead ?? 0))) hash.update(piece);
      } catch (error) {
        if (!(error instanceof FileUnreadable)) throw error;
        throw new ExportBroken(unreadableFile(error, this.#asked.files[file]?.table.file ?? ''));
      }
    }
    return hash.digest('base64url');
  }
}

const start: RowPlace = { byte: 0, line: 1 };
const none = new LineBytes(start);

/** Where a row begins, and its size where that is certain; or where a file ends. */
function endAt(row: AccountRow | undefined, lines: LineBytes): BlockEnd {
  if (row === undefined) return { ...lines.end, account: undefined, ahead: undefined };
  const first = 'body' in row ? row.line : (row.first ?? row.line);
  const byte = lines.startOf(first);
  if (byte === undefined) throw new NotByBlocks();
  const behind = isSoundRow(row) ? lines.startOf(first + linesOf(row)) : undefined;
  return { byte, line: first, account: row.account, ahead: behind === undefined ? undefined : behind - byte };
}

/** How many lines a sound row has. */
function linesOf(row: Row): number {
  let lines = 1;
  if ('body' in row && typeof row.body !== 'string')
    for (const cell of row.body) lines += lineEndsInText(cell);
  return lines;
}
