import type { Config } from '../config/load-config.ts';
import { furthestWindowMs } from '../contract/scheduled-import.ts';
import { DailyClock, parseDailyWindow, parseTimeOfDay } from '../domain/daily-window.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { formatTime, zoneForPeople } from '../report/format.ts';

/** The time in which the platform may process tasks, in ms since the epoch; absent: any. */
export interface ScheduleWindow {
  readonly startAt?: number | undefined;
  readonly endAt?: number | undefined;
}

type WindowSettings = Pick<Config, 'schedule' | 'window' | 'timeZone'>;

/**
 * The platform's window for a run that starts now. Without an end of its own it ends with the window of the tool. Throws
 * CannotStart if the platform would refuse it, or if it is not within the window of the tool.
 */
export function scheduleWindow({ schedule, window, timeZone }: WindowSettings, now: number): ScheduleWindow {
  const zone = zoneForPeople(timeZone);
  const clock = DailyClock.of(zone);
  const at = (text: string | undefined, after: number): number | undefined => {
    const time = text === undefined ? undefined : parseTimeOfDay(text);
    if (text === undefined || time === undefined) return text === undefined ? undefined : Date.parse(text);
    return clock?.next(time, after);
  };
  const startAt = at(schedule.start, now);
  if (startAt !== undefined && startAt < now) refuse(`schedule.start (${schedule.start}) has passed.`);
  const from = startAt ?? now;
  const daily = window === undefined ? undefined : parseDailyWindow(window);
  const opening = daily === undefined ? undefined : clock?.opening(daily, from);
  if (opening?.isOpen === false)
    refuse(`schedule.start (${formatTime(from, zone)}) is outside the window of the run (${window}).`);
  const untilAt = opening?.isOpen === true ? opening.until : undefined;
  const endAt = at(schedule.end, from) ?? untilAt;
  if (endAt !== undefined && endAt <= from) refuse(`schedule.end (${schedule.end}) is not after its start.`);
  if (endAt !== undefined && endAt > now + furthestWindowMs)
    refuse(`schedule.end (${schedule.end}) is more than four days ahead.`);
  if (endAt !== undefined && untilAt !== undefined && endAt > untilAt)
    refuse(`schedule.end (${formatTime(endAt, zone)}) is after the window of the run (${window}).`);
  return { startAt, endAt };
}

function refuse(what: string): never {
  throw new CannotStart(exitCodes.usage, `${what} Correct the schedule of the profile.`);
}
