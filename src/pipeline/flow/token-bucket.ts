import type { Clock } from '../../domain/clock.ts';
import { pause } from '../retry.ts';

/** The resolution of timers in ms: a delay within it is made up for. */
const timerGrain = 20;

/** Limits a rate evenly: a bucket of tokens that never contains more than the resolution of a timer. */
export class TokenBucket {
  readonly #msEach: number;
  readonly #clock: Clock;
  /** When the next token is due; those who wait already have theirs. */
  #nextAt = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#msEach = 1000 / perSecond;
    this.#clock = clock;
  }

  /** Waits for a token; false if the signal is aborted first. `waited`: it was not available at once. */
  async take(signal: AbortSignal): Promise<{ readonly taken: boolean; readonly waited: boolean }> {
    const now = this.#clock.monotonic();
    const at = Math.max(this.#nextAt, now - timerGrain);
    this.#nextAt = at + this.#msEach;
    if (at <= now) return { taken: true, waited: false };
    return { taken: await pause(this.#clock, at - now, signal), waited: true };
  }
}
