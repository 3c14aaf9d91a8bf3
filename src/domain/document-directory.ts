import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';

/** What is at a document path (section 2.1), within the import supplier's root location. */
export type DocumentState = 'there' | 'missing' | 'other spelling' | 'empty' | 'no file';

interface Disk {
  readonly system: string;
  /** What is at a path, as this disk finds it; undefined if nothing is. */
  readonly stat: (path: string) => Pick<Stats, 'isFile' | 'size'> | undefined;
  /** The name that a file or directory has in its own; undefined if the disk does not tell, as some virtual ones. */
  readonly nameOf: (path: string) => string | undefined;
}

/**
 * Disks of these systems find a file by other capitals, or by accents that are composed otherwise; Windows also by a dot or a blank at
 * the end of its name, by backslashes, and by a short name (`BILLS~1`). A file store does not.
 */
const carelessSystems: ReadonlySet<string> = new Set(['win32', 'darwin']);

/** Looks up document paths in a directory, as a file store would that has what is in it. */
export function documentDirectory(root: string, disk: Partial<Disk> = {}): (path: string) => DocumentState {
  const { system = platform(), stat = statOf, nameOf = nameInDirectory } = disk;
  const isCareless = carelessSystems.has(system);
  return (path) => {
    // It is no part of a name there, but leads to a stream of the file before it.
    if (system === 'win32' && path.includes(':')) return 'missing';
    const found = stat(join(root, path));
    if (found === undefined) return 'missing';
    if (!found.isFile()) return 'no file';
    if (isCareless && isSpelledOtherwise(root, path, nameOf)) return 'other spelling';
    return found.size === 0 ? 'empty' : 'there';
  };
}

/** Also undefined if a part of the path is not a directory, is too long, or cannot be searched. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a path finds a file only because the disk takes both for the same. What a link leads to is not judged. */
function isSpelledOtherwise(root: string, path: string, nameOf: Disk['nameOf']): boolean {
  const parts = posix.normalize(path).split('/');
  return parts.some((part, index) => {
    if (part === '..') return false;
    const name = nameOf(join(root, ...parts.slice(0, index), part));
    return name !== undefined && name !== part;
  });
}

function nameInDirectory(path: string): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return basename(realpathSync.native(path));
    // Its target has another name: only the list of its directory has its own.
    const asked = basename(path);
    return readdirSync(dirname(path)).find((name) => name === asked) ?? '';
  } catch {
    return undefined;
  }
}
