import { close, createReadStream, read } from 'node:fs';
import { Readable } from 'node:stream';
import type * as yauzl from 'yauzl';

/** The library's own reads are small and close together, so they are combined into one request. */
const atOnce = 64 * 1024;

/** A stream that ends, or is given up, leaves the file open for others. */
const keptOpen = { read, close: (_descriptor: number, callback: (error: null) => void) => callback(null) };

/**
 * How yauzl reads an open file, which it closes. Its own reader ends the program when one of several streams is given up
 * while it waits for the others.
 */
export function descriptorReader(
  { RandomAccessReader }: Pick<typeof yauzl, 'RandomAccessReader'>,
  descriptor: number,
): yauzl.RandomAccessReader {
  class DescriptorReader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return createReadStream('', { fd: descriptor, start, end: end - 1, fs: keptOpen });
    }

    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      read(descriptor, buffer, offset, length, position, (error, bytes) =>
        callback(error ?? (bytes < length ? new Error('the file ends too soon') : null)),
      );
    }

    override close(callback: (error: Error | null) => void): void {
      close(descriptor, callback);
    }
  }
  return new DescriptorReader();
}

/**
 * How yauzl reads a file of this size: it requests each part from one byte up to, but not including, another.
 */
export function rangeReader(
  { RandomAccessReader }: Pick<typeof yauzl, 'RandomAccessReader'>,
  range: (start: number, end: number) => AsyncIterable<Buffer>,
  size: number,
): yauzl.RandomAccessReader {
  class RangeReader extends RandomAccessReader {
    #start = 0;
    #known: Buffer = Buffer.alloc(0);

    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(range(start, end), { objectMode: false });
    }

    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      this.#bytes(position, length).then(
        (bytes) => {
          bytes.copy(buffer, offset);
          callback(null);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    }

    async #bytes(position: number, length: number): Promise<Buffer> {
      const isKnown = position >= this.#start && position + length <= this.#start + this.#known.length;
      if (!isKnown) {
        const end = Math.min(size, position + Math.max(length, atOnce));
        const blocks: Buffer[] = [];
        for await (const block of range(position, end)) blocks.push(block);
        this.#known = Buffer.concat(blocks);
        this.#start = position;
      }
      return this.#known.subarray(position - this.#start, position - this.#start + length);
    }
  }
  return new RangeReader();
}
