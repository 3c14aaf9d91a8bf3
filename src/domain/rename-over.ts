import { renameSync, rmdirSync, statSync } from 'node:fs';
import { ownWaiting, whileDenied, type Waiting } from './while-denied.ts';

interface System extends Waiting {
  readonly rename: (from: string, to: string) => void;
}

/**
 * Gives a file or a directory another name, in place of a file or of an empty directory there. Throws the system's error; on
 * Windows only if it does not pass.
 */
export function renameOver(from: string, to: string, system: System = { ...ownWaiting, rename }): void {
  // Windows gives no directory the name of another, even of an empty one; what is not empty stays.
  if (system.name === 'win32' && statSync(to, { throwIfNoEntry: false })?.isDirectory() === true)
    rmdirSync(to);
  whileDenied(() => {
    system.rename(from, to);
  }, system);
}

function rename(from: string, to: string): void {
  renameSync(from, to);
}
