import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileChanged, FileUnreadable, unreadable } from '../file-bytes.ts';
import type { FileState, Place, RandomAccess, ReadOptions, StoredFile } from './place.ts';

/** A directory on this machine; `isWithin`: a file behind a link that leads out of it is refused. */
export function directoryPlace(root: string, isWithin = false): Place {
  return {
    list: () => readdir(root),
    deeper: () => filesBelow(root),
    find: (name) => {
      const file = fileIn(root, name);
      if (isWithin && file !== undefined) requireWithin(root, name);
      return Promise.resolve(file);
    },
    close: () => undefined,
  };
}

const mostDirectories = 100;

/** The files in the directories of a directory, not in those below. Directories that cannot be read are left out. */
async function filesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const directories = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const found = await Promise.all(
    directories.slice(0, mostDirectories).map(async ({ name }) => {
      const files = await readdir(join(root, name)).catch(() => []);
      return files.map((file) => `${name}/${file}`);
    }),
  );
  return found.flat();
}

/** A file on this machine; undefined if there is none. Throws FileUnreadable. */
export function localFile(path: string): StoredFile | undefined {
  return fileIn(dirname(path), basename(path));
}

function fileIn(root: string, name: string): StoredFile | undefined {
  const path = join(root, name);
  try {
    return new LocalFile(path, stateOf(path));
  } catch (error) {
    const cause = error instanceof FileUnreadable ? error.cause : error;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Throws FileUnreadable if a name in the directory is that of a link to a file elsewhere. A path with `..` is no link. */
function requireWithin(root: string, name: string): void {
  if (!isBelow(resolve(root), resolve(root, name))) return;
  const target = realpathSync(join(root, name));
  if (isBelow(realpathSync(root), target)) return;
  throw new FileUnreadable(
    'link_outside',
    `is a link out of the export, to ${target}. Put the file itself into the export, or set followLinks: true if this is meant.`,
  );
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** The current state of a file. Throws FileUnreadable, including if it is not a file. */
function stateOf(path: string): FileState {
  try {
    const found = statSync(path, { bigint: true });
    if (!found.isFile()) throw new FileUnreadable('unreadable_file', 'is not a file. Name a file.');
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    const mark = [dev, ino, size, mtimeNs].join(' ');
    return { size: Number(size), mark, fullMark: `${mark} ${ctimeNs}` };
  } catch (error) {
    return unreadable(error);
  }
}

class LocalFile implements StoredFile {
  readonly isLocal = true;
  readonly path: string;
  readonly state: FileState;

  constructor(path: string, state: FileState) {
    this.path = path;
    this.state = state;
  }

  async *read(
    { onBytes, signal, reused }: ReadOptions,
    blockSize: number,
  ): AsyncGenerator<Buffer, void, undefined> {
    const file = this.#open();
    try {
      for (;;) {
        // Lets other work run. Reading each block in a thread of the pool would be slower.
        await nextTurn();
        signal?.throwIfAborted();
        const buffer = reused ?? Buffer.allocUnsafe(blockSize);
        const bytesRead = readSync(file, buffer, 0, buffer.length, null);
        // Checked after reading, so that no block is returned that a change may have touched.
        this.verify();
        if (bytesRead === 0) return;
        onBytes?.(bytesRead);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      closeSync(file);
    }
  }

  random(): Promise<RandomAccess> {
    return Promise.resolve({ descriptor: this.#open() });
  }

  verify(): void {
    if (stateOf(this.path).mark !== this.state.mark) throw fileChanged();
  }

  #open(): number {
    try {
      return openSync(this.path, 'r');
    } catch (error) {
      return unreadable(error);
    }
  }
}
