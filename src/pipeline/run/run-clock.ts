import type { Clock } from '../../domain/clock.ts';

/**
 * The clock of a run. What it records is never earlier than it was by the wall clock as that was at the run's start: a
 * clock that is set back and later right again would otherwise make a request look older than it is.
 */
export class RunClock implements Clock {
  /** The machine's own: leases need it, for they distrust any clock that was set. */
  readonly ofMachine: Clock;
  readonly #startedAt: number;
  readonly #startedWall: number;

  /** Begins now. */
  constructor(clock: Clock) {
    this.ofMachine = clock;
    this.#startedAt = clock.monotonic();
    this.#startedWall = clock.now();
  }

  now(): number {
    return Math.max(this.ofMachine.now(), Math.floor(this.atLeast()));
  }

  /** The time, in ms since the epoch, that the wall clock would tell if nobody had set it, and nothing was suspended, since the run began. */
  atLeast(): number {
    return this.#startedWall + this.ofMachine.monotonic() - this.#startedAt;
  }

  monotonic(): number {
    return this.ofMachine.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.ofMachine.sleep(ms, signal);
  }
}
