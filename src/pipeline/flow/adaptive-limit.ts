import type { FlowReason } from '../run/run-events.ts';
import { ThrottleHistory } from './throttle-history.ts';
import { FaultHistory } from './fault-history.ts';
import { LatencyBaseline } from './latency-baseline.ts';

/** Concurrent requests before anything is known of the platform. */
const first = 2;
/** The least number of answers in a round. */
const leastRound = 16;
/** Latency relative to the baseline above which requests wait in the platform's own queue. */
const tolerance = 1.25;
/** The same while the limit still doubles, when every connection is new. */
const risingTolerance = 1.5;
/** The increase after a round without overload, as a share. */
const growth = 0.05;
/** Slow rounds after which the baseline is measured again. */
const roundsBetweenMeasures = 64;

/** State of a request until its answer comes. */
export interface Sent {
  readonly round: number;
  /** Requests under way with it. */
  readonly inFlight: number;
  readonly isFull: boolean;
  /** Whether the limit had been raised beyond the known capacity. */
  readonly isTry: boolean;
}

/**
 * Finds how many concurrent requests a platform takes, from its answers (docs/flow-control.md). The limit doubles
 * until the first sign of overload. From then on it is adjusted after each round:
 *
 * - it falls in proportion to the latency above the baseline, and otherwise rises by a twentieth
 * - a refusal (429) lowers it to the requests under way besides the refused one; one more is tried later, less
 *   often each time that is refused
 * - a timeout reduces it by a third
 */
export class AdaptiveLimit {
  #ceiling: number;
  readonly #usual = new LatencyBaseline();
  #refusals = new ThrottleHistory();
  readonly #faults = new FaultHistory();
  #limit: number;
  /** The limit before a lower ceiling cut it; 0 if the platform has taken less since. */
  #uncut = 0;
  #isRising = true;
  #reason: FlowReason = 'starting';

  #round = 0;
  #size = leastRound;
  #answers = 0;
  #strain = 0;
  #refused = 0;
  #paced = 0;
  #wasFull = false;
  #isPaced = false;

  /** Refusals since the last answer. */
  #refusedSince = 0;
  /** The fewest requests under way when a request of this round was refused. */
  #fewest = Infinity;
  #refusedRounds = 0;

  #pressedRounds = 0;
  /** The limit at the first of the current series of slow rounds. */
  #pressedFrom: number | undefined;
  /** While the baseline is measured: the previous limit. */
  #pressed: { readonly limit: number; readonly strain: number } | undefined;

  /** `ceiling`: the most concurrent requests; at least 1. */
  constructor(ceiling: number) {
    this.#ceiling = ceiling;
    this.#limit = Math.min(first, ceiling);
  }

  get now(): number {
    return Math.floor(this.#limit);
  }

  /** Changes the most concurrent requests; at least 1. */
  set ceiling(ceiling: number) {
    const isOnlyCeiling = this.#limit >= this.#ceiling;
    this.#uncut = Math.max(this.#uncut, this.#limit);
    this.#ceiling = ceiling;
    this.#limit = this.#within(this.#uncut);
    // The platform may take more than the earlier ceiling.
    if (isOnlyCeiling && this.#limit < ceiling) this.#isRising = true;
  }

  /**
   * The allowed concurrent requests at this moment: after a refusal, no other request takes its place before an
   * answer.
   */
  get places(): number {
    return Math.max(1, this.now - this.#refusedSince);
  }

  /** What limits it. */
  get reason(): FlowReason {
    if (this.#isPaced) return 'rate';
    if (this.now >= this.#ceiling) return 'ceiling';
    return this.#isRising ? 'starting' : this.#reason;
  }

  /**
   * Records a sent request. `taken`: places, also of requests whose intent is being written; so a slow journal does not
   * hide the demand. `paced`: delayed by the rate limit, so a full window is not demand.
   */
  sent(inFlight: number, taken: number, paced: boolean): Sent {
    if (paced) this.#paced += 1;
    const isFull = !paced && taken >= this.now;
    this.#wasFull ||= isFull;
    return { round: this.#round, inFlight, isFull, isTry: this.#wasRaised };
  }

  /** It was answered, whatever the answer. `took`: the latency that counts; its `kind` groups requests with a similar one. */
  answered(sent: Sent, took?: { readonly kind: string; readonly ms: number }): void {
    const strain = took === undefined ? 0 : this.#usual.judge(took.kind, took.ms);
    this.#refusedSince = 0;
    this.#faults.answered();
    if (sent.round !== this.#round) return;
    this.#answers += 1;
    this.#strain += strain;
    if (this.#isRising && sent.isFull) this.#limit = this.#within(this.#limit + 1);
    if (this.#limit >= this.#ceiling) this.#isRising = false;
    this.#endRoundWhenWhole();
  }

  /** It was refused with 429. */
  refused(sent: Sent): void {
    this.#refusedSince += 1;
    const isNew = sent.round === this.#round;
    if (sent.isTry && !this.#refusals.areStray) {
      // The requests under way besides this one are the platform's capacity.
      const taken = sent.inFlight - 1;
      if (isNew || taken < this.#limit) this.#lower(taken, true);
      return;
    }
    if (!isNew) return;
    this.#refused += 1;
    this.#fewest = Math.min(this.#fewest, sent.inFlight);
    if (this.#refused >= this.#size / 4) this.#endRound();
    else this.#endRoundWhenWhole();
  }

  /** No answer came in time. */
  timedOut(sent: Sent): void {
    const fault = this.#faults.failed(this.#limit, sent.round === this.#round);
    if (fault === 'passes') return;
    this.#isRising = false;
    this.#reason = 'timeouts';
    if (typeof fault === 'number') this.#beginRound(fault);
    else this.#beginRound(this.#limit * 0.7);
  }

  /** A rate explains the refusals so far: the limit rises again until something else limits it. */
  riseAgain(stray?: number): void {
    this.#isRising = true;
    this.#refusals = new ThrottleHistory(stray);
    this.#refusedSince = 0;
    this.#beginRound(Math.max(first, this.#limit));
  }

  /** This share of requests is refused whatever the load. */
  isNoise(share: number): void {
    this.riseAgain(share);
  }

  /** Another run is refused more than so many at this time. */
  refusedElsewhere(limit: number): void {
    if (limit >= this.#limit) return;
    this.#reason = 'throttled';
    this.#isRising = false;
    this.#beginRound(limit);
  }

  /** The platform was unavailable and is back: start slowly. */
  startAnew(): void {
    this.#isRising = true;
    this.#refusals = new ThrottleHistory();
    this.#beginRound(first);
  }

  #endRoundWhenWhole(): void {
    if (this.#answers + this.#refused >= this.#size) this.#endRound();
  }

  #endRound(): void {
    this.#isPaced = this.#paced * 2 > this.#answers;
    const strain = this.#answers === 0 ? 0 : this.#strain / this.#answers;
    if (this.#pressed !== undefined) {
      this.#endMeasure(this.#pressed, strain);
      return;
    }
    const excess = this.#refusals.judge(this.now, this.#answers, this.#refused);
    if (excess > 0) {
      // One round may be an exception. A second one shows by how much the limit is too high.
      const accepted = this.#refusedRounds === 0 ? this.#limit : this.#limit * Math.max(0.5, 1 - excess);
      this.#refusedRounds += 1;
      this.#lower(Math.min(accepted, this.#fewest - 1), this.#wasRaised);
      return;
    }
    this.#refusedRounds = 0;
    if (this.#isRising && strain < Math.log(risingTolerance)) {
      this.#beginRound(this.#limit);
      return;
    }
    this.#isRising = false;
    const isLate = strain > Math.log(tolerance);
    if (isLate) {
      this.#reason = 'latency';
      this.#pressedRounds += 1;
      this.#pressedFrom ??= this.#limit;
    } else this.#pressedFrom = undefined;
    const wanted = isLate ? Math.max(0.5, tolerance * Math.exp(-strain)) : 1;
    const added = this.#wasFull ? this.#refusals.raise(this.#limit, Math.max(1, this.#limit * growth)) : 0;
    // It could be raised, but for an earlier refusal.
    if (!isLate && this.#wasFull && added === 0) this.#reason = 'throttled';
    this.#beginRound(this.#limit * wanted + added);
    // Half the requests, and still slow: the limit may not be the cause.
    const isNoHelp = this.#pressedFrom !== undefined && this.#limit <= this.#pressedFrom / 2;
    if (isNoHelp || this.#pressedRounds >= roundsBetweenMeasures) this.#measure(strain);
  }

  #beginRound(limit: number): void {
    if (limit < this.#limit) this.#uncut = 0;
    this.#limit = this.#within(limit);
    this.#round += 1;
    this.#size = Math.max(leastRound, this.now);
    this.#answers = 0;
    this.#strain = 0;
    this.#refused = 0;
    this.#fewest = Infinity;
    this.#paced = 0;
    this.#wasFull = false;
  }

  get #wasRaised(): boolean {
    return this.#isRising || this.#refusals.isBeyond(this.#limit);
  }

  /** The platform refuses more than so many. */
  #lower(to: number, wasRaised: boolean): void {
    const limit = this.#within(Math.min(this.#limit, to));
    this.#refusals.lowered(limit, wasRaised);
    this.#isRising = false;
    this.#reason = 'throttled';
    this.#beginRound(limit);
  }

  /** Halves the limit for one round, to see whether the answers become faster. */
  #measure(strain: number): void {
    this.#pressed = { limit: this.#limit, strain };
    this.#pressedRounds = 0;
    this.#pressedFrom = undefined;
    this.#usual.measure();
    this.#beginRound(this.#limit / 2);
  }

  #endMeasure(before: { readonly limit: number; readonly strain: number }, strain: number): void {
    this.#pressed = undefined;
    // A latency that does not depend on the limit is not caused by it.
    const isUsual = strain > before.strain - Math.LN2 / 2;
    this.#usual.measured(isUsual);
    this.#beginRound(isUsual || strain < Math.log(tolerance) ? before.limit : this.#limit);
  }

  #within(limit: number): number {
    return Math.min(this.#ceiling, Math.max(1, limit));
  }
}
