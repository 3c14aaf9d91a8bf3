import { platform } from 'node:os';

/** What Windows says while a scanner or an indexer has a file open, for moments. */
const passing: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** How often it is tried, and the pause between, in milliseconds: two seconds in all. */
const mostTries = 20;
const pauseMs = 100;

export interface Waiting {
  /** The system's name, as Node has it. */
  readonly name: string;
  readonly pause: (ms: number) => void;
}

export const ownWaiting: Waiting = {
  name: platform(),
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/** Does something to a file, on Windows again while that is denied. Throws the system's error, there only if it does not pass. */
export function whileDenied(work: () => void, { name, pause }: Waiting = ownWaiting): void {
  for (let tries = 1; ; tries += 1)
    try {
      work();
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (name !== 'win32' || tries === mostTries || !passing.has(code)) throw error;
      pause(pauseMs);
    }
}
