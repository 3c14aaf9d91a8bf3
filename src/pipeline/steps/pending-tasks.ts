/** How a run waits for the tasks that create its accounts (import v2). Times are in ms. */
export interface ScheduleSettings {
  /** The earliest and the latest time at which the platform may process a task, in ms since the epoch. */
  readonly startAt?: number | undefined;
  readonly endAt?: number | undefined;
  /** The most accounts of the book that may be scheduled at once. */
  readonly mostPending: number;
  /** From one question about a task to the next, at least. */
  readonly pollMs: number;
  /** How long a run waits for one task. */
  readonly waitMs: number;
}

/** No task is asked about less often, in ms. */
const longestPollMs = 600_000;

/** The tasks that the platform has of a book, and how often to ask about them. */
export class PendingTasks {
  readonly #settings: Pick<ScheduleSettings, 'mostPending' | 'pollMs'>;
  readonly #firstPollMs: number;
  #pending = 0;
  /** Of these, the ones that this run waits for. */
  #awaited = 0;
  /** Accounts that this run left alone for lack of room. */
  #passedOver = 0;
  /** How long tasks took, smoothed. */
  #usualMs = 0;

  /** `firstPollMs`: before the first question, as long as nothing is known of how long tasks take. */
  constructor(settings: Pick<ScheduleSettings, 'mostPending' | 'pollMs'>, firstPollMs: number) {
    this.#settings = settings;
    this.#firstPollMs = firstPollMs;
  }

  /** This many accounts of the book were scheduled by earlier runs. */
  begin(pending: number): void {
    this.#pending = pending;
  }

  /** Takes room for one more; false if there is none. */
  take(): boolean {
    if (this.#pending >= this.#settings.mostPending) return false;
    this.#pending += 1;
    this.#awaited += 1;
    return true;
  }

  /** This run waits for a task of an earlier one. */
  resume(): void {
    this.#awaited += 1;
  }

  /** A task has ended, or never began. */
  leave(): void {
    this.#pending = Math.max(0, this.#pending - 1);
    this.#awaited -= 1;
  }

  /** A task is left to the next run. */
  leaveToNext(): void {
    this.#awaited -= 1;
  }

  /** Whether there is room for one more, or may be in this run. */
  get hasRoom(): boolean {
    return this.#pending < this.#settings.mostPending || this.#awaited > 0;
  }

  /** An account is left to the next run: there is no room for its task. */
  passOver(): void {
    this.#passedOver += 1;
  }

  /** How many accounts were left to the next run for lack of room. */
  get passedOver(): number {
    return this.#passedOver;
  }

  /** A task was processed that was this old, in ms. */
  tookMs(ageMs: number): void {
    this.#usualMs = this.#usualMs === 0 ? ageMs : 0.8 * this.#usualMs + 0.2 * ageMs;
  }

  /** How long to wait before a task of this age is asked about for the n-th time, from 0: older ones less often. */
  waitBefore(question: number, ageMs: number): number {
    const { pollMs } = this.#settings;
    if (question === 0) return Math.min(pollMs, Math.max(this.#firstPollMs, this.#usualMs / 2));
    return Math.min(longestPollMs, Math.max(pollMs, ageMs / 2));
  }
}
