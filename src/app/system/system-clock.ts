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
