/** The callbacks of each signal. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted; returns the function that cancels this. One signal stops all requests of a
 * run, and Node warns of a leak above ten listeners, so each signal gets a single permanent one.
 */
export function whenAborted(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const stops = followers.get(signal) ?? follow(signal);
  stops.add(stop);
  return () => stops.delete(stop);
}

function follow(signal: AbortSignal): Set<() => void> {
  const stops = new Set<() => void>();
  followers.set(signal, stops);
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  return stops;
}
