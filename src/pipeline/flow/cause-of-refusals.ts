/** The refusals of which the cause is judged. */
const enough = 6;
/** The most of the accepted requests with as many under way as at refusals, if their number is the cause. */
const mostAccepted = 0.15;

/**
 * Tells whether requests that are sent evenly are refused because of their rate, or because of how many are under way: a
 * rate refuses whatever that number is.
 */
export class CauseOfRefusals {
  readonly #refused: number[] = [];
  /** Accepted requests by how many were under way. */
  readonly #accepted = new Map<number, number>();
  #total = 0;

  accepted(inFlight: number): void {
    if (this.#refused.length >= enough) return;
    this.#accepted.set(inFlight, (this.#accepted.get(inFlight) ?? 0) + 1);
    this.#total += 1;
  }

  refused(inFlight: number): void {
    if (this.#refused.length < enough) this.#refused.push(inFlight);
  }

  /** Whether the number of requests under way is the cause. */
  get isConcurrency(): boolean {
    if (this.#refused.length < enough || this.#total < 2 * enough) return false;
    const middle = this.#refused.sort((a, b) => a - b)[enough / 2 - 1] ?? Infinity;
    let asMany = 0;
    for (const [inFlight, count] of this.#accepted) if (inFlight >= middle) asMany += count;
    return asMany < mostAccepted * this.#total;
  }
}
