/** Calls back when the process ends, however it ends by itself, until the returned function is called. */
export function atExit(listener: () => void): () => void {
  process.once('exit', listener);
  return () => void process.off('exit', listener);
}
