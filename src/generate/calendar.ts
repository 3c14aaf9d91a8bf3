import { utcDate, utcDatetime } from '../domain/clock.ts';

/** A calendar day, as the number of days since 1970-01-01. */
export type Day = number;

const msOfDay = 86_400_000;

/** No generated transaction has a later date than this (2024-06-30), so an export is the same every day. */
export const lastDay: Day = Date.UTC(2024, 5, 30) / msOfDay;

/** An export has few different days and very many dates. */
const dateTexts = new Map<Day, string>();

export function dateText(day: Day): string {
  const known = dateTexts.get(day);
  if (known !== undefined) return known;
  const text = utcDate(day * msOfDay);
  dateTexts.set(day, text);
  return text;
}

/** An instant within a day; `second` counts from its midnight. */
export function datetimeText(day: Day, second: number): string {
  return utcDatetime(day * msOfDay + second * 1000);
}
