import type { ShownMoment } from './number-format.ts';

const day = 86_400_000;
/** Day 0 by the count of 1900 from 1 March 1900 on; the count of 1904 begins 1,462 days later. */
const epoch1900 = Date.UTC(1899, 11, 30);
const later1904 = 1462;
/** 31 December 9999. */
const lastDay = 2_958_465;
/** 1 March 1900: the count of 1900 has a 29 February 1900, and programs differ in what comes before. */
const firstCertain = 61;

/** A number that cannot be shown as a date. */
export interface NoDate {
  readonly code: string;
  readonly detail: string;
}

/** The date, the time or both of a number of days, by ISO 8601. */
export function isoOf(days: number, shown: ShownMoment, is1904: boolean): string | NoDate {
  if (shown === 'time' && days >= 0 && days < lastDay) return timeOf(Math.round(days * day));
  const count = is1904 ? days + later1904 : days;
  if (days < 0 || count >= lastDay + 1)
    return {
      code: 'date_out_of_range',
      detail: 'The cell has the format of a date, but its number is none. Correct the cell or its format.',
    };
  if (!is1904 && days < firstCertain)
    return {
      code: 'ambiguous_date',
      detail:
        'Programs show different days for dates before 1 March 1900. Write the date as text, such as 1900-02-28, or empty the cell.',
    };
  // A day has fewer milliseconds than a number has digits for; what is beyond is an artefact.
  const moment = new Date(epoch1900 + Math.round(count * day)).toISOString();
  const time = moment.slice(11, 23);
  if (shown === 'date' && time === '00:00:00.000') return moment.slice(0, 10);
  return `${moment.slice(0, 10)}T${time.replace(/\.000$/, '')}`;
}

/** A time of day, or a duration of more than a day. */
function timeOf(ms: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  const rest = ms % 1000;
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`;
}
