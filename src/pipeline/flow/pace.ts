/** Outcomes after which the rate is estimated anew if many of them are refusals; and how many are many. */
const windowSize = 16;
const manyRefused = 5;
/** The share of an estimate that is used: an estimate may be too high. */
const caution = 0.95;
/** The share of the rate that is left after a single refusal. */
const afterRefusal = { costly: 0.94, cheap: 0.98 } as const;
/** Of the time between two attempts to raise the rate: the first and the longest, in ms. */
const patience = { costly: { first: 8_000, most: 600_000 }, cheap: { first: 3_000, most: 120_000 } } as const;
/** The share by which a rate is raised at first, and at most. */
const step = { costly: { first: 0.12, most: 0.25 }, cheap: { first: 0.04, most: 0.25 } } as const;
/** Accepted requests after which a raised rate is kept. */
const enough = { costly: 160, cheap: 64 } as const;
/** The same share, and the share of those requests, while no raised rate was refused since it was estimated. */
const rough = { step: 0.1, enough: 0.4 } as const;
/** Accepted requests in which the rate doubles until the first refusal. */
const doubling = 16;
/** The longest attempt to raise the rate, in ms. */
const longestTryMs = 20_000;
/** The longest time without an accepted request in it, in ms. */
const longestIdleMs = 1_000;
/** Outcomes of which the share of refusals is compared, before and after the rate fell. */
const sample = 144;
/** A share of refusals that may be noise: above it, the rate is lowered further. */
const mostNoise = 0.1;
/** Comparisons in a row that show noise. */
const enoughAgreed = 1;

/** What an outcome has shown: nothing new, or that refusals do not depend on the rate. */
export type Lesson = 'nothing' | 'independent';

/**
 * Finds the rate that a gateway takes, from what it accepts and refuses. Between refusals the rate is raised rarely
 * and by little; the times between such attempts double while they fail.
 */
export class Pace {
  /** Requests per second. */
  perSecond: number;
  /** The share of requests that is refused at any rate. */
  noise = 0;
  /** Whether a refusal leaves the outcome of its request unknown: then the rate is kept further from it. */
  isCostly = false;
  /** Until the first refusal. */
  #isStarting: boolean;
  /** When it was estimated last: answers to earlier requests say nothing about it. */
  #since: number;
  /** When a request that it delayed was accepted last. */
  #pacedAt: number;
  #window = { accepted: 0, refused: 0 };
  /** The rate at the last accepted request: refusals alone may mean an outage. */
  #lastGood: number;
  #trial: { readonly from: number; readonly until: number; accepted: number } | undefined;
  #step = 0;
  /** Whether the rate is an estimate from few requests. */
  #isRough = true;
  #patienceMs = 0;
  #nextTryAt: number;
  #before: { readonly perSecond: number; readonly share: number } | undefined;
  #agreed = 0;
  #sampled = { outcomes: 0, refused: 0 };

  /**
   * `isStarting`: nothing is known of the rate, but that this much is accepted. `now`: ms on the monotonic clock.
   * `share`: of the requests at that rate, how many were refused.
   */
  constructor(perSecond: number, now: number, isStarting: boolean, share = 0) {
    this.perSecond = perSecond;
    if (share > 0) this.#before = { perSecond, share };
    this.#lastGood = perSecond;
    this.#isStarting = isStarting;
    this.#since = now;
    this.#pacedAt = now;
    this.#nextTryAt = now;
    this.#forgetTries(now);
  }

  /** Whether a higher rate is tried out now. */
  get isTrying(): boolean {
    return this.#trial !== undefined || this.#isStarting;
  }

  /** Ends an attempt for which there were too few requests. */
  tick(now: number): void {
    const isIdle = now > this.#pacedAt + longestIdleMs;
    if (this.#isStarting && (isIdle || now > this.#since + longestTryMs)) this.#isStarting = false;
    if (this.#trial === undefined || (!isIdle && now <= this.#trial.until)) return;
    this.perSecond = this.#trial.from;
    this.#trial = undefined;
    this.#nextTryAt = now + this.#patienceMs;
  }

  /** A request of this time was accepted. `paced`: the rate delayed it. */
  accepted(sentAt: number, now: number, paced: boolean): Lesson {
    if (sentAt < this.#since) return 'nothing';
    this.#lastGood = this.perSecond;
    this.#count(false);
    const lesson = this.#compare();
    // A rate that delays nothing is not tested.
    if (!paced) return lesson;
    this.#pacedAt = now;
    if (this.#isStarting) this.perSecond *= 2 ** (1 / doubling);
    else if (this.#trial !== undefined) this.#goOnTrying(this.#trial, now);
    else if (now >= this.#nextTryAt) {
      this.#trial = { from: this.perSecond, until: now + longestTryMs, accepted: 0 };
      this.#since = now;
      this.perSecond *= 1 + this.#step;
    }
    return lesson;
  }

  /** It was refused. `costly`: its outcome is unknown. */
  refused(sentAt: number, now: number, costly: boolean): Lesson {
    if (costly && !this.isCostly) {
      this.isCostly = true;
      this.#forgetTries(now);
    }
    if (sentAt < this.#since) return 'nothing';
    this.#count(true);
    const lesson = this.#compare();
    if (this.#estimate(now)) return lesson;
    const floor = this.#lastGood / 2;
    if (this.#isStarting) {
      this.#isStarting = false;
      this.#lower(this.perSecond / 1.2, now);
    } else if (this.#trial !== undefined) {
      const { from } = this.#trial;
      this.#trial = undefined;
      this.#isRough = false;
      this.#step = step[this.#cost].first;
      this.#patienceMs = Math.min(this.#patienceMs * 2, patience[this.#cost].most);
      this.#lower(from * (this.isCostly ? 0.98 : 0.99), now);
    } else this.#lower(Math.max(floor, this.perSecond * afterRefusal[this.#cost]), now);
    return lesson;
  }

  get #cost(): 'costly' | 'cheap' {
    return this.isCostly ? 'costly' : 'cheap';
  }

  #goOnTrying(trial: { readonly from: number; accepted: number }, now: number): void {
    trial.accepted += 1;
    if (trial.accepted < enough[this.#cost] * (this.#isRough ? rough.enough : 1)) return;
    this.#trial = undefined;
    this.#step = Math.min(this.#step * 2, step[this.#cost].most);
    this.#patienceMs = patience[this.#cost].first;
    this.#nextTryAt = now;
  }

  /** Sets the rate to what was accepted of late, if much was refused. */
  #estimate(now: number): boolean {
    const { accepted, refused } = this.#window;
    const all = accepted + refused;
    if (refused < manyRefused) return false;
    this.#isStarting = false;
    this.#isRough = true;
    this.#trial = undefined;
    this.#forgetTries(now);
    this.#since = now;
    this.#window = { accepted: 0, refused: 0 };
    this.perSecond = this.perSecond * Math.max(1 / 3, (accepted / all) * caution);
    return true;
  }

  #lower(perSecond: number, now: number): void {
    this.perSecond = Math.min(this.perSecond, perSecond);
    this.#nextTryAt = now + this.#patienceMs;
  }

  #forgetTries(now: number): void {
    this.#step = this.#isRough ? rough.step : step[this.#cost].first;
    this.#patienceMs = patience[this.#cost].first / (this.#isRough ? 3 : 1);
    this.#nextTryAt = now + this.#patienceMs;
  }

  #count(isRefused: boolean): void {
    const window = this.#window;
    if (window.accepted + window.refused >= windowSize) this.#window = { accepted: 0, refused: 0 };
    this.#window[isRefused ? 'refused' : 'accepted'] += 1;
    this.#sampled.outcomes += 1;
    if (isRefused) this.#sampled.refused += 1;
  }

  /** Compares the share of refusals with that at a higher rate. */
  #compare(): Lesson {
    const { outcomes, refused } = this.#sampled;
    if (outcomes < sample) return 'nothing';
    const share = refused / outcomes;
    const before = this.#before;
    this.#sampled = { outcomes: 0, refused: 0 };
    if (before === undefined || this.perSecond > before.perSecond || share < before.share * 0.65) {
      this.#agreed = 0;
      this.#before = share > 0 ? { perSecond: this.perSecond, share } : undefined;
      return 'nothing';
    }
    if (this.perSecond > before.perSecond * 0.87) return 'nothing';
    const isSame = share > 0 && share <= mostNoise;
    this.#agreed = isSame ? this.#agreed + 1 : 0;
    this.#before = isSame ? { perSecond: this.perSecond, share } : undefined;
    if (this.#agreed < enoughAgreed) return 'nothing';
    this.noise = share;
    return 'independent';
  }
}
