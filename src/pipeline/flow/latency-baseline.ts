/** Answers faster than this never count as slow; ms. */
const quickMs = 50;
/** The answers for a first average, and for one that may be compared with it. */
const few = 8;
const many = 32;

interface Kind {
  /** Natural logarithm of the baseline in ms; absent until it is known. */
  usual?: number;
  sum: number;
  count: number;
}

/**
 * The latency of each kind of request when the platform has little load, learned from its answers. Latencies are
 * averaged as logarithms, so that a few very slow answers have little weight.
 */
export class LatencyBaseline {
  readonly #kinds = new Map<string, Kind>();
  #isMeasuring = false;

  /**
   * Learns from an answer. Returns the logarithm of its latency relative to the baseline; 0 while that is not known.
   */
  judge(name: string, ms: number): number {
    const kind = this.#kindOf(name);
    const time = Math.log(Math.max(ms, quickMs));
    kind.sum += time;
    kind.count += 1;
    const strain = kind.usual === undefined ? 0 : time - kind.usual;
    if (!this.#isMeasuring && kind.count >= (kind.usual === undefined ? few : many)) {
      const mean = kind.sum / kind.count;
      // The baseline is the best latency, but some answers are fast by chance: it is approached gradually.
      if (kind.usual === undefined) kind.usual = mean;
      else if (mean < kind.usual) kind.usual += (mean - kind.usual) / 4;
      empty(kind);
    }
    return strain;
  }

  /** From now on until `measured`, only new answers count. */
  measure(): void {
    this.#isMeasuring = true;
    this.#kinds.forEach(empty);
  }

  /** `isUsual`: the measured latency is the new baseline. */
  measured(isUsual: boolean): void {
    this.#isMeasuring = false;
    for (const kind of this.#kinds.values()) {
      if (isUsual && kind.count >= few / 2) kind.usual = kind.sum / kind.count;
      empty(kind);
    }
  }

  #kindOf(name: string): Kind {
    let kind = this.#kinds.get(name);
    if (kind === undefined) this.#kinds.set(name, (kind = { sum: 0, count: 0 }));
    return kind;
  }
}

function empty(kind: Kind): void {
  kind.sum = 0;
  kind.count = 0;
}
