import { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { parseFileName } from './file-name.ts';
import type { ReadOptions, StoredFile } from './places/place.ts';

/** Why a file's bytes cannot be read; the message continues after the file's name, and has the remedy. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A compressed file ends too early; the bytes before the end were returned. */
export class CutShort extends FileUnreadable {}

/** Small, so that a block's rows are released before the garbage collector has to move them. */
const blockSize = 64 * 1024;
/** Decompression can enlarge a block a thousand times. */
const compressedBlockSize = 32 * 1024;

/** Throws the refusal for an error of the file system, and any other error as it is. */
export function unreadable(error: unknown): never {
  const text = fileErrorText(error);
  throw text === undefined ? error : new FileUnreadable('unreadable_file', text, { cause: error });
}

/** The file is not as it was when it was found. */
export function fileChanged(): FileUnreadable {
  return new FileUnreadable(
    'file_changed',
    'was changed while it was read. Wait until it is complete, then run again.',
  );
}

/**
 * The bytes of a file, block by block, decompressed if its name ends in .gz or .zst. Throws FileUnreadable, and the
 * signal's reason, after everything before the fault was returned.
 */
export async function* readBytes(
  file: StoredFile,
  options: ReadOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  const { compression } = parseFileName(file.path);
  try {
    if (compression === undefined) yield* file.read(options, blockSize);
    else yield* decompressed(file.read(options, compressedBlockSize), compression);
  } catch (error) {
    unreadable(error);
  }
}

/**
 * Not a pipeline: a pipeline drops decompressed bytes that were not taken yet when the file turns out to be broken.
 */
async function* decompressed(
  blocks: AsyncIterable<Buffer>,
  compression: 'gzip' | 'zstd',
): AsyncGenerator<Buffer, void, undefined> {
  const stream = compression === 'gzip' ? zlib.createGunzip() : zstdStream();
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  stream.on('error', () => undefined);
  const step = (act: (done: () => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.once('error', reject);
      act(() => {
        stream.off('error', reject);
        resolve();
      });
    });
  const taken = (): Buffer[] => (pieces.length === 0 ? [] : [Buffer.concat(pieces.splice(0))]);
  try {
    for await (const block of blocks) {
      await step((done) => stream.write(block, done));
      yield* taken();
    }
    await step((done) => stream.once('end', done).end());
    yield* taken();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error instanceof FileUnreadable || 'syscall' in error)
      throw error;
    yield* taken();
    if (error.code === 'Z_BUF_ERROR')
      throw new CutShort(
        'truncated_file',
        'is cut short: its compressed data ends too early. Copy it again, or export it again.',
        { cause: error },
      );
    // Earlier blocks may be wrong too: damage shows only some bytes later.
    throw new FileUnreadable(
      'damaged_file',
      `is damaged: it cannot be decompressed with ${compression}. Copy it again, or export it again.`,
      { cause: error },
    );
  } finally {
    stream.destroy();
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

/** The message for an error of the file system, with the remedy; undefined for any other error. */
export function fileErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist. Check the path.';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read. Check its permissions.';
    case 'EISDIR':
      return 'is a directory. Name a file.';
    default:
      return `cannot be read: the system reports ${String(error.code)}. Check the disk, or copy the export again.`;
  }
}
