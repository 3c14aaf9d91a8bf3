import { Goodput } from './goodput.ts';

/** Outcomes after which the rate is estimated anew if many of them are refusals; and how many are many. */
const windowSize = 16;
const manyRefused = 5;
/** The share of an estimate that is used: an estimate may be too high. */
const caution = 0.95;
/** What depends on whether a refusal leaves an outcome unknown. */
interface Care {
  /** The share of the limit that is used. */
  readonly near: number;
  /** The share of the rate that is left after a single refusal, and of what was accepted of late: it is never less. */
  readonly after: number;
  readonly least: number;
  /** Of the time between two attempts to raise the rate: the first and the longest, in ms. */
  readonly patience: readonly [first: number, most: number];
  /** The share by which a rate is raised at first. */
  readonly step: number;
  /** Accepted requests after which a raised rate is kept; fewer if they take longer than this, in seconds. */
  readonly enough: readonly [requests: number, seconds: number];
}
const cheap: Care = {
  near: 0.97,
  after: 0.97,
  least: 0.93,
  patience: [3_000, 120_000],
  step: 0.05,
  enough: [64, 2.5],
};
const costly: Care = {
  near: 0.96,
  after: 0.95,
  least: 0.9,
  patience: [6_000, 600_000],
  step: 0.07,
  enough: [120, 4],
};
/** The largest share by which a rate is raised. */
const mostStep = 0.4;
/** Below the limit: the least step, and for how long each is tried, in requests and in seconds. */
const below = { step: 0.1, requests: 6, seconds: 0.5 } as const;
/** The share of the limit that is left after a refusal below it. */
const decay = 0.99;
/** Many refusals within this time have one cause, in ms. */
const seriesMs = 3_000;
/** Accepted requests in which the rate doubles until the first refusal; fewer if they take longer than this, in seconds. */
const doubling = { least: 5, most: 16, seconds: 0.4 } as const;
/** The longest attempt to raise the rate, in ms. */
const longestTryMs = 20_000;
/** The longest time without an accepted request in it, in ms. */
const longestIdleMs = 1_000;
/** Outcomes of which the share of refusals is compared, before and after the rate fell. */
const sample = 144;
/** A share of refusals that may be noise: above it, the rate is lowered further. */
const mostNoise = 0.1;
/** Refusals without which a comparison shows nothing, at how much less of the rate, and how many in a row show noise. */
const enoughCompared = 4;
const muchLess = 0.87;
const enoughAgreed = { costly: 3, cheap: 1 } as const;

/** What an outcome has shown: nothing new, or that refusals do not depend on the rate. */
export type Lesson = 'nothing' | 'independent';

/**
 * Finds the rate that a gateway takes, from what it accepts and refuses: an estimate of its limit, and a rate near it. Between
 * refusals the rate is raised beyond the limit rarely and by little; the times between such attempts double while they fail.
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
  /** What the gateway seems to take; undefined until the first refusal. */
  #limit: number | undefined;
  readonly #goodput: Goodput;
  /** Answers to requests before then say nothing about the rate. */
  #since: number;
  /** When it was estimated last. */
  #estimatedAt = -Infinity;
  /** When a request that it delayed was accepted last. */
  #pacedAt: number;
  #window = { accepted: 0, refused: 0 };
  /** The rate at the last accepted request: refusals alone may mean an outage. */
  #lastGood: number;
  #trial: { readonly from: number; readonly until: number; accepted: number } | undefined;
  #step = 0;
  #patienceMs = 0;
  #nextTryAt: number;
  #before: { readonly perSecond: number; readonly share: number } | undefined;
  #agreed = 0;
  #sampled = { outcomes: 0, refused: 0 };

  /**
   * `isStarting`: nothing is known of the rate, but that this much is accepted. `now`: ms on the monotonic clock.
   * `share`: of the requests at that rate, how many were refused. `goodput`: what is accepted, counted by the caller.
   */
  constructor(perSecond: number, now: number, isStarting: boolean, goodput = new Goodput(), share = 0) {
    this.#goodput = goodput;
    this.perSecond = perSecond;
    if (share > 0) this.#before = { perSecond, share };
    if (!isStarting) this.#limit = perSecond / cheap.near;
    this.#lastGood = perSecond;
    this.#isStarting = isStarting;
    this.#since = now;
    this.#pacedAt = now;
    this.#nextTryAt = now;
    this.#forgetTries(now);
  }

  /** Whether a higher rate is tried out now than was ever accepted. */
  get isTrying(): boolean {
    return this.#isStarting || (this.#trial !== undefined && !this.#isWithin(this.perSecond));
  }

  /** The rate between the attempts to raise it, to two digits; undefined before the first refusal. */
  get settled(): number | undefined {
    if (this.#isStarting) return undefined;
    return Number((this.#trial?.from ?? this.perSecond).toPrecision(2));
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
    if (this.#isStarting) this.perSecond *= 2 ** (1 / this.#doubling);
    else if (this.#trial !== undefined) this.#goOnTrying(this.#trial, now);
    else if (this.#isBelow || now >= this.#nextTryAt) this.#try(now);
    return lesson;
  }

  /** It was refused. `isCostly`: its outcome is unknown. */
  refused(sentAt: number, now: number, isCostly: boolean): Lesson {
    if (isCostly && !this.isCostly) {
      this.isCostly = true;
      this.#forgetTries(now);
    }
    if (sentAt < this.#since) return 'nothing';
    this.#count(true);
    const lesson = this.#compare();
    const good = this.#goodput.perSecond(now);
    if (this.#estimate(now, good)) return lesson;
    const floor = Math.max(this.#lastGood / 2, good * this.#care.least);
    if (this.#isStarting) {
      this.#isStarting = false;
      this.#limit = Math.min(this.perSecond, Math.max(good, this.perSecond / 1.2));
      this.perSecond = Math.max(this.perSecond / 1.5, Math.min(floor, this.perSecond / 1.2));
    } else if (this.#trial !== undefined) this.#failed(this.#trial);
    else {
      this.#limit = (this.#limit ?? this.perSecond) * decay;
      this.perSecond = Math.min(this.perSecond, Math.max(floor, this.perSecond * this.#care.after));
    }
    // Those that are under way were sent at the earlier rate.
    this.#since = now;
    this.#nextTryAt = now + this.#patienceMs;
    return lesson;
  }

  get #doubling(): number {
    return Math.min(doubling.most, Math.max(doubling.least, this.perSecond * doubling.seconds));
  }

  get #care(): Care {
    return this.isCostly ? costly : cheap;
  }

  /** Whether a rate is not above what the limit allows. */
  #isWithin(perSecond: number): boolean {
    return this.#limit !== undefined && perSecond <= this.#limit * this.#care.near * 1.001;
  }

  /** Whether the rate is to rise to its share of the limit. */
  get #isBelow(): boolean {
    return this.#isWithin(this.perSecond * 1.02);
  }

  #try(now: number): void {
    this.#trial = { from: this.perSecond, until: now + longestTryMs, accepted: 0 };
    this.#since = now;
    const most = (this.#limit ?? Infinity) * this.#care.near;
    const half = (this.perSecond + most) / 2;
    this.perSecond = this.#isBelow
      ? Math.min(Math.max(this.perSecond * (1 + below.step), half), most)
      : this.perSecond * (1 + this.#step);
  }

  #goOnTrying(trial: { accepted: number }, now: number): void {
    trial.accepted += 1;
    const [requests, seconds] = this.#care.enough;
    const isWithin = this.#isWithin(this.perSecond);
    const needed = isWithin
      ? Math.max(below.requests, this.perSecond * below.seconds)
      : Math.min(requests, Math.max(2 * below.requests, this.perSecond * seconds));
    if (trial.accepted < needed) return;
    this.#trial = undefined;
    if (isWithin) return;
    this.#limit = Math.max(this.#limit ?? 0, this.perSecond);
    this.#step = Math.min(this.#step * 2, mostStep);
    this.#patienceMs = this.#care.patience[0];
    this.#nextTryAt = now;
  }

  /** A higher rate was refused. */
  #failed({ from }: { readonly from: number }): void {
    if (this.#isWithin(this.perSecond))
      this.#limit = Math.max(from, this.perSecond * decay) / this.#care.near;
    else this.#patienceMs = Math.min(this.#patienceMs * 2, this.#care.patience[1]);
    this.#trial = undefined;
    this.#step = this.#care.step;
    this.perSecond = from;
  }

  /** Sets the rate to what was accepted of late, if much was refused. */
  #estimate(now: number, good: number): boolean {
    const { accepted, refused } = this.#window;
    const all = accepted + refused;
    if (refused < manyRefused) return false;
    const share = this.perSecond * Math.max(1 / 3, (accepted / all) * caution);
    const perSecond = Math.min(this.perSecond * caution, Math.max(share, good * this.#care.least));
    const isSeries = now < this.#estimatedAt + seriesMs;
    const limit = Math.min(this.perSecond, Math.max(good, perSecond / this.#care.near));
    this.#limit = isSeries ? Math.max(this.#limit ?? 0, limit) : limit;
    this.perSecond = perSecond;
    this.#isStarting = false;
    this.#trial = undefined;
    this.#forgetTries(now);
    this.#since = now;
    this.#estimatedAt = now;
    this.#window = { accepted: 0, refused: 0 };
    // The refusals so far are those of the higher rate.
    this.#sampled = { outcomes: 0, refused: 0 };
    return true;
  }

  #forgetTries(now: number): void {
    this.#step = this.#care.step;
    this.#patienceMs = this.#care.patience[0];
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
    if (this.perSecond > before.perSecond * muchLess) return 'nothing';
    const isSame = refused >= enoughCompared && share <= mostNoise;
    this.#agreed = isSame ? this.#agreed + 1 : 0;
    this.#before = isSame ? { perSecond: this.perSecond, share } : undefined;
    if (this.#agreed < enoughAgreed[this.isCostly ? 'costly' : 'cheap']) return 'nothing';
    this.noise = share;
    return 'independent';
  }
}
