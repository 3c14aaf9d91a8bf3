import { dirname, join, resolve } from 'node:path';

/** Whether a journal's name is the address of a database server, and not the path of a file. */
export function isServerAddress(name: string): boolean {
  return /^postgres(ql)?:\/\//i.test(name);
}

/** A journal's name in full: a path from this directory; an address as it is. */
export function journalFrom(directory: string, name: string): string {
  return isServerAddress(name) ? name : resolve(directory, name);
}

/**
 * The directory of what belongs to a journal and is not in it, such as the embedded platform's state: that of its file, or
 * `.migrate` in the working directory.
 */
export function besideJournal(cwd: string, name: string): string {
  return isServerAddress(name) ? join(cwd, '.migrate') : dirname(resolve(cwd, name));
}

/** Whether the address of a database contains a password, in either of the two ways. */
export function holdsPassword({ password, searchParams }: URL): boolean {
  return password !== '' || searchParams.has('password');
}
