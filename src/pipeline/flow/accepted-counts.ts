/** The latest accepted requests that a refusal is compared with; and the share of them that had as many under way. */
const compared = 48;
const enoughCompared = 8;
const asMany = 0.2;

/** How many requests were under way at each of the latest accepted ones. */
export class AcceptedCounts {
  readonly #latest: number[] = [];

  accepted(inFlight: number): void {
    this.#latest.push(inFlight);
    if (this.#latest.length > 2 * compared) this.#latest.splice(0, compared);
  }

  /** So many are known, up to twice as many as are compared. */
  get known(): number {
    return this.#latest.length;
  }

  /** Whether as many at the same time were accepted of late. */
  has(inFlight: number): boolean {
    const of = this.#latest.slice(-compared);
    return of.length >= enoughCompared && of.filter((each) => each >= inFlight).length >= asMany * of.length;
  }
}
