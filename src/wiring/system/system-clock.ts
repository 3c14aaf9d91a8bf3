import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
