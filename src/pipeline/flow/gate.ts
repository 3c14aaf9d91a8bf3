import type { Clock } from '../../domain/clock.ts';
import { pause } from '../retry.ts';
import { WaitQueue } from './wait-queue.ts';

/** So many places, which may become more or fewer at any time; who finds none waits in line. */
export class Gate {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #draining: AbortSignal;
  readonly #line = new WaitQueue();
  #taken = 0;
  #heldUntil = 0;

  /** `draining` ends the waiting for a hold. */
  constructor(limit: () => number, clock: Clock, draining: AbortSignal) {
    this.#limit = limit;
    this.#clock = clock;
    this.#draining = draining;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Whether somebody who came now would have to wait. */
  get isFull(): boolean {
    return this.#line.length > 0 || !this.#hasRoom();
  }

  /** Takes a place, waiting for one if need be; false when the signal is aborted first. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.isFull) return this.#line.wait(signal);
    this.#taken += 1;
    return Promise.resolve(true);
  }

  leave(): void {
    this.#taken -= 1;
    this.letIn();
  }

  /** Gives the places that are free to those in line. */
  letIn(): void {
    while (this.#hasRoom() && this.#line.next()) this.#taken += 1;
  }

  /** Lets nobody in for so long, in ms. Resolves when that is over, or the run drains. */
  async hold(ms: number): Promise<void> {
    const until = this.#clock.monotonic() + ms;
    if (until <= this.#heldUntil) return;
    this.#heldUntil = until;
    await pause(this.#clock, ms, this.#draining);
    if (this.#heldUntil === until) this.#heldUntil = 0;
    this.letIn();
  }

  #hasRoom(): boolean {
    return this.#taken < this.#limit() && this.#clock.monotonic() >= this.#heldUntil;
  }
}
