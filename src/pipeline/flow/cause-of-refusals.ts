/** The refusals of which the cause is judged, how many accepted requests lie between two of them, and which one counts. */
const enough = 6;
const apart = 2;
const second = 1;
/** The accepted requests without which nothing is judged. */
const leastAccepted = 48;
/** The most of the accepted requests with as many under way as at nearly every refusal, if their number is the cause. */
const mostAccepted = 0.1;

/**
 * Tells whether requests that are sent evenly are refused because of their rate, or because of how many are under way: a
 * rate refuses whatever that number is.
 */
export class CauseOfRefusals {
  readonly #refused: number[] = [];
  /** Accepted requests by how many were under way. */
  readonly #accepted = new Map<number, number>();
  #total = 0;
  /** Accepted requests since the last refusal that counts: several at once have one cause. */
  #since = apart;

  accepted(inFlight: number): void {
    this.#since += 1;
    if (this.#refused.length >= enough) return;
    this.#accepted.set(inFlight, (this.#accepted.get(inFlight) ?? 0) + 1);
    this.#total += 1;
  }

  refused(inFlight: number): void {
    if (this.#refused.length >= enough || this.#since < apart) return;
    this.#refused.push(inFlight);
    this.#since = 0;
  }

  /** Whether the number of requests under way is the cause. */
  get isConcurrency(): boolean {
    if (this.#refused.length < enough || this.#total < leastAccepted) return false;
    const least = this.#refused.sort((a, b) => a - b)[second] ?? Infinity;
    let asMany = 0;
    for (const [inFlight, count] of this.#accepted) if (inFlight >= least) asMany += count;
    return asMany < mostAccepted * this.#total;
  }
}
