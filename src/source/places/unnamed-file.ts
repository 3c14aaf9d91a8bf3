import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryVariable } from '../../domain/temporary-variable.ts';
import { whyUnwritten } from '../../domain/unwritten.ts';
import { FileUnreadable } from '../file-bytes.ts';

/**
 * A file in the temporary directory that only its owner can read. Nothing of it remains, even if the program is killed: it has no
 * name, or, on Windows, is removed by the system when nobody has it open any more.
 */
export class UnnamedFile {
  #file: number;
  /** By which it is opened once more. */
  readonly #path: string;
  #size = 0;

  private constructor({ file, path }: OpenedFile) {
    this.#file = file;
    this.#path = path;
  }

  /** Throws FileUnreadable if it cannot be made. */
  static empty(): UnnamedFile {
    return new UnnamedFile(guarded(create));
  }

  /** A file of these bytes. Throws what taking them throws, and FileUnreadable if they cannot be written. */
  static async of(blocks: AsyncIterable<Buffer>): Promise<UnnamedFile> {
    const file = UnnamedFile.empty();
    try {
      for await (const block of blocks) file.append(block);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Returns the position of the bytes. Throws FileUnreadable if they cannot be written. */
  append(bytes: Buffer): number {
    const at = this.#size;
    guarded(() => writeAll(this.#file, bytes, at));
    this.#size += bytes.length;
    return at;
  }

  /** Frees the disk; what is written next is at its start. */
  clear(): void {
    ftruncateSync(this.#file);
    this.#size = 0;
  }

  /** A descriptor of its own, which the caller closes. */
  descriptor(): number {
    return openSync(this.#path, 'r');
  }

  /** Fills a buffer, from the offset `from`, with the bytes at a position; returns how many there were. */
  readAt(buffer: Buffer, from: number, position: number): number {
    return readSync(this.#file, buffer, from, buffer.length - from, position);
  }

  close(): void {
    closeSync(this.#file);
    // The next file that is opened may get its number.
    this.#file = -1;
  }
}

interface OpenedFile {
  readonly file: number;
  readonly path: string;
}

/** Windows: delete on close. Not among Node's constants. */
const temporary = 0x40;

function create(): OpenedFile {
  if (platform() === 'win32') {
    const path = join(tmpdir(), `migrate-${randomUUID()}`);
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    return { file: openSync(path, O_RDWR | O_CREAT | O_EXCL | temporary), path };
  }
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'));
  try {
    const file = openSync(join(directory, 'unpacked'), 'wx+', 0o600);
    return { file, path: `/dev/fd/${file}` };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

function guarded<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new FileUnreadable(
      'staging_failed',
      `cannot be kept in ${tmpdir()} while it is read: ${whyUnwritten(error)} ${temporaryVariable} names the directory.`,
      { cause: error },
    );
  }
}
