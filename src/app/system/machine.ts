import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { packaged } from './packaged.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';

/** The longest delay of a timer, in ms: with a longer one it fires at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    const options = signal === undefined ? {} : { signal };
    let left = ms;
    for (; left > longestTimer; left -= longestTimer) await delay(longestTimer, undefined, options);
    await delay(left, undefined, options);
  },
};

/** The parts of the environment that belong to this machine and this process. */
export function machine(): Omit<Environment, 'env' | 'onInterrupt'> {
  return {
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    self: [process.execPath, fileURLToPath(packaged('bin/migrate.js'))],
    user: user(),
    host: hostname(),
    pid: process.pid,
  };
}

/** From the system, which the environment cannot change. In a container the user may have no name. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
