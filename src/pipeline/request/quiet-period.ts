import type { PartEntry } from '../../journal/journal.ts';
import type { RunClock } from '../run/run-clock.ts';
import type { Patience } from '../settings.ts';

/** A moment on the monotonic clock that is in the past: nothing is under way. */
export const atRest = -Infinity;

/**
 * How long a request whose answer was lost may still be under way, in this process or in a proxy. Until then, nothing
 * irrevocable may be sent that would meet it. Moments are in ms on the monotonic clock.
 */
export class QuietPeriod {
  readonly #patience: Pick<Patience, 'quietPeriodMs' | 'quietFrom'>;
  readonly #clock: RunClock;
  readonly #run: number;
  readonly #startedAt: number;
  /** The wall clock's time at that moment. */
  readonly #startedWall: number;
  readonly #clockSince: number;
  /** When the last accounts came from other runs, whose clocks cannot be relied on here. */
  #tookOverAt: number | undefined;

  /**
   * Begins with the run of this number. `clockSince`: the oldest run whose wall clock is known to agree with this
   * one's.
   */
  constructor(
    patience: Pick<Patience, 'quietPeriodMs' | 'quietFrom'>,
    clock: RunClock,
    run: number,
    clockSince: number,
  ) {
    this.#patience = patience;
    this.#clock = clock;
    this.#run = run;
    this.#startedAt = clock.monotonic();
    this.#startedWall = clock.atLeast();
    this.#clockSince = clockSince;
  }

  /** Accounts came from a run that worked beside this one: its requests may have left a moment ago. */
  tookOver(): void {
    this.#tookOverAt = this.#clock.monotonic();
  }

  /** Until when a request of this run may be under way that left at `sentAt`, and whose answer is given up now. */
  afterLoss(sentAt: number): number {
    const { quietPeriodMs, quietFrom } = this.#patience;
    return (quietFrom === 'sending' ? sentAt : this.#clock.monotonic()) + quietPeriodMs;
  }

  /**
   * The same for a request in the journal. The wall clock tells how long ago it left, but never more than the whole
   * period remains. If the clock was set since, or the machine was rebooted, the whole period counts from the start
   * of this run.
   */
  ofRecorded({ run, sentAt, answeredAt = sentAt }: Pick<PartEntry, 'run' | 'sentAt' | 'answeredAt'>): number {
    const { quietPeriodMs, quietFrom } = this.#patience;
    const sinceWall = (quietFrom === 'sending' ? sentAt : answeredAt) + quietPeriodMs;
    const untilByStart = this.#startedAt + sinceWall - this.#startedWall;
    if (run === this.#run) return Math.min(untilByStart, this.#clock.monotonic() + quietPeriodMs);
    if (this.#tookOverAt !== undefined) return this.#tookOverAt + quietPeriodMs;
    const atMost = this.#startedAt + quietPeriodMs;
    // Stryker disable next-line EqualityOperator: its own number was looked at above
    return run >= this.#clockSince && run < this.#run ? Math.min(untilByStart, atMost) : atMost;
  }
}
