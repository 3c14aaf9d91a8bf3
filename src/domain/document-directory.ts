import { realpathSync, statSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { join, posix, relative } from 'node:path';

/** What is at a document path (section 2.1), within the import supplier's root location. */
export type DocumentState = 'there' | 'missing' | 'other spelling' | 'empty' | 'no file';

/** Disks of these systems find a file by other capitals, or by accents that are composed otherwise; a file store does not. */
const carelessSystems: ReadonlySet<string> = new Set(['win32', 'darwin']);

/** Looks up document paths in a directory, as a file store would that has what is in it. */
export function documentDirectory(root: string, system = platform()): (path: string) => DocumentState {
  const isCareless = carelessSystems.has(system);
  return (path) => {
    const file = join(root, path);
    const found = statOf(file);
    if (found === undefined) return 'missing';
    if (!found.isFile()) return 'no file';
    const onDisk = isCareless ? namesOnDisk(root, file) : undefined;
    if (onDisk !== undefined && isSpelledOtherwise(path, onDisk)) return 'other spelling';
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

/** The path of a file below a directory, by the names that the disk has; undefined if it does not tell, as some virtual ones. */
function namesOnDisk(root: string, file: string): string | undefined {
  try {
    return relative(realpathSync.native(root), realpathSync.native(file)).replaceAll('\\', '/');
  } catch {
    return undefined;
  }
}

/** Whether a path finds a file only because the disk takes both for the same. What a link leads to is not judged. */
export function isSpelledOtherwise(path: string, onDisk: string): boolean {
  const asked = posix.normalize(path);
  return asked !== onDisk && plain(asked) === plain(onDisk);
}

function plain(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
