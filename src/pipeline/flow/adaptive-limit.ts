import type { FlowReason } from '../run-events.ts';
import { ThrottleHistory } from './throttle-history.ts';
import { LatencyBaseline } from './latency-baseline.ts';

/** Requests side by side before anything is known of the platform. */
const first = 2;
/** Answers that a round has at least. */
const leastRound = 16;
/** Answers may take so many times as long as usual: what is beyond is waiting in the platform's own line. */
const tolerance = 1.25;
/** The same while the limit still doubles, when every connection is new. */
const risingTolerance = 1.5;
/** What a round without trouble adds, as a share. */
const growth = 0.05;
/** Rounds held down by late answers, after which it is looked whether late has become usual. */
const roundsBetweenMeasures = 64;

/** What is remembered of a request until its answer comes. */
export interface Sent {
  readonly round: number;
  /** Requests under way with it. */
  readonly inFlight: number;
  readonly isFull: boolean;
  /** The limit had been raised beyond what was known to be taken. */
  readonly isTry: boolean;
}

/**
 * Finds how many requests a platform takes side by side, from its answers (docs/flow-control.md). The limit doubles until
 * there is a sign of trouble. From then on it follows, round by round, what the answers say:
 *
 * - it falls by as much as they are later than usual, and rises by a twentieth while they are not
 * - a refusal (429) lowers it to what was under way beside the refused request; it is tried anew by one more, and the
 *   more seldom the more often that was refused
 * - a timeout takes a third of it
 */
export class AdaptiveLimit {
  readonly #ceiling: number;
  readonly #usual = new LatencyBaseline();
  #refusals = new ThrottleHistory();
  #limit: number;
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
  /** The fewest that were under way when a request of this round was refused. */
  #fewest = Infinity;
  #refusedRounds = 0;

  #pressedRounds = 0;
  /** The limit at the first of the late rounds that have followed one another. */
  #pressedFrom: number | undefined;
  /** While it is measured what is usual: what was before. */
  #pressed: { readonly limit: number; readonly strain: number } | undefined;

  /** `ceiling`: requests side by side at most; at least 1. */
  constructor(ceiling: number) {
    this.#ceiling = ceiling;
    this.#limit = Math.min(first, ceiling);
  }

  get now(): number {
    return Math.floor(this.#limit);
  }

  /** How many may be under way at this moment: where one was refused, no other takes its place before an answer came. */
  get places(): number {
    return Math.max(1, this.now - this.#refusedSince);
  }

  /** What keeps it from being higher. */
  get reason(): FlowReason {
    if (this.#isPaced) return 'rate';
    if (this.now >= this.#ceiling) return 'ceiling';
    return this.#isRising ? 'starting' : this.#reason;
  }

  /** Records a sent request. `paced`: delayed by the rate limit, so a full window is not demand. */
  sent(inFlight: number, paced: boolean): Sent {
    if (paced) this.#paced += 1;
    const isFull = !paced && inFlight >= this.now;
    this.#wasFull ||= isFull;
    return { round: this.#round, inFlight, isFull, isTry: this.#wasRaised };
  }

  /** It was answered after `ms`, whatever the answer says; `kind` names requests that take about as long. */
  answered(sent: Sent, kind: string, ms: number): void {
    const strain = this.#usual.judge(kind, ms);
    this.#refusedSince = 0;
    if (sent.round !== this.#round) return;
    this.#answers += 1;
    this.#strain += strain;
    if (this.#isRising && sent.isFull) this.#limit = this.#within(this.#limit + 1);
    if (this.#limit >= this.#ceiling) this.#isRising = false;
    this.#endRoundWhenWhole();
  }

  /** It was refused for now (429). */
  refused(sent: Sent): void {
    this.#refusedSince += 1;
    const isNew = sent.round === this.#round;
    if (sent.isTry && !this.#refusals.areStray) {
      // What was under way beside this request is what the platform takes.
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
    if (sent.round !== this.#round) return;
    this.#isRising = false;
    this.#reason = 'timeouts';
    this.#beginRound(this.#limit * 0.7);
  }

  /** The platform was gone and is back: nobody rushes in. */
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
      // One round may have met a bad moment. A second one shows how many too many they are.
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
    // It might be raised, were it not for what was refused before.
    if (!isLate && this.#wasFull && added === 0) this.#reason = 'throttled';
    this.#beginRound(this.#limit * wanted + added);
    // Half of them, and still late: it may not be because of them.
    const isNoHelp = this.#pressedFrom !== undefined && this.#limit <= this.#pressedFrom / 2;
    if (isNoHelp || this.#pressedRounds >= roundsBetweenMeasures) this.#measure(strain);
  }

  #beginRound(limit: number): void {
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

  /** Half as many for one round, to see whether the answers come sooner then. */
  #measure(strain: number): void {
    this.#pressed = { limit: this.#limit, strain };
    this.#pressedRounds = 0;
    this.#pressedFrom = undefined;
    this.#usual.measure();
    this.#beginRound(this.#limit / 2);
  }

  #endMeasure(before: { readonly limit: number; readonly strain: number }, strain: number): void {
    this.#pressed = undefined;
    // What does not depend on the limit is not because of it.
    const isUsual = strain > before.strain - Math.LN2 / 2;
    this.#usual.measured(isUsual);
    this.#beginRound(isUsual || strain < Math.log(tolerance) ? before.limit : this.#limit);
  }

  #within(limit: number): number {
    return Math.min(this.#ceiling, Math.max(1, limit));
  }
}
