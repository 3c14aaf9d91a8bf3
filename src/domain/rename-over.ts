import { renameSync, rmdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';

/** What Windows says while a scanner or an indexer has a file open, for moments. */
const passing: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** How often a name is given again, and the pause between, in milliseconds: two seconds in all. */
const mostTries = 20;
const pauseMs = 100;

interface System {
  readonly name: string;
  readonly rename: (from: string, to: string) => void;
  readonly pause: (ms: number) => void;
}

const own: System = {
  name: platform(),
  rename: (from, to) => {
    renameSync(from, to);
  },
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * Gives a file or a directory another name, in place of a file or of an empty directory there. Throws the system's error; on
 * Windows only if it does not pass.
 */
export function renameOver(from: string, to: string, { name, rename, pause }: System = own): void {
  if (name !== 'win32') {
    rename(from, to);
    return;
  }
  // Windows gives no directory the name of another, even of an empty one; what is not empty stays.
  if (statSync(to, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(to);
  for (let tries = 1; ; tries += 1)
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (tries === mostTries || !passing.has(code)) throw error;
      pause(pauseMs);
    }
}
