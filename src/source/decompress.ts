import { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { refuseBomb } from './expansion.ts';
import { CutShort, FileUnreadable } from './file-unreadable.ts';

export type Compression = 'gzip' | 'zstd';

/** What compressed data begins with; zstd has frames to be skipped as well. */
const firstBytes: Readonly<Record<Compression, readonly number[]>> = {
  gzip: [0x1f],
  zstd: [0x28, ...Array.from({ length: 16 }, (_, at) => 0x50 + at)],
};

function notCompressed(compression: Compression, isAll: boolean): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    isAll
      ? `is not compressed with ${compression}, as its name says. Correct its name, or export it again.`
      : `has other bytes behind its compressed data. Copy it again, or export it again.`,
  );
}

/**
 * Decompresses a file that comes in blocks: one compressed member after another. Zero bytes between them and at the end are
 * padding, as that of tapes and blocks. Throws FileUnreadable after everything before the fault was returned.
 */
export async function* decompressed(
  blocks: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer, void, undefined> {
  const sizes = { packed: 0, unpacked: 0 };
  let member: Member | undefined;
  let isFirst = true;
  try {
    for await (const block of blocks) {
      let rest = block;
      sizes.packed += block.length;
      while (rest.length > 0) {
        if (member === undefined) {
          const next = isFirst ? 0 : rest.findIndex((byte) => byte !== 0);
          if (next < 0) break;
          rest = rest.subarray(next);
          member = new Member(compression, sizes);
          if (!firstBytes[compression].includes(rest[0] ?? -1)) throw notCompressed(compression, isFirst);
          isFirst = false;
        }
        const used: number = await member.write(rest);
        yield* member.taken();
        rest = rest.subarray(used);
        if (!member.hasEnded) break;
        member.close();
        member = undefined;
      }
    }
    if (isFirst) member = new Member(compression, sizes);
    await member?.end();
    yield* member?.taken() ?? [];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error instanceof FileUnreadable || 'syscall' in error)
      throw error;
    yield* member?.taken() ?? [];
    if (error.code === 'Z_BUF_ERROR')
      throw new CutShort(
        'truncated_file',
        'is cut short: its compressed data ends too early. Copy it again, or export it again.',
        { cause: error },
      );
    if (error.message === 'incorrect header check') throw notCompressed(compression, false);
    // Earlier blocks may be wrong too: damage shows only some bytes later.
    throw new FileUnreadable(
      'damaged_file',
      `is damaged: it cannot be decompressed with ${compression}. Copy it again, or export it again.`,
      { cause: error },
    );
  } finally {
    member?.close();
  }
}

/**
 * Compressed data up to its own end. Not a pipeline: a pipeline drops decompressed bytes that were not taken yet when the
 * file turns out to be broken.
 */
class Member {
  hasEnded = false;
  readonly #stream: Transform & { readonly bytesWritten?: number };
  readonly #pieces: Buffer[] = [];
  #fault: unknown;

  /** `sizes`: of all members of the file so far. */
  constructor(compression: Compression, sizes: { readonly packed: number; unpacked: number }) {
    this.#stream = compression === 'gzip' ? zlib.createGunzip() : zstdStream();
    this.#stream.on('data', (piece: Buffer) => {
      sizes.unpacked += piece.length;
      try {
        refuseBomb(sizes.packed, sizes.unpacked);
        this.#pieces.push(piece);
      } catch (error) {
        // What is left of the block is not kept.
        this.#fault = error;
      }
    });
    this.#stream.on('error', () => undefined);
  }

  /** How many of the bytes belong to the member. */
  async write(bytes: Buffer): Promise<number> {
    const before = this.#stream.bytesWritten ?? 0;
    await this.#step((done) => this.#stream.write(bytes, done));
    if (this.#fault !== undefined) throw this.#fault as FileUnreadable;
    return this.hasEnded ? (this.#stream.bytesWritten ?? 0) - before : bytes.length;
  }

  async end(): Promise<void> {
    await this.#step(() => this.#stream.end());
  }

  taken(): Buffer[] {
    return this.#pieces.length === 0 ? [] : [Buffer.concat(this.#pieces.splice(0))];
  }

  close(): void {
    this.#stream.destroy();
  }

  /** A stream whose data ends within what is written ends itself, and never says that the rest was written. */
  #step(act: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (result: () => void): void => {
        this.#stream.off('error', failed).off('end', ended).off('close', closed);
        result();
      };
      const failed = (error: Error): void => settle(() => reject(error));
      const ended = (): void => {
        this.hasEnded = true;
        settle(resolve);
      };
      const closed = (): void => settle(() => reject(new Error('the decompression was closed')));
      this.#stream.on('error', failed).on('end', ended).on('close', closed);
      act(() => settle(resolve));
    });
  }
}

/** Newer releases of Node have zstd, older ones do not. */
function zstdStream(): Transform {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const stream: unknown = typeof create === 'function' ? Reflect.apply(create, zlib, []) : undefined;
  if (stream instanceof Transform) return stream;
  throw new FileUnreadable(
    'zstd_unsupported',
    'is compressed with zstd, which this release of Node cannot read. Decompress it, or use gzip or Node 22.15 or later.',
  );
}
