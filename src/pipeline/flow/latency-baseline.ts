/** Answers quicker than this are quick, whatever they are compared with; ms. */
const quickMs = 50;
/** Answers that make a first average, and one that may be compared with it. */
const few = 8;
const many = 32;

interface Kind {
  /** Natural logarithm of the usual time in ms; absent until it is known. */
  usual?: number;
  sum: number;
  count: number;
}

/**
 * How long each kind of request takes when the platform is not pressed, learned from its answers. Times are averaged as
 * logarithms, so that a few very late answers weigh little.
 */
export class LatencyBaseline {
  readonly #kinds = new Map<string, Kind>();
  #isMeasuring = false;

  /** Learns from an answer. Gives the logarithm of how many times its usual time it took; 0 while that is not known. */
  judge(name: string, ms: number): number {
    const kind = this.#kindOf(name);
    const time = Math.log(Math.max(ms, quickMs));
    kind.sum += time;
    kind.count += 1;
    const strain = kind.usual === undefined ? 0 : time - kind.usual;
    if (!this.#isMeasuring && kind.count >= (kind.usual === undefined ? few : many)) {
      const mean = kind.sum / kind.count;
      // What is usual is what it takes at best, but chance makes some quick too: it is followed by degrees.
      if (kind.usual === undefined) kind.usual = mean;
      else if (mean < kind.usual) kind.usual += (mean - kind.usual) / 4;
      empty(kind);
    }
    return strain;
  }

  /** From now on until `measured`, only what is answered then counts. */
  measure(): void {
    this.#isMeasuring = true;
    this.#kinds.forEach(empty);
  }

  /** `isUsual`: what it took is what is usual. */
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
