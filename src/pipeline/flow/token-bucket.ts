import type { Clock } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';

/** The resolution of timers in ms: a delay within it is made up for. */
const timerGrain = 20;

/** How often a rate of 0 is looked at again, in ms. */
const idleMs = 250;

/** By so many ms the way to the platform may delay one request more than a later one. */
const jitterMs = 10;

/** Limits a rate evenly: a bucket of tokens that never contains more than the resolution of a timer. */
export class TokenBucket {
  readonly #clock: Clock;
  #perSecond = 0;
  #msEach = 0;
  /** How many may leave within `#windowMs`. */
  #most = 0;
  #windowMs = 0;
  /** When the next token is due; those who wait already have theirs. */
  #nextAt: number;
  /** When the latest requests left or will leave: at least as many as the rate allows in a second. */
  #left: number[] = [];
  /** Grows when the rate changes: tokens that were not used by then are void. */
  #issue = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#pace(perSecond);
    this.#nextAt = perSecond === 0 ? Infinity : 0;
    this.#clock = clock;
  }

  /** From now on at this rate; 0: no request, until it changes again. */
  limitTo(perSecond: number): void {
    if (perSecond === this.#perSecond) return;
    this.#pace(perSecond);
    this.#nextAt = this.#clock.monotonic() + this.#msEach;
    // Stryker disable next-line AssignmentOperator: any other number voids what was issued
    this.#issue += 1;
  }

  /** Waits for a token; false if the signal is aborted first. `waited`: it was not available at once. */
  async take(signal: AbortSignal): Promise<{ readonly taken: boolean; readonly waited: boolean }> {
    for (let waited = false; ; waited = true) {
      const now = this.#clock.monotonic();
      const at = Math.max(this.#nextAt, now - timerGrain);
      this.#nextAt = at + this.#msEach;
      if (at <= now) return { taken: true, waited };
      const issue = this.#issue;
      const isOver = await pause(this.#clock, at === Infinity ? idleMs : at - now, signal);
      if (!isOver) return { taken: false, waited: true };
      if (issue === this.#issue && at !== Infinity) return { taken: true, waited: true };
    }
  }

  /**
   * Call this right before a request with a token leaves: what held it in the meantime may have held others too. Waits
   * until no second has more of them than the rate allows; returns how long, in ms.
   */
  async leave(signal: AbortSignal): Promise<number> {
    if (this.#msEach === 0 || this.#msEach === Infinity) return 0;
    const now = this.#clock.monotonic();
    const at = Math.max(now, (this.#left.at(-this.#most) ?? -Infinity) + this.#windowMs);
    this.#left.push(at);
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArithmeticOperator: the earlier ones count no more, and take memory
    if (this.#left.length > 2 * this.#most) this.#left.splice(0, this.#left.length - this.#most);
    if (at > now) await pause(this.#clock, at - now, signal);
    return this.#clock.monotonic() - now;
  }

  #pace(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#most = Math.max(1, Math.floor(perSecond));
    this.#windowMs = (this.#most * 1000) / perSecond + jitterMs;
    this.#msEach = perSecond === Infinity ? 0 : this.#windowMs / this.#most;
  }
}
