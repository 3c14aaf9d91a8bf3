import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { formatTime, zoneForPeople } from '../report/format.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { DailyClock, parseDailyWindow, parseTimeOfDay } from '../domain/daily-window.ts';

/** A run is allowed now: until an instant (milliseconds since the epoch), or without an end. */
export interface OpenHours {
  readonly isOpen: true;
  readonly until?: number | undefined;
  readonly words?: string | undefined;
}

/** The allowed hours of a run. */
export type RunHours = OpenHours | { readonly isOpen: false; readonly detail: string };

/**
 * A time of day that passed less than this ago has passed, and does not mean tomorrow: a late job must not run into
 * the day.
 */
const pastMs = 12 * 3_600_000;

/** The meaning of --until and --window at this moment, in the configured zone. */
export function runHours({ until, window, timeZone }: HoursSettings, now: number): RunHours {
  const zone = zoneForPeople(timeZone);
  const clock = DailyClock.of(zone);
  const end = until === undefined ? undefined : parseTimeOfDay(until);
  const daily = window === undefined ? undefined : parseDailyWindow(window);
  const ends: { readonly at: number; readonly words: string }[] = [];
  if (clock !== undefined && end !== undefined) {
    const words = `until ${until} (${zone})`;
    if (now - clock.last(end, now) < pastMs)
      return { isOpen: false, detail: `The run is allowed ${words}, which has passed. Nothing was done.` };
    ends.push({ at: clock.next(end, now), words });
  }
  if (clock !== undefined && daily !== undefined) {
    const words = `within ${window} (${zone})`;
    const opening = clock.opening(daily, now);
    if (!opening.isOpen)
      return {
        isOpen: false,
        detail: `The run is allowed ${words}, and the next window opens at ${formatTime(opening.opensAt, zone).slice(0, 16)}. Nothing was done.`,
      };
    ends.push({ at: opening.until, words });
  }
  const [first] = ends.toSorted((a, b) => a.at - b.at);
  return { isOpen: true, until: first?.at, words: first?.words };
}

/** The hours of a run that starts now; throws CannotStart outside of them, and where nobody knows whose hours these are. */
export function hoursToRunIn(settings: HoursSettings, now: number): OpenHours {
  const { until, window, timeZone } = settings;
  if ((until ?? window) !== undefined && !isKnown(zoneForPeople(timeZone)))
    throw new CannotStart(
      exitCodes.usage,
      'The allowed hours need a time zone, and that of this machine (TZ) is not known here. Set timeZone to one such as Europe/London.',
    );
  const hours = runHours(settings, now);
  if (!hours.isOpen) throw new CannotStart(exitCodes.stoppedEarly, hours.detail, [], 'hours');
  return hours;
}

/** What the runtime says of a machine whose TZ is no zone's name. */
function isKnown(zone: string | undefined): boolean {
  return zone !== undefined && zone !== 'Etc/Unknown';
}

type HoursSettings = Pick<Config, 'until' | 'window' | 'timeZone'>;
