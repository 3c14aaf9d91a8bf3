/**
 * Converts a local time of a zone to UTC; both `YYYY-MM-DDTHH:MM:SSZ`. undefined for a time that the clocks skipped.
 */
export type ToUtc = (local: string) => string | undefined;

/** A time zone with daylight saving. */
export interface TimeZone {
  readonly toUtc: ToUtc;
  /** The local time at a time in UTC; both `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly toLocal: (utc: string) => string;
}

/** Clocks change on a quarter of an hour, so one lookup of the offset is enough for each. */
const quarter = 15 * 60_000;
const mostKnown = 100_000;

/** The conversion of local times in an IANA zone; undefined if there is no such zone. */
export function zoneToUtc(zone: string): ToUtc | undefined {
  return timeZone(zone)?.toUtc;
}

/**
 * The IANA zone of this name, such as `Europe/Berlin`; undefined if there is none. A local time that occurs twice, when
 * clocks are set back, is taken as the first.
 */
export function timeZone(zone: string): TimeZone | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  const known = new Map<number, number>();
  const offsetAt = (instant: number): number => {
    const at = Math.floor(instant / quarter);
    const before = known.get(at);
    if (before !== undefined) return before;
    if (known.size >= mostKnown) known.clear();
    const offset = wallClock(format, at * quarter) - at * quarter;
    known.set(at, offset);
    return offset;
  };
  const toUtc: ToUtc = (local) => {
    const wanted = Date.parse(local);
    // The two offsets in force around it; the larger one gives the earlier instant.
    const offsets = [offsetAt(wanted - dayMs), offsetAt(wanted + dayMs)].sort((a, b) => b - a);
    const instant = offsets.map((offset) => wanted - offset).find((at) => at + offsetAt(at) === wanted);
    return instant === undefined ? undefined : inIso(instant);
  };
  return {
    toUtc,
    toLocal(utc) {
      const instant = Date.parse(utc);
      return inIso(instant + offsetAt(instant));
    },
  };
}

function inIso(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

const dayMs = 24 * 60 * 60_000;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The local time in the zone at an instant, written as if it were UTC. */
function wallClock(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const at = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
}
