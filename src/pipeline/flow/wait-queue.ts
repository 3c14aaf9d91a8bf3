/** A queue of waiters, first come, first served. */
export class WaitQueue {
  readonly #waiting = new Set<(isTheirTurn: boolean) => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** True when it is the caller's turn; false if the signal is aborted first. */
  wait(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (): void => settle(false);
      const settle = (isTheirTurn: boolean): void => {
        this.#waiting.delete(settle);
        signal.removeEventListener('abort', leave);
        resolve(isTheirTurn);
      };
      signal.addEventListener('abort', leave);
      this.#waiting.add(settle);
    });
  }

  /** Releases the first one; false if nobody waits. */
  next(): boolean {
    for (const settle of this.#waiting) {
      settle(true);
      return true;
    }
    return false;
  }
}
