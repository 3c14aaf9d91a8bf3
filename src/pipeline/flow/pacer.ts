import type { Clock } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';
import type { Allowance } from './announced-quotas.ts';
import { WaitQueue } from './wait-queue.ts';

/** The longest sleep before the rate is looked at again, in ms. */
const longestSleepMs = 250;

/** Lets requests leave one after another, at a rate that may change at any time. */
export class Pacer {
  /** Requests per second. */
  perSecond = Infinity;
  /** The most that was announced, and until when nothing is left, in ms on the monotonic clock. */
  announced: Allowance = { perSecond: Infinity, holdUntil: 0 };
  readonly #clock: Clock;
  readonly #draining: AbortSignal;
  readonly #fail: (error: unknown) => void;
  readonly #line = new WaitQueue();
  /** When the last token was due, and when the last request left. */
  #dueAt = -Infinity;
  #leftAt = -Infinity;
  #isServing = false;

  /** `fail` receives a bug in the clock. */
  constructor(clock: Clock, draining: AbortSignal, fail: (error: unknown) => void) {
    this.#clock = clock;
    this.#draining = draining;
    this.#fail = fail;
  }

  /** Whether requests may have to wait. */
  get isOn(): boolean {
    const { perSecond, holdUntil } = this.announced;
    return Math.min(this.perSecond, perSecond) !== Infinity || holdUntil > this.#clock.monotonic();
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Waits for a token; false if the signal is aborted first. `waited`: it was not available at once. */
  async take(signal: AbortSignal): Promise<{ readonly taken: boolean; readonly waited: boolean }> {
    const now = this.#clock.monotonic();
    if (this.#line.length === 0 && now >= this.#nextAt) {
      this.#use(now);
      return { taken: !signal.aborted, waited: false };
    }
    const taken = this.#line.wait(signal);
    if (!this.#isServing) this.#serve().catch(this.#fail);
    return { taken: await taken, waited: true };
  }

  /**
   * Call this right before a request with a token leaves: the journal may have held several. Waits until the last one
   * is far enough ahead; returns how long, in ms.
   */
  async leave(signal: AbortSignal): Promise<number> {
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#leftAt + this.#eachMs - this.#lateMs);
    this.#leftAt = at;
    if (at > now) await pause(this.#clock, at - now, signal);
    return this.#clock.monotonic() - now;
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#line.length > 0 && !this.#draining.aborted) {
      const now = this.#clock.monotonic();
      const next = this.#nextAt;
      if (now < next) await pause(this.#clock, Math.min(next - now, longestSleepMs), this.#draining);
      else if (this.#line.next()) this.#use(now);
    }
    this.#isServing = false;
  }

  #use(now: number): void {
    this.#dueAt = Math.max(this.#nextAt, now - this.#lateMs);
  }

  get #nextAt(): number {
    return Math.max(this.#dueAt + this.#eachMs, this.announced.holdUntil);
  }

  get #eachMs(): number {
    return 1000 / Math.min(this.perSecond, this.announced.perSecond);
  }

  /** By how much a late timer is made up for: more where requests follow closely, because a timer has a resolution. */
  get #lateMs(): number {
    return Math.max(0.5, Math.min(5, 10 - this.#eachMs));
  }
}
