import { isDate, isDatetime } from '../contract/schemas/fields.ts';

/** How an export writes dates, or dates with a time of day. */
export interface DateFormat {
  /** As the mapping states it, such as `dd/mm/yyyy HH:MM`. */
  readonly pattern: string;
  /** The interface's form of a date (section 2.1); undefined where the text is not in this format or does not exist. */
  date(text: string): string | undefined;
  /** The interface's form of a datetime (section 2.1), the text taken as UTC; midnight where the format has no time. */
  datetime(text: string): string | undefined;
}

export const isoDate: DateFormat = {
  pattern: 'yyyy-mm-dd',
  date: (text) => (isDate(text) ? text : undefined),
  datetime: (text) => (isDate(text) ? `${text}T00:00:00Z` : undefined),
};

export const isoDatetime: DateFormat = {
  pattern: 'yyyy-mm-ddTHH:MM:SSZ',
  date: (text) => (isDatetime(text) ? text.slice(0, 10) : undefined),
  datetime: (text) => (isDatetime(text) ? text : undefined),
};

const tokens: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  mm: '(?<month>\\d{2})',
  m: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  MM: '(?<minute>\\d{2})',
  SS: '(?<second>\\d{2})',
  T: 'T',
  Z: 'Z',
};

/**
 * Reads a format such as `dd/mm/yyyy HH:MM`: yyyy, mm or m, dd or d, HH, MM, SS, the letters T and Z, and any other
 * characters that are not letters or digits as they stand. undefined where it is not one.
 */
export function dateFormat(pattern: string): DateFormat | undefined {
  let source = '';
  for (const [part] of pattern.matchAll(/([a-zA-Z])\1*|\d|[^a-zA-Z\d]+/g)) {
    const token = /[a-zA-Z\d]/.test(part) ? tokens[part] : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (token === undefined) return undefined;
    source += token;
  }
  for (const name of ['year', 'month', 'day']) if (source.split(`(?<${name}>`).length !== 2) return undefined;
  if (/\(\?<(\w+)>.*\(\?<\1>/.test(source)) return undefined;
  const expression = new RegExp(`^${source}$`);
  const hasTime = /<(?:hour|minute|second)>/.test(source);
  const datetime = (text: string): string | undefined => {
    const groups = expression.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { year = '', month = '', day = '', hour = '00', minute = '00', second = '00' } = groups;
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const whole = `${date}T${hour}:${minute}:${second}Z`;
    return (hasTime ? isDatetime(whole) : isDate(date)) ? whole : undefined;
  };
  return { pattern, date: (text) => datetime(text)?.slice(0, 10), datetime };
}
