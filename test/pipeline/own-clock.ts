import type { Clock } from '../../src/domain/clock.ts';

const anHour = 3_600_000;

/** A clock that a test owns: sleeping takes no time, and moves it on. Sleeps of hours last until they are aborted. */
export interface OwnClock extends Clock {
  /** What was slept, in ms each. */
  readonly slept: number[];
  /** Sets what the clock on the wall shows forward, or back: no time passes. */
  set(byMs: number): void;
  /** So much time passes, by all clocks, and nobody sleeps. */
  pass(ms: number): void;
}

export function ownClock(start = Date.UTC(2024, 6, 1)): OwnClock {
  let wall = start;
  let monotonic = 0;
  const slept: number[] = [];
  const pass = (ms: number): void => {
    wall += ms;
    monotonic += ms;
  };
  return {
    slept,
    now: () => Math.floor(wall),
    monotonic: () => monotonic,
    set: (byMs) => void (wall += byMs),
    pass,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms >= anHour) return untilAborted(signal);
      slept.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      pass(ms);
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
