/** Those who wait, in the order in which they came. */
export class WaitQueue {
  readonly #waiting = new Set<(isTheirTurn: boolean) => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** True when it is the caller's turn; false when the signal is aborted first. */
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

  /** Lets the first one go; false when nobody waits. */
  next(): boolean {
    for (const settle of this.#waiting) {
      settle(true);
      return true;
    }
    return false;
  }
}
