import type { Clock } from '../domain/clock.ts';
import { forget, whenAborted, type Stoppable } from './when-aborted.ts';

/** The reason for cutting off a request that took too long as a whole. */
export const overdue = new Error('The request took too long.');

/** The deadline of one request. */
export interface Deadline {
  /** Aborted when the request must end: with the reason `overdue` if its time is over. */
  readonly signal: AbortSignal | undefined;
  /** Restarts its time, because it has made progress. */
  restart(): void;
  /** The request is over. */
  end(): void;
}

/**
 * Ends every request that takes too long as a whole, however slowly its answer arrives. All have the same time, so
 * the first in line is the first that is due, and one timer serves them all.
 */
export class Deadlines {
  readonly #ms: number;
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** When each is due, on the monotonic clock; the first is due first. */
  readonly #due = new Map<AbortController, number>();
  /** Not used by the request that they were made for. */
  readonly #unused: AbortController[] = [];
  readonly #closed = new AbortController();
  #isWatching = false;

  /** `ms`: the time of each request, from before it is sent to the last byte of its answer. */
  constructor(ms: number, clock: Pick<Clock, 'monotonic' | 'sleep'>) {
    this.#ms = ms;
    this.#clock = clock;
  }

  /** A request begins, which `signal` may end before it is due. */
  start(signal: AbortSignal | undefined): Deadline {
    const cut = this.#unused.pop() ?? new AbortController();
    if (signal?.aborted === true) cut.abort();
    this.#expect(cut);
    return new Running(this, cut, signal);
  }

  /** A request has made progress: its time begins again. */
  restart(cut: AbortController): void {
    if (this.#due.delete(cut)) this.#expect(cut);
  }

  /** A request has ended. Its controller is reused unless it was aborted. */
  end(cut: AbortController): void {
    this.#due.delete(cut);
    if (!cut.signal.aborted) this.#unused.push(cut);
  }

  /** No more requests follow: ends the timer. */
  close(): void {
    this.#closed.abort();
  }

  #expect(cut: AbortController): void {
    this.#due.set(cut, this.#clock.monotonic() + this.#ms);
    if (!this.#isWatching) void this.#watch();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    try {
      for (;;) {
        const [first] = this.#due;
        if (first === undefined) return;
        const [cut, due] = first;
        const leftMs = due - this.#clock.monotonic();
        if (leftMs > 0) {
          await this.#clock.sleep(leftMs, this.#closed.signal);
          continue;
        }
        this.#due.delete(cut);
        cut.abort(overdue);
      }
    } catch (error) {
      if (!this.#closed.signal.aborted) throw error;
    } finally {
      this.#isWatching = false;
    }
  }
}

/** A request that has begun and not ended. */
class Running implements Deadline, Stoppable {
  readonly #deadlines: Deadlines;
  readonly #cut: AbortController;
  readonly #given: AbortSignal | undefined;

  constructor(deadlines: Deadlines, cut: AbortController, given: AbortSignal | undefined) {
    this.#deadlines = deadlines;
    this.#cut = cut;
    this.#given = given;
    whenAborted(given, this);
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  restart(): void {
    this.#deadlines.restart(this.#cut);
  }

  end(): void {
    forget(this.#given, this);
    this.#deadlines.end(this.#cut);
  }

  stop(): void {
    this.#cut.abort();
  }
}
