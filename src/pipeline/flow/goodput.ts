/** The span over which accepted requests are counted, in ms, and in how many parts. */
const spanMs = 2_000;
const parts = 20;
const partMs = spanMs / parts;

/** Counts the requests that were accepted of late. While others are refused, that is the rate that a gateway takes. */
export class Goodput {
  readonly #counts = new Float64Array(parts);
  #part = -1;
  #first: number | undefined;

  /** One that was answered at this time, on the monotonic clock, in ms. */
  accepted(now: number): void {
    this.#first ??= now;
    this.#moveTo(now);
    const at = this.#part % parts;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** Per second; 0 if too little is known. */
  perSecond(now: number): number {
    if (this.#first === undefined || now - this.#first < spanMs / 2) return 0;
    this.#moveTo(now);
    const sum = this.#counts.reduce((all, count) => all + count, 0);
    // The present part has just begun.
    const ms = Math.min(now - this.#first, spanMs - partMs + (now % partMs));
    return (sum * 1000) / Math.max(partMs, ms);
  }

  #moveTo(now: number): void {
    const part = Math.floor(now / partMs);
    for (let at = Math.max(this.#part + 1, part - parts + 1); at <= part; at += 1)
      this.#counts[at % parts] = 0;
    this.#part = Math.max(this.#part, part);
  }
}
