/**
 * The memory of the accounts that a run has in hand. Each takes about twice the size of its requests: the run has the requests,
 * and the thread the rows that they were made of, to name their cells.
 */
export class HeldMemory {
  readonly #most: number;
  readonly #held = new Map<number, number>();
  #total = 0;

  /** `most`: bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether requests of so many more bytes fit; always if no others are held, so that every account has its turn. */
  fits(bytes: number): boolean {
    return this.#total === 0 || this.#total + 2 * bytes <= this.#most;
  }

  take(account: number, bytes: number): void {
    this.#held.set(account, 2 * bytes);
    this.#total += 2 * bytes;
  }

  release(account: number): void {
    this.#total -= this.#held.get(account) ?? 0;
    this.#held.delete(account);
  }
}
