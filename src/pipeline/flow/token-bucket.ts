import type { Clock } from '../../domain/clock.ts';
import { pause } from '../retry.ts';

/** The resolution of timers in ms: a delay within it is made up for. */
const timerGrain = 20;

/** How often a rate of 0 is looked at again, in ms. */
const idleMs = 250;

/** Limits a rate evenly: a bucket of tokens that never contains more than the resolution of a timer. */
export class TokenBucket {
  readonly #clock: Clock;
  #msEach: number;
  /** When the next token is due; those who wait already have theirs. */
  #nextAt: number;
  /** Grows when the rate changes: tokens that were not used by then are void. */
  #issue = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#msEach = 1000 / perSecond;
    this.#nextAt = perSecond === 0 ? Infinity : 0;
    this.#clock = clock;
  }

  /** From now on at this rate; 0: no request, until it changes again. */
  limitTo(perSecond: number): void {
    const msEach = 1000 / perSecond;
    if (msEach === this.#msEach) return;
    this.#msEach = msEach;
    this.#nextAt = this.#clock.monotonic() + msEach;
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
}
