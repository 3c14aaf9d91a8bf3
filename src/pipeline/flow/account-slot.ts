import type { AccountKey } from '../../domain/account-key.ts';
import type { RequestStep } from '../../domain/steps.ts';

/** An account that is running, and the time of its current step. */
export class AccountSlot {
  /** Absent until the account is known. */
  key: AccountKey | undefined;
  /** What it keeps in memory, in bytes. */
  bytes = 0;
  /** Whether a request of it was sent, or waits to be sent. */
  hasAsked = false;
  /** Whether it has its plan, and counts against the limit of several runs. */
  isDriven = false;
  #step: RequestStep | undefined;
  #startedAt = 0;
  #heldMs = 0;

  /** A request of this step is wanted at `now` (ms on the monotonic clock). */
  asks(step: RequestStep, now: number): void {
    this.hasAsked = true;
    if (step === this.#step) return;
    this.#step = step;
    this.#startedAt = now;
    this.#heldMs = 0;
  }

  /** The time that it was not let through, in ms, which does not count as the step's. */
  wasHeld(ms: number): void {
    this.#heldMs += ms;
  }

  /** The time of the step by `now`, in ms. */
  takenBy(now: number): number {
    return now - this.#startedAt - this.#heldMs;
  }
}
