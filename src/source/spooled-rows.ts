import { ExportBroken, unreadableFile } from './fault.ts';
import { FileUnreadable } from './file-bytes.ts';
import { formatOf } from './formats/formats.ts';
import type { ReadOptions } from './places/place.ts';
import { UnnamedFile } from './places/unnamed-file.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/** The bytes before each batch that say how long it is. */
const lengthBytes = 4;

/**
 * Reads files twice, and parses those once whose format takes much longer to parse than its rows take to be read from a temporary
 * file. The rows of others are read from their files again.
 */
export class SpooledRows {
  private readonly spools = new Map<OpenedFile, UnnamedFile>();

  /** The first reading. Throws what readRows throws, including if the rows cannot be stored. */
  async *first(file: OpenedFile, options: ReadOptions): AsyncGenerator<readonly Row[], void, undefined> {
    if (formatOf(file.table).isCostly !== true) {
      yield* readRows(file, options);
      return;
    }
    const spool = guarded(file, () => UnnamedFile.empty());
    this.spools.set(file, spool);
    for await (const batch of readRows(file, options)) {
      if (batch.length > 0) guarded(file, () => spool.append(framed(batch)));
      yield batch;
    }
  }

  /** A further reading, after the first was read to its end. */
  async *again(file: OpenedFile, options: ReadOptions): AsyncGenerator<readonly Row[], void, undefined> {
    const spool = this.spools.get(file);
    if (spool === undefined) {
      yield* readRows(file, options);
      return;
    }
    const length = Buffer.alloc(lengthBytes);
    for (let at = 0; spool.readAt(length, 0, at) === lengthBytes;) {
      options.signal?.throwIfAborted();
      const bytes = Buffer.allocUnsafe(length.readUInt32LE());
      spool.readAt(bytes, 0, at + lengthBytes);
      at += lengthBytes + bytes.length;
      yield JSON.parse(bytes.toString()) as readonly Row[];
    }
  }

  /** Frees the disk. */
  close(): void {
    for (const spool of this.spools.values()) spool.close();
    this.spools.clear();
  }
}

function framed(batch: readonly Row[]): Buffer {
  const text = JSON.stringify(batch);
  const bytes = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(text));
  bytes.writeUInt32LE(bytes.length - lengthBytes);
  bytes.write(text, lengthBytes);
  return bytes;
}

function guarded<Result>({ table }: OpenedFile, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new ExportBroken(unreadableFile(error, table.file));
  }
}
