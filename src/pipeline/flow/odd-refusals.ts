import { AcceptedCounts } from './accepted-counts.ts';

/**
 * Refusals of a single request after which a rate is assumed; and those in so many outcomes, in several
 * series; fewer if a refusal is costly.
 */
const oddAlone = 2;
const oddMany = 5;
const oddSeries = 2;
const oddCostly = 2;
const oddAge = 200;
/** Accepted requests without which nothing is known; and more under way than this can express any rate by themselves. */
const leastAccepted = 2;
const mostInFlight = 24;
/** Accepted requests between two series of refusals. */
const betweenSeries = 12;

/** Notes refusals, and says when the number of concurrent requests no longer explains them. */
export class OddRefusals {
  #outcomes = 0;
  #alone = 0;
  #inSeries = 0;
  readonly #accepted = new AcceptedCounts();
  /** When each of the latest was, in outcomes, and whether it began a series. */
  #latest: { readonly at: number; readonly isFirst: boolean }[] = [];

  accepted(inFlight: number): void {
    this.#outcomes += 1;
    this.#inSeries += 1;
    this.#accepted.accepted(inFlight);
  }

  /** One of so many requests under way was refused. Whether a rate is to be assumed. `costly`: its outcome is unknown. */
  refused(inFlight: number, costly: boolean): boolean {
    this.#outcomes += 1;
    this.#latest = this.#latest.filter(({ at }) => this.#outcomes - at < oddAge);
    if (this.#latest.length === 0) this.#alone = 0;
    if (inFlight === 1) this.#alone += 1;
    if (inFlight > 1 && !this.wasAccepted(inFlight)) return false;
    this.#latest.push({ at: this.#outcomes, isFirst: this.#inSeries >= betweenSeries });
    this.#inSeries = 0;
    const series = this.#latest.filter(({ isFirst }) => isFirst).length;
    if (this.#accepted.known < leastAccepted || inFlight > mostInFlight) return false;
    if (costly && this.#latest.length >= oddCostly) return true;
    return this.isAlone || (this.#latest.length >= oddMany && series >= oddSeries);
  }

  /** Whether requests are refused with nothing else under way. */
  get isAlone(): boolean {
    return this.#alone >= oddAlone && this.#accepted.known >= leastAccepted;
  }

  forget(): void {
    this.#latest = [];
    this.#alone = 0;
  }

  /** Whether as many at the same time were accepted of late. */
  wasAccepted(inFlight: number): boolean {
    return this.#accepted.has(inFlight);
  }
}
