/** Answers without a refusal after which a refused limit is tried again: at first, and at most. */
const leastPatience = 16;
const mostPatience = 400;
/** Requests sent one at a time that show which share is refused whatever the limit, and the largest such share. */
const enoughAlone = 32;
const mostStray = 0.1;

/** What the platform's refusals (429) have shown about its capacity. */
export class ThrottleHistory {
  /** The platform's capacity when it last refused more; undefined if it never refused. */
  #level: number | undefined;
  /** The step by which the limit is raised beyond that, and after how many answers. */
  #step = 1;
  #patience = leastPatience;
  #clean = 0;
  /** The share that is refused even for requests sent one at a time. */
  #stray = 0;
  #alone = { answers: 0, refused: 0 };

  /** `stray`: the share that is refused whatever the load. */
  constructor(stray = 0) {
    this.#stray = stray;
  }

  /** Whether a limit is higher than the known capacity. */
  isBeyond(limit: number): boolean {
    return limit > (this.#level ?? Infinity);
  }

  /** Whether a single refusal means nothing. */
  get areStray(): boolean {
    return this.#stray > 0;
  }

  /** By how much a limit may be raised after a good round; `usual`: if nothing was ever refused. */
  raise(limit: number, usual: number): number {
    if (this.#level === undefined) return usual;
    if (limit < this.#level) return Math.min(usual, this.#level - limit);
    if (this.#clean < this.#patience) return 0;
    const step = this.#step;
    // If one more is not refused, the platform may take much more.
    this.#step = Math.min(step * 2, Math.max(1, limit / 4));
    return step;
  }

  /** A round at a limit has ended. Returns the share of it that was refused because the limit is too high. */
  judge(limit: number, answers: number, refused: number): number {
    const share = refused / (answers + refused);
    // A single one above the usual may be chance.
    const excess = this.areStray ? share - 2 * this.#stray - 1 / (answers + refused) : share;
    this.#clean = excess > 0 ? 0 : this.#clean + answers;
    this.#learnStray(limit, answers, refused, share);
    return Math.max(0, excess);
  }

  /** The limit falls to the apparent capacity of the platform. `wasRaised`: it had just been raised. */
  lowered(limit: number, wasRaised: boolean): void {
    const isRepeated = this.#clean === 0;
    this.#clean = 0;
    // Stryker disable next-line ConditionalExpression: no distance from nothing is a short one
    const isWhereItWas = this.#level !== undefined && Math.abs(limit - this.#level) <= 1 + this.#level / 10;
    if (!isWhereItWas) {
      this.#patience = leastPatience;
      // Without a raise before it: it may pass by itself.
      this.#step = wasRaised ? 1 : Math.max(1, limit / 4);
    } else if (!isRepeated) {
      this.#patience = Math.min(this.#patience * 2, mostPatience);
      this.#step = 1;
    }
    this.#level = limit;
  }

  /** What is refused at a limit of one is refused whatever the limit. */
  #learnStray(limit: number, answers: number, refused: number, share: number): void {
    if (this.#stray > 0) {
      this.#stray += (Math.min(share, mostStray) - this.#stray) / 16;
      if (this.#stray < 0.005) this.#stray = 0;
      return;
    }
    if (limit > 1) {
      this.#alone = { answers: 0, refused: 0 };
      return;
    }
    this.#alone.answers += answers;
    this.#alone.refused += refused;
    const all = this.#alone.answers + this.#alone.refused;
    if (all < enoughAlone) return;
    const stray = this.#alone.refused / all;
    if (stray <= mostStray) this.#stray = stray;
    this.#patience = leastPatience;
    this.#alone = { answers: 0, refused: 0 };
  }
}
