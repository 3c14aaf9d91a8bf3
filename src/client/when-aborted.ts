import { setMaxListeners } from 'node:events';

/** Calls `stop` when the signal is aborted; gives the function that takes this back. */
export function whenAborted(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => undefined;
  // One signal stops all requests of a run, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}
