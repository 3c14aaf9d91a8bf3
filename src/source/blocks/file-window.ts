import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unreadable } from '../file-bytes.ts';
import type { StoredFile } from '../places/place.ts';
import type { OpenedFile } from '../table.ts';
import type { RowPlace } from './block.ts';

/** Bytes that are read at once. */
const windowSize = 256 * 1024;
const largestBlock = 64 * 1024;

/** A file of which any part is read. */
export class FileWindow {
  readonly size: number;
  readonly #stored: StoredFile;
  readonly #descriptor: number;
  readonly #window = Buffer.allocUnsafeSlow(windowSize);
  #isClosed = false;
  #start = 0;
  #length = 0;

  private constructor(stored: StoredFile, descriptor: number) {
    this.#stored = stored;
    this.#descriptor = descriptor;
    this.size = stored.state.size;
  }

  /** undefined for a file that is not on this machine. Throws FileUnreadable. */
  static async open({ stored }: OpenedFile): Promise<FileWindow | undefined> {
    const access = await stored.random();
    return 'descriptor' in access ? new FileWindow(stored, access.descriptor) : undefined;
  }

  /** The bytes from one position up to another, in pieces that are valid until the next one. Throws FileUnreadable. */
  *pieces(from: number, to: number): Generator<Buffer, void, undefined> {
    for (let at = from; at < to;) {
      const within = at - this.#start;
      if (within < 0 || within >= this.#length) {
        this.#length = this.#read(this.#window, at);
        this.#start = at;
        if (this.#length === 0) return;
        continue;
      }
      const piece = this.#window.subarray(within, Math.min(this.#length, to - this.#start));
      at += piece.length;
      yield piece;
    }
  }

  /**
   * The file, whose bytes are those from one place up to another; the first block has `first` bytes, and each one more than the block
   * before. `see`: called with each block before it is read.
   */
  part(
    file: OpenedFile,
    { from, to, first, see }: { from: RowPlace; to: number; first: number; see?: (block: Buffer) => void },
  ): OpenedFile {
    const { path, state } = this.#stored;
    const read = this.#blocks.bind(this);
    const stored: StoredFile = {
      ...{ path, state, random: () => this.#stored.random(), verify: () => this.#stored.verify() },
      async *read({ signal }) {
        for await (const block of read(from.byte, to, first, signal)) {
          see?.(block);
          yield block;
        }
      },
    };
    return { ...file, stored };
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }

  async *#blocks(
    from: number,
    to: number,
    first: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Buffer, void, undefined> {
    let size = Math.min(first, largestBlock);
    // Stryker disable next-line EqualityOperator: no byte is read at the end
    for (let at = from; at < to;) {
      // Stryker disable next-line ConditionalExpression,EqualityOperator: lets other work run
      if (size === largestBlock) await nextTurn();
      signal?.throwIfAborted();
      // Rows keep it.
      const block = Buffer.allocUnsafeSlow(Math.min(size, to - at));
      let length = 0;
      for (const piece of this.pieces(at, at + block.length)) length += piece.copy(block, length);
      if (length === 0) return;
      at += length;
      yield block.subarray(0, length);
      size = Math.min(2 * size, largestBlock);
    }
  }

  #read(into: Buffer, at: number): number {
    if (this.#isClosed) throw new Error('The file is closed.');
    try {
      const length = readSync(this.#descriptor, into, 0, into.length, at);
      // Checked after reading, so that no byte is returned that a change may have touched.
      this.#stored.verify();
      return length;
    } catch (error) {
      return unreadable(error);
    }
  }
}
