import { closeSync, openSync, readSync } from 'node:fs';
import * as zlib from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { FileUnreadable, stateOf, unreadable, type ReadOptions } from './file-bytes.ts';

const mebibyte = 1024 * 1024;
/** A part that is larger may not be packed more than this many times: a sheet of a million like rows is packed 30 times. */
const smallPart = 64 * mebibyte;
const mostPacked = 250;
/** More parts than these are no workbook and no export. */
const mostParts = 100_000;

/** The parts of a ZIP file. */
export interface ZipParts {
  /** The names of the parts; directories are left out. */
  readonly names: readonly string[];
  /** The unpacked size in bytes, as the file says it. */
  sizeOf(name: string): number;
  /** Unpacks a part block by block. Throws FileUnreadable, and the signal's reason. */
  read(name: string, options?: ReadOptions): AsyncGenerator<Buffer, void, undefined>;
  close(): void;
}

/**
 * Opens a ZIP file. Throws FileUnreadable if it is none, if it is cut short, and if it has parts that would unpack to
 * many times their size.
 */
export async function openZip(path: string): Promise<ZipParts> {
  const zip = await opened(path);
  try {
    return new Parts(path, zip, await entriesOf(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function opened(path: string): Promise<ZipFile> {
  try {
    const { openPromise } = await import('yauzl');
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return unreadable(error);
    if (startOf(path, 4).toString('latin1') === 'PK\x03\x04') return cutShort(error);
    throw new FileUnreadable('not_a_zip', 'is not a ZIP file. Name the right file, or save it again.', {
      cause: error,
    });
  }
}

function cutShort(cause: unknown): never {
  throw new FileUnreadable(
    'truncated_file',
    'is cut short: the list of its parts, which is at its end, is missing or damaged. Copy it again, or save it again.',
    { cause },
  );
}

/** The first bytes of a file. */
export function startOf(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(length);
    return start.subarray(0, readSync(file, start, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      if (name.endsWith('/')) continue;
      if (entries.has(name) || entries.size >= mostParts)
        throw damaged(`it has ${entries.has(name) ? `the part ${name} twice` : 'too many parts'}`);
      if (entry.uncompressedSize > smallPart && entry.uncompressedSize > mostPacked * entry.compressedSize)
        throw new FileUnreadable(
          'zip_bomb',
          `is refused: its part ${name} unpacks to ${Math.floor(entry.uncompressedSize / entry.compressedSize)} times its size, as in a file that is made to fill memory or disk. Save it again.`,
        );
      entries.set(name, entry);
    }
  } catch (error) {
    if (error instanceof FileUnreadable) throw error;
    cutShort(error);
  }
  return entries;
}

function damaged(why: string, cause?: unknown): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    `is damaged: ${why}. Copy it again, or save it again.`,
    cause === undefined ? {} : { cause },
  );
}

class Parts implements ZipParts {
  readonly names: readonly string[];
  private readonly path: string;
  private readonly zip: ZipFile;
  private readonly entries: ReadonlyMap<string, Entry>;

  constructor(path: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.path = path;
    this.zip = zip;
    this.entries = entries;
    this.names = [...entries.keys()];
  }

  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  async *read(
    name: string,
    { onBytes, signal, state }: ReadOptions = {},
  ): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw damaged(`it has no part ${name}`);
    if (entry.isEncrypted())
      throw new FileUnreadable(
        'encrypted_file',
        'is protected by a password. Save it without a password, or unpack it.',
      );
    let sum = 0;
    let told = 0;
    let size = 0;
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      for await (const block of stream) {
        const bytes: unknown = block;
        if (!Buffer.isBuffer(bytes)) continue;
        signal?.throwIfAborted();
        if (state !== undefined && stateOf(this.path)?.mark !== state.mark)
          throw new FileUnreadable(
            'file_changed',
            'was changed while it was read. Wait until it is complete, then run again.',
          );
        sum = zlib.crc32(bytes, sum);
        size += bytes.length;
        // Progress counts the bytes of the file, not those of what it unpacks to.
        const read = Math.floor((size / entry.uncompressedSize) * entry.compressedSize);
        onBytes?.(read - told);
        told = read;
        yield bytes;
      }
    } catch (error) {
      if (error instanceof FileUnreadable || signal?.aborted === true) throw error;
      if (error instanceof Error && 'syscall' in error) unreadable(error);
      throw damaged(`its part ${name} cannot be unpacked`, error);
    }
    if (sum !== entry.crc32) throw damaged(`its part ${name} is not as it was written`);
  }

  close(): void {
    this.zip.close();
  }
}
