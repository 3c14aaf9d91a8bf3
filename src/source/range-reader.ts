import { Readable } from 'node:stream';
import type * as yauzl from 'yauzl';

/** The library's own reads are small and close together, so they are combined into one request. */
const atOnce = 64 * 1024;

/**
 * How yauzl reads a file of this size: it requests each part from one byte up to, but not including, another.
 */
export function rangeReader(
  { RandomAccessReader }: Pick<typeof yauzl, 'RandomAccessReader'>,
  range: (start: number, end: number) => AsyncIterable<Buffer>,
  size: number,
): yauzl.RandomAccessReader {
  class RangeReader extends RandomAccessReader {
    private start = 0;
    private known: Buffer = Buffer.alloc(0);

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
      this.bytes(position, length).then(
        (bytes) => {
          bytes.copy(buffer, offset);
          callback(null);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    }

    private async bytes(position: number, length: number): Promise<Buffer> {
      const isKnown = position >= this.start && position + length <= this.start + this.known.length;
      if (!isKnown) {
        const end = Math.min(size, position + Math.max(length, atOnce));
        const blocks: Buffer[] = [];
        for await (const block of range(position, end)) blocks.push(block);
        this.known = Buffer.concat(blocks);
        this.start = position;
      }
      return this.known.subarray(position - this.start, position - this.start + length);
    }
  }
  return new RangeReader();
}
