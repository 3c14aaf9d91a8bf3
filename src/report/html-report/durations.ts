/**
 * A distribution of durations; its memory does not grow with their number. Long durations are kept to three digits.
 */
export class Durations {
  readonly #counts = new Map<number, number>();
  #total = 0;

  /** In milliseconds. */
  add(ms: number): void {
    const kept = ms < 1000 ? ms : Number(ms.toPrecision(3));
    this.#counts.set(kept, (this.#counts.get(kept) ?? 0) + 1);
    this.#total += 1;
  }

  get count(): number {
    return this.#total;
  }

  /** The time in ms within which this share (0 to 1) of all ended; 0 if there are none. */
  within(share: number): number {
    let left = Math.ceil(this.#total * share);
    for (const [ms, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return ms;
    }
    return 0;
  }
}
