import { zoneToUtc } from './time-zone.ts';

/** A local time of day: `HH:MM`, 00:00 to 23:59. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** From one time of day to the next occurrence of another, which may be after midnight. */
export interface DailyWindow {
  readonly from: TimeOfDay;
  readonly to: TimeOfDay;
}

/** Whether a window is open at an instant; instants in milliseconds since the epoch. */
export type Opening =
  { readonly isOpen: true; readonly until: number } | { readonly isOpen: false; readonly opensAt: number };

/** Reads `HH:MM`; undefined for anything else. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? undefined : { hour: Number(match[1]), minute: Number(match[2]) };
}

/** Reads `HH:MM-HH:MM`, two different times; undefined for anything else. */
export function parseDailyWindow(text: string): DailyWindow | undefined {
  const [from, to, ...more] = text.split('-').map(parseTimeOfDay);
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  return from.hour === to.hour && from.minute === to.minute ? undefined : { from, to };
}

const dayMs = 24 * 3_600_000;
const quarterMs = 15 * 60_000;

/** Converts times of day in one IANA time zone. */
export class DailyClock {
  readonly #toUtc: (local: string) => string | undefined;

  private constructor(toUtc: (local: string) => string | undefined) {
    this.#toUtc = toUtc;
  }

  /** undefined if there is no such zone. */
  static of(zone: string): DailyClock | undefined {
    const toUtc = zoneToUtc(zone);
    return toUtc === undefined ? undefined : new DailyClock(toUtc);
  }

  /**
   * The first instant after `after` with this local time of day. For a time that the clocks skip, the instant of the
   * skip; for a time that occurs twice, the first.
   */
  next(time: TimeOfDay, after: number): number {
    const today = Math.floor(after / dayMs);
    // The zone's date differs from UTC's by a day at most.
    for (let day = today - 1; day <= today + 2; day += 1) {
      const instant = this.#on(day, time);
      if (instant > after) return instant;
    }
    throw new Error('A day without this time of day.');
  }

  /** The last instant at or before `before` with this local time of day. */
  last(time: TimeOfDay, before: number): number {
    const today = Math.floor(before / dayMs);
    for (let day = today + 1; day >= today - 2; day -= 1) {
      const instant = this.#on(day, time);
      if (instant <= before) return instant;
    }
    throw new Error('A day without this time of day.');
  }

  /** Whether the window is open at `now`, and until when; otherwise when it opens next. */
  opening({ from, to }: DailyWindow, now: number): Opening {
    const until = this.next(to, this.last(from, now));
    return now < until ? { isOpen: true, until } : { isOpen: false, opensAt: this.next(from, now) };
  }

  /** `day` counts calendar days since 1970-01-01. */
  #on(day: number, { hour, minute }: TimeOfDay): number {
    let local = day * dayMs + (hour * 60 + minute) * 60_000;
    for (;;) {
      const utc = this.#toUtc(`${new Date(local).toISOString().slice(0, 19)}Z`);
      if (utc !== undefined) return Date.parse(utc);
      // Skipped by the clocks, which change on a quarter of an hour.
      local = (Math.floor(local / quarterMs) + 1) * quarterMs;
    }
  }
}
