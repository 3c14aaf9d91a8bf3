/** What is to be stopped with each signal. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted; gives the function that takes this back. One signal stops all requests of a
 * run, and Node takes more than ten listeners for a leak: so each signal gets a single one, for good.
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
