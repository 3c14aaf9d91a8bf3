import type { UnreadableText } from './unreadable.ts';

const secondsOfDay = 86_400n;
const millisecondsOfDay = 86_400_000;
const nanoseconds = 1_000_000_000n;

/** The day that is so many days after 1970-01-01, by ISO 8601. Only the years 1 to 9999 have four digits in every program. */
export function dayText(days: bigint): string | UnreadableText {
  const date = new Date(Number(days) * millisecondsOfDay);
  const year = Number.isNaN(date.getTime()) ? 0 : date.getUTCFullYear();
  return year < 1 || year > 9999
    ? [`day ${days} after 1970-01-01`, 'date_out_of_range']
    : date.toISOString().slice(0, -14);
}

/** A count of fractions of a second since 1970, by ISO 8601, with the zone behind it. */
export function momentText(count: bigint, perSecond: bigint, zone: string): string | UnreadableText {
  const perDay = secondsOfDay * perSecond;
  const ofDay = ((count % perDay) + perDay) % perDay;
  return dayWithTime((count - ofDay) / perDay, ofDay, perSecond, zone);
}

/** The day of the Julian calendar's count on which 1970 began. */
const julianDayOf1970 = 2_440_588n;

/**
 * A moment of the old type INT96: above 64 bits the day of the Julian calendar's count, below them the nanoseconds of that day. The
 * library loses the day where the nanoseconds are negative; a program that calculates with too large a number writes these.
 */
export function oldMomentText(stored: bigint): string | UnreadableText {
  const [day, ofDay] = [(stored >> 64n) - julianDayOf1970, BigInt.asIntN(64, stored)];
  if (ofDay < 0n || ofDay >= secondsOfDay * nanoseconds)
    return [`${ofDay} ns after the beginning of a day`, 'date_out_of_range'];
  return dayWithTime(day, ofDay, nanoseconds, '');
}

/** The time of a day that is so many fractions of a second after its beginning, up to 24:00:00. */
export function timeText(count: bigint, perSecond: bigint): string | UnreadableText {
  if (count < 0n || count > secondsOfDay * perSecond)
    return [`${count}/${perSecond} s after 00:00`, 'time_out_of_range'];
  const seconds = Number(count / perSecond);
  const places = String(perSecond).length - 1;
  const fraction = String(count % perSecond)
    .padStart(places, '0')
    .replace(/(?:000)+$/, '');
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return fraction === '' ? time : `${time}.${fraction}`;
}

function dayWithTime(days: bigint, ofDay: bigint, perSecond: bigint, zone: string): string | UnreadableText {
  const day = dayText(days);
  return typeof day === 'string' ? `${day}T${String(timeText(ofDay, perSecond))}${zone}` : day;
}
