import { refuseBomb } from './expansion.ts';
import { closeSync } from 'node:fs';
import * as zlib from 'node:zlib';
import type * as yauzl from 'yauzl';
import { lazily, load } from '../domain/lazily.ts';
import { FileUnreadable, unreadable } from './file-bytes.ts';
import { plainName, unmarkedName } from './zip-names.ts';
import { descriptorReader, rangeReader } from './zip-readers.ts';
import { endOfZip } from './zip-end.ts';
import type { ReadOptions, StoredFile } from './places/place.ts';

const library = lazily(() => load('yauzl') as typeof yauzl);
type Entry = yauzl.Entry;
type ZipFile = yauzl.ZipFile;

const mebibyte = 1024 * 1024;
/** No workbook and no export has more parts than this. */
const mostParts = 100_000;

/** A part of a ZIP file. */
export interface ZipPart {
  /** Unpacked, in bytes, as the file says it. */
  readonly size: number;
  readonly packedSize: number;
  /** The checksum of its contents. */
  readonly checksum: number;
}

/** The parts of a ZIP file. */
export interface ZipParts {
  /** By their names; directories are left out. */
  readonly all: ReadonlyMap<string, ZipPart>;
  /** Unpacks a part block by block, and counts its packed bytes. Throws FileUnreadable, and the signal's reason. */
  read(name: string, options?: ReadOptions): AsyncGenerator<Buffer, void, undefined>;
  close(): void;
}

/**
 * Opens a ZIP file. Throws FileUnreadable if it is none, if it is cut short, and if it has parts that would unpack to
 * many times their size, or whose names lead elsewhere.
 */
export async function openZip(file: StoredFile): Promise<ZipParts> {
  const zip = await opened(file);
  try {
    return new Parts(file, zip, await entriesOf(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function opened(file: StoredFile): Promise<ZipFile> {
  const found = await file.random();
  const options = { autoClose: false, decodeStrings: false };
  try {
    const { size } = file.state;
    const open = (end: number): Promise<ZipFile> => {
      const reader =
        'descriptor' in found
          ? descriptorReader(library(), found.descriptor)
          : rangeReader(library(), (...ends) => found.range(...ends), end);
      return library().fromRandomAccessReaderPromise(reader, end, options);
    };
    try {
      return await open(size);
    } catch (error) {
      if (error instanceof FileUnreadable || (error instanceof Error && 'syscall' in error) || isSplit(error))
        throw error;
      // Other bytes may follow, as a mail or a download program adds them.
      const end = await endOfZip(found, size);
      if (end === undefined || end === size) throw error;
      return await open(end);
    }
  } catch (error) {
    if ('descriptor' in found) closeSync(found.descriptor);
    if (error instanceof FileUnreadable) throw error;
    if (error instanceof Error && 'syscall' in error) return unreadable(error);
    if (isSplit(error)) throw splitFile(error);
    if ((await startOf(file, 4)).toString('latin1') === 'PK\x03\x04') return cutShort(error);
    throw new FileUnreadable('not_a_zip', 'is not a ZIP file. Name the right file, or save it again.', {
      cause: error,
    });
  }
}

function isSplit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('multi-disk');
}

function splitFile(cause: unknown): FileUnreadable {
  return new FileUnreadable('not_a_zip', 'is one of several volumes. Write a ZIP file of one volume.', {
    cause,
  });
}

function cutShort(cause: unknown): never {
  throw new FileUnreadable(
    'truncated_file',
    'is cut short: the list of its parts, which is at its end, is missing or damaged. Copy it again, or save it again.',
    { cause },
  );
}

/** The first bytes of a file. */
export async function startOf(file: StoredFile, length: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of file.read({}, Math.min(length, mebibyte))) {
    blocks.push(block);
    size += block.length;
    if (size >= length) break;
  }
  return Buffer.concat(blocks).subarray(0, length);
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      if (entries.has(name) || entries.size >= mostParts)
        throw damaged(`it has ${entries.has(name) ? `the part ${name} twice` : 'too many parts'}`);
      refuseBomb(entry.compressedSize, entry.uncompressedSize, name);
      entries.set(name, entry);
    }
  } catch (error) {
    if (error instanceof FileUnreadable) throw error;
    if (error instanceof Error && error.message.startsWith('strong encryption')) throw encrypted();
    cutShort(error);
  }
  return entries;
}

/** The extra field that gives the name in UTF-8. */
const unicodePath = 0x7075;

/** The name of a part, with slashes. A name that leads out of a directory is refused, although nothing is unpacked there. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const hasOwn = extraFields.some(({ id }) => id === unicodePath);
  const unmarked = hasOwn ? undefined : unmarkedName(fileNameRaw, generalPurposeBitFlag);
  const name = plainName(
    unmarked ?? library().getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false),
  );
  if (library().validateFileName(name) !== null)
    throw new FileUnreadable(
      'unsafe_path',
      `is refused: its part ${JSON.stringify(name)} would be outside of the directory in which it is unpacked. Write it again, with plain names.`,
    );
  return name;
}

function damaged(why: string, cause?: unknown): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    `is damaged: ${why}. Copy it again, or save it again.`,
    cause === undefined ? undefined : { cause },
  );
}

function encrypted(): FileUnreadable {
  return new FileUnreadable(
    'encrypted_file',
    'is protected by a password. Save it without a password, or unpack it.',
  );
}

const methods = { stored: 0, deflated: 8 };

class Parts implements ZipParts {
  readonly all: ReadonlyMap<string, ZipPart>;
  readonly #file: StoredFile;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(file: StoredFile, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
    this.all = new Map(
      [...entries].map(([name, { uncompressedSize: size, compressedSize: packedSize, crc32: checksum }]) => [
        name,
        { size, packedSize, checksum },
      ]),
    );
  }

  async *read(name: string, { onBytes, signal }: ReadOptions = {}): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw damaged(`it has no part ${name}`);
    if (entry.isEncrypted()) throw encrypted();
    if (!Object.values(methods).includes(entry.compressionMethod))
      throw new FileUnreadable(
        'unknown_compression',
        `is compressed with an unknown method (${entry.compressionMethod}). Write the ZIP file with the usual method (deflate), or unpack it.`,
      );
    let sum = 0;
    let told = 0;
    let size = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const block of stream) {
        const bytes: unknown = block;
        if (!Buffer.isBuffer(bytes)) continue;
        signal?.throwIfAborted();
        this.#file.verify();
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
    if (sum !== entry.crc32) throw damaged(`its part ${name} does not match its checksum`);
  }

  close(): void {
    this.#zip.close();
  }
}
