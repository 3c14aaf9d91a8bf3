import { parseDecimal } from '../domain/decimal.ts';

/** What times that are numbers count from 1970, UTC. */
export type TimeUnit = 'seconds' | 'milliseconds';

/**
 * A time as ISO 8601: a number, or a text of digits, is one of the epoch. Without a `unit`, those of 9 and 10 digits are
 * seconds, and those of 12 and 13 milliseconds: each from 1973 to 2286. Any other text is given as it is.
 */
export function timeText(text: string, unit: TimeUnit | undefined): string {
  const value = /^-?\d+(?:\.\d+)?(?:[eE]\+?\d+)?$/.test(text) ? parseDecimal(text) : undefined;
  const known = value === undefined ? undefined : (unit ?? unitOf(value.toFixed(0)));
  if (value === undefined || known === undefined) return text;
  const time = new Date(Number(value.times(known === 'seconds' ? '1000' : '1').toFixed(0)));
  if (Number.isNaN(time.getTime())) return text;
  const iso = time.toISOString();
  return known === 'seconds' && value.eq(value.round(0, 0)) ? iso.replace('.000Z', 'Z') : iso;
}

function unitOf(digits: string): TimeUnit | undefined {
  if (/^\d{9,10}$/.test(digits)) return 'seconds';
  return /^\d{12,13}$/.test(digits) ? 'milliseconds' : undefined;
}

/** The instant of a time of ISO 8601; undefined if the text is none. */
export function instant(text: string): string | undefined {
  return Number.isNaN(Date.parse(text)) || !/^\d{4}-/.test(text) ? undefined : new Date(text).toISOString();
}

/** The date of a date, or of a time in the platform's zone; undefined if the text is neither. */
export function dateOf(text: string, timeZone: string | undefined): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  if (text.length === 10 || timeZone === undefined) return text.slice(0, 10);
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(time);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}
