import type { Clock } from '../../domain/clock.ts';
import { pause } from '../retry.ts';

/** Timers are no finer than this: what they are late by is made up for, in ms. */
const timerGrain = 20;

/** Holds what passes to a rate, evenly: a bucket of tokens that is never fuller than a timer's grain. */
export class TokenBucket {
  readonly #msEach: number;
  readonly #clock: Clock;
  /** When the next token is due; those who wait have theirs already. */
  #nextAt = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#msEach = 1000 / perSecond;
    this.#clock = clock;
  }

  /** Waits for a token; false when the signal is aborted first. `waited`: it was not there at once. */
  async take(signal: AbortSignal): Promise<{ readonly taken: boolean; readonly waited: boolean }> {
    const now = this.#clock.monotonic();
    const at = Math.max(this.#nextAt, now - timerGrain);
    this.#nextAt = at + this.#msEach;
    if (at <= now) return { taken: true, waited: false };
    return { taken: await pause(this.#clock, at - now, signal), waited: true };
  }
}
