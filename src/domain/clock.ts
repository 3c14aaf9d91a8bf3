/** The program's source of time, passed in so that a test can control it. */
export interface Clock {
  /**
   * Milliseconds since the epoch. Jumps when the machine's clock is set or the machine was suspended. Use it for
   * recorded times, and for time that passes while no process runs.
   */
  now(): number;
  /** Milliseconds since a moment of this process; never jumps. Use it for deadlines and durations within a process. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, of any number; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A source of randomness: a number from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** An instant as the interface writes it: `YYYY-MM-DDTHH:MM:SSZ` (interface, section 2.1). */
export function utcDatetime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The UTC calendar date of an instant: `YYYY-MM-DD` (interface, section 2.1). */
export function utcDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
