import { hostShortage } from './host-shortage.ts';
import { openElsewhere } from './open-elsewhere.ts';

/** Why a file or directory cannot be written, with the remedy, by the system's code. */
const causes: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its directory does not exist. Create it, or name another place.'],
  ['ENOTDIR', 'a part of its path is a file, and no directory. Name another place.'],
  ['EISDIR', 'it is a directory. Name a file.'],
  ['EEXIST', 'something is there already. Name another place.'],
  ['ENOTEMPTY', 'the directory is not empty. Name another place.'],
  ['EACCES', 'you may not write there. Change its permissions, or name another place.'],
  [
    'EPERM',
    'the system does not permit it, as for a file of another user or one that is marked as immutable (lsattr). Name another place.',
  ],
  ['ENAMETOOLONG', 'its name is too long. Name a shorter one.'],
  ['ELOOP', 'its path is a link that leads to itself. Name another place.'],
  ['ENXIO', 'no program reads from it. Start the one that is to read it first.'],
  ['EPIPE', 'the program that read from it has ended.'],
  ['EBUSY', 'another program uses it. End that, or name another place.'],
  ['ETXTBSY', 'it is a program that is running. Name another place.'],
  [
    'EFBIG',
    'it would be larger than its file system or the limit of this process allows (ulimit -f). Raise the limit, or name another place.',
  ],
  ['ENOSPC', 'the disk is full. Free space, or name another place.'],
  ['EDQUOT', 'the quota of this user on its disk is used up. Free space, or name another place.'],
  ['EROFS', 'its file system is mounted read-only. Name another place.'],
]);

/**
 * Why a file or directory cannot be written, with the remedy; follows `PATH cannot be written: `. Throws an error that is none of the
 * system's as it is.
 */
export function whyUnwritten(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
  const code = String(error.code);
  const denied = openElsewhere(error);
  return (
    (denied && `it ${denied}`) ??
    causes.get(code) ??
    hostShortage(error) ??
    `the system reports ${code}. Check the path and its disk, or name another place.`
  );
}
