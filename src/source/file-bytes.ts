import { hostShortage } from '../domain/host-shortage.ts';
import { openElsewhere } from '../domain/open-elsewhere.ts';
import { decompressed } from './decompress.ts';
import { CutShort, FileUnreadable } from './file-unreadable.ts';
import { parseFileName } from './file-name.ts';
import type { ReadOptions, StoredFile } from './places/place.ts';

export { CutShort, FileUnreadable };

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

/** The message for an error of the file system, with the remedy; undefined for any other error. */
export function fileErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const denied = openElsewhere(error);
  if (denied !== undefined) return denied;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist. Check the path.';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read. Check its permissions.';
    case 'EISDIR':
      return 'is a directory. Name a file.';
    default: {
      const shortage = hostShortage(error);
      if (shortage !== undefined) return `cannot be read: ${shortage}`;
      return `cannot be read: the system reports ${String(error.code)}. Check the disk, or copy the export again.`;
    }
  }
}
