import type { AccountKey } from '../../domain/account-key.ts';
import type { StepName } from '../../domain/steps.ts';

/** An account that is driven, and how long its present step has taken. */
export class AccountSlot {
  /** Absent until it is known which account it will be. */
  key: AccountKey | undefined;
  /** What it keeps in memory, in bytes. */
  bytes = 0;
  /** A request of it was sent, or waits to be. */
  hasAsked = false;
  #step: StepName | undefined;
  #startedAt = 0;
  #heldMs = 0;

  /** A request of this step is wanted at `now` (ms on the monotonic clock). */
  asks(step: StepName, now: number): void {
    this.hasAsked = true;
    if (step === this.#step) return;
    this.#step = step;
    this.#startedAt = now;
    this.#heldMs = 0;
  }

  /** For so long it was not let through, in ms: the step is not to blame. */
  wasHeld(ms: number): void {
    this.#heldMs += ms;
  }

  /** How long the step has taken by `now`, in ms. */
  takenBy(now: number): number {
    return now - this.#startedAt - this.#heldMs;
  }
}
