import type { Clock } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';
import { WaitQueue } from './wait-queue.ts';

/** A number of places, which may change at any time; requests without a place wait in line. */
export class Gate {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #draining: AbortSignal;
  readonly #line = new WaitQueue();
  #taken = 0;
  #heldUntil = 0;

  /** `draining` ends the wait for a hold. */
  constructor(limit: () => number, clock: Clock, draining: AbortSignal) {
    this.#limit = limit;
    this.#clock = clock;
    this.#draining = draining;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Whether a new request would have to wait. */
  get isFull(): boolean {
    return this.#line.length > 0 || !this.#hasRoom();
  }

  /** Whether nobody is let in for a time. */
  get isHeld(): boolean {
    return this.#heldUntil !== 0;
  }

  /** Takes a place; false if none is free. */
  takes(): boolean {
    if (this.isFull) return false;
    this.#taken += 1;
    return true;
  }

  /** Takes a place, waiting for one if necessary; false if the signal is aborted first. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || !this.takes()) return this.#line.wait(signal);
    return Promise.resolve(true);
  }

  leave(): void {
    this.#taken -= 1;
    this.letIn();
  }

  /** Gives the free places to those in line. */
  letIn(): void {
    while (this.#hasRoom() && this.#line.next()) this.#taken += 1;
  }

  /** Lets nobody in for this long, in ms. Resolves when that is over, or the run drains. */
  async hold(ms: number): Promise<void> {
    const until = this.#clock.monotonic() + ms;
    if (until <= this.#heldUntil) return;
    this.#heldUntil = until;
    await pause(this.#clock, ms, this.#draining);
    if (this.#heldUntil === until) this.#heldUntil = 0;
    this.letIn();
  }

  #hasRoom(): boolean {
    return (
      this.#taken < this.#limit() && (this.#heldUntil === 0 || this.#clock.monotonic() >= this.#heldUntil)
    );
  }
}
