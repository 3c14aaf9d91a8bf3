import { hostname, userInfo } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import type { Environment } from './environment.ts';
import { packaged } from './packaged.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';

/** The longest delay of a timer, in ms: with a longer one it fires at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    const options = { signal };
    let left = ms;
    try {
      for (; left > longestTimer; left -= longestTimer) await delay(longestTimer, undefined, options);
      await delay(left, undefined, options);
    } catch (error) {
      // The timer rejects with an error of its own.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** The parts of the environment that belong to this machine and this process. */
export function machine(): Omit<Environment, 'env' | 'onInterrupt'> {
  return {
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    standardInput,
    self: [process.execPath, fileURLToPath(packaged('bin/migrate.js'))],
    user: user(),
    host: hostname(),
    pid: process.pid,
  };
}

function standardInput(signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (isatty(0))
    throw new CannotStart(
      exitCodes.usage,
      'Standard input (-) is a terminal. Pipe a table into the command, or name an export.',
    );
  return addAbortSignal(signal, process.stdin);
}

/** From the system, which the environment cannot change. In a container the user may have no name. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
