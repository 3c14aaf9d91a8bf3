import { rmSync } from 'node:fs';
import { ownWaiting, whileDenied, type Waiting } from './while-denied.ts';

interface System extends Waiting {
  readonly remove: (path: string) => void;
}

/** Removes a file if it is there. Throws the system's error; on Windows only if it does not pass. */
export function removeFile(path: string, system: System = { ...ownWaiting, remove }): void {
  whileDenied(() => {
    system.remove(path);
  }, system);
}

/** The same for what is only left over: it changes no result if it stays, because its name says what it was. */
export function removeLeftover(path: string, system?: System): void {
  try {
    removeFile(path, system);
  } catch {
    return;
  }
}

function remove(path: string): void {
  rmSync(path, { force: true });
}

/** The options with which `rm` removes a directory and everything in it. On Windows it tries again while a scanner has something there open. */
export const wholeDirectory = { recursive: true, force: true, maxRetries: 5 } as const;
