/** Something that ends early when a signal is aborted. */
export interface Stoppable {
  stop(): void;
}

/** The objects to stop for each signal. */
const followers = new WeakMap<AbortSignal, Set<Stoppable>>();

/**
 * Stops an object when the signal is aborted, unless `forget` was called before. One signal stops all requests of a run, and Node warns of a leak
 * above ten listeners, so each signal gets a single permanent one.
 */
export function whenAborted(signal: AbortSignal | undefined, stoppable: Stoppable): void {
  if (signal !== undefined) (followers.get(signal) ?? follow(signal)).add(stoppable);
}

/** Undoes `whenAborted`. */
export function forget(signal: AbortSignal | undefined, stoppable: Stoppable): void {
  if (signal !== undefined) followers.get(signal)?.delete(stoppable);
}

function follow(signal: AbortSignal): Set<Stoppable> {
  const stoppables = new Set<Stoppable>();
  followers.set(signal, stoppables);
  signal.addEventListener('abort', () => stoppables.forEach((one) => one.stop()), { once: true });
  return stoppables;
}
