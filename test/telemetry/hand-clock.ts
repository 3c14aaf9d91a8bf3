/** A clock whose sleeps wait for `pass`. */
export function handClock() {
  let now = 0;
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
    async pass(ms: number) {
      now += ms;
      for (const sleeper of sleeping)
        if (sleeper.at <= now) {
          sleeping.delete(sleeper);
          sleeper.wake();
        }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
