/** A queue of waiters, first come, first served. */
export class WaitQueue {
  /** With what ends the wait of each. */
  readonly #waiting = new Map<(isTheirTurn: boolean) => void, AbortSignal>();
  /** One listener serves all who wait with a signal. */
  readonly #watched = new WeakSet<AbortSignal>();

  get length(): number {
    return this.#waiting.size;
  }

  /** True when it is the caller's turn; false if the signal is aborted first. */
  wait(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (!this.#watched.has(signal)) this.#watch(signal);
    return new Promise((resolve) => this.#waiting.set(resolve, signal));
  }

  /** Releases the first one; false if nobody waits. */
  next(): boolean {
    for (const resolve of this.#waiting.keys()) {
      this.#waiting.delete(resolve);
      resolve(true);
      return true;
    }
    return false;
  }

  #watch(signal: AbortSignal): void {
    this.#watched.add(signal);
    signal.addEventListener('abort', () => {
      for (const [resolve, its] of this.#waiting)
        if (its === signal) {
          this.#waiting.delete(resolve);
          resolve(false);
        }
    });
  }
}
