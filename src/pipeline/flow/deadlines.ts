import type { Clock } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';

/** The reason for cutting off a request that took too long. */
export const tooLate = new Error('The step has taken too long.');

/** Cuts off requests that take too long, and all of them when the run is aborted. One timer serves them all. */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #aborting: AbortSignal;
  readonly #fail: (error: unknown) => void;
  /** When each is due, on the monotonic clock. */
  readonly #due = new Map<AbortController, number>();
  /** Reused, because a new signal for each request is expensive. */
  readonly #unused: AbortController[] = [];
  #watch: { readonly until: number; readonly end: AbortController } | undefined;

  /** `fail` receives a bug in the clock. */
  constructor(clock: Clock, aborting: AbortSignal, fail: (error: unknown) => void) {
    this.#clock = clock;
    this.#aborting = aborting;
    this.#fail = fail;
    aborting.addEventListener('abort', () => this.#due.forEach((_, cut) => cut.abort()));
  }

  /**
   * A request begins: its signal is aborted after this many ms, with the reason `tooLate`; at once if the run is
   * aborted.
   */
  start(ms: number): AbortController {
    const cut = this.#unused.pop() ?? new AbortController();
    if (this.#aborting.aborted) cut.abort();
    const due = this.#clock.monotonic() + ms;
    this.#due.set(cut, due);
    // Stryker disable next-line EqualityOperator: a timer for the same moment is as good
    if (this.#watch === undefined || due < this.#watch.until) this.#watchUntil(due);
    return cut;
  }

  /** The request has ended. The timer stays: the next request comes soon, and is due later. */
  end(cut: AbortController): void {
    this.#due.delete(cut);
    if (!cut.signal.aborted) this.#unused.push(cut);
  }

  /** No more requests follow. */
  close(): void {
    this.#watch?.end.abort();
  }

  #watchUntil(until: number): void {
    this.#watch?.end.abort();
    const end = new AbortController();
    this.#watch = { until, end };
    pause(this.#clock, until - this.#clock.monotonic(), end.signal).then((isOver) => {
      if (isOver) this.#cutWhatIsDue();
    }, this.#fail);
  }

  #cutWhatIsDue(): void {
    const now = this.#clock.monotonic();
    this.#watch = undefined;
    for (const [cut, due] of this.#due)
      if (due <= now) {
        this.#due.delete(cut);
        cut.abort(tooLate);
      }
    if (this.#due.size > 0) this.#watchUntil(Math.min(...this.#due.values()));
  }
}
