/** How fast work goes, over a window that ends now: what was skipped at the start says nothing of the rest. */
export class Throughput {
  readonly #windowMs: number;
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  constructor(windowMs: number, startedAt: number) {
    this.#windowMs = windowMs;
    this.#samples.push({ at: startedAt, done: 0 });
  }

  /** Notes how much is done by now, and gives the rate per second. */
  note(at: number, done: number): number {
    this.#samples.push({ at, done });
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - this.#windowMs)
      this.#samples.shift();
    const first = this.#samples[0] ?? { at, done };
    return at > first.at ? ((done - first.done) / (at - first.at)) * 1000 : 0;
  }
}
