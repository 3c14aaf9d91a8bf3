import type { Clock } from '../../src/domain/clock.ts';

const anHour = 3_600_000;

/** A clock that a test owns: sleeping takes no time, and moves it on. Sleeps of hours last until they are aborted. */
export function ownClock(start = Date.UTC(2024, 6, 1)): Clock & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms >= anHour) return untilAborted(signal);
      slept.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
