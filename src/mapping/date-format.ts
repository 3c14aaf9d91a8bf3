import { isDate, isDatetime } from '../contract/schemas/fields.ts';
import type { TimeZone, ToUtc } from '../domain/time-zone.ts';
import { eraNames, yearOfEra } from './eras.ts';
import type { TypedDate } from '../domain/typed-value.ts';

/** How an export writes dates, or dates with a time of day. */
export interface DateFormat {
  /** As written in the mapping, such as `dd/mm/yyyy HH:MM`. */
  readonly pattern: string;
  /** The date in the interface's form (section 2.1); undefined if the text is not in this format or does not exist. */
  date(text: string): string | undefined;
  /**
   * The datetime in the interface's form (section 2.1), reading the text as UTC; midnight if the format has no time.
   */
  datetime(text: string): string | undefined;
  /** Whether the texts contain their own offset from UTC. */
  readonly hasOffset: boolean;
  /** Whether the texts contain a time of day. */
  readonly hasTime: boolean;
  /** Those that it consists of. */
  readonly formats?: readonly DateFormat[];
}

export const isoDate: DateFormat = {
  pattern: 'yyyy-mm-dd',
  date: (text) => (isDate(text) ? text : undefined),
  datetime: (text) => (isDate(text) ? `${text}T00:00:00Z` : undefined),
  hasOffset: false,
  hasTime: false,
};

export const isoDatetime: DateFormat = {
  pattern: 'yyyy-mm-ddTHH:MM:SSZ',
  date: (text) => (isDatetime(text) ? text.slice(0, 10) : undefined),
  datetime: (text) => (isDatetime(text) ? text : undefined),
  hasOffset: true,
  hasTime: true,
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const tokens: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<year>\\d{2})',
  mmm: `(?<month>${months.join('|')})`,
  mm: '(?<month>\\d{2})',
  m: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  tt: '(?<half>am|pm)',
  MM: '(?<minute>\\d{2})',
  SS: '(?<second>\\d{2})',
  f: '\\d+',
  T: 'T',
  Z: 'Z',
  ZZ: '(?<offset>Z|[+-]\\d{2}:?\\d{2})',
};

/**
 * Parses a format such as `dd/mm/yyyy HH:MM`: the tokens above, and any other characters that are not letters or
 * digits. undefined if it is not a format.
 */
export function dateFormat(pattern: string): DateFormat | undefined {
  const hasEra = /(?<!G)G(?!G)/.test(pattern);
  const parts = [...pattern.matchAll(/([a-zA-Z])\1*|\d|[^a-zA-Z\d]+/g)].map(([part]) => part);
  const sources = parts.map((part) =>
    /[a-zA-Z\d]/.test(part)
      ? ((hasEra ? eraTokens(part) : undefined) ?? tokens[part])
      : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  if (sources.includes(undefined)) return undefined;
  const source = sources.join('');
  const names = [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
  if (new Set(names).size !== names.length) return undefined;
  if (['year', 'month', 'day'].some((name) => !names.includes(name))) return undefined;
  if (parts.some((part) => /^hh?$/.test(part)) !== names.includes('half')) return undefined;
  const expression = new RegExp(`^${source}$`, 'iu');
  const local = (text: string): readonly [datetime: string, offset: string] | undefined => {
    const groups = expression.exec(text)?.groups;
    if (groups === undefined) return undefined;
    // Stryker disable next-line StringLiteral: every format has these
    const { era, year = '', month = '', day = '' } = groups;
    const { minute = '00', second = '00', offset = 'Z' } = groups;
    const rest = `${monthNumber(month)}-${day.padStart(2, '0')}`;
    const date = `${era === undefined ? fullYear(year) : yearOfEra(era, year, rest)}-${rest}`;
    const whole = `${date}T${hourOf(groups)}:${minute}:${second}Z`;
    return isDatetime(whole) ? [whole, offset] : undefined;
  };
  return {
    pattern,
    date: (text) => local(text)?.[0].slice(0, 10),
    datetime(text) {
      const found = local(text);
      return found === undefined ? undefined : withoutOffset(...found);
    },
    hasOffset: parts.includes('Z') || parts.includes('ZZ'),
    hasTime: names.includes('hour'),
  };
}

/** What is read in a format with an era, in which years are counted from its first. */
function eraTokens(part: string): string | undefined {
  if (part === 'G') return `(?<era>${eraNames()})`;
  if (part === 'y') return '(?<year>元|\\d{1,4})';
  return part === 'yy' ? '(?<year>元|\\d{2})' : undefined;
}

/** Several formats: a text is read in the one that it has. One that two formats read as different days is in none of them. */
export function anyDateFormat(formats: readonly DateFormat[]): DateFormat {
  const only = (texts: readonly (string | undefined)[]): string | undefined => {
    const found = new Set(texts.filter((text) => text !== undefined));
    return found.size === 1 ? [...found][0] : undefined;
  };
  return {
    pattern: formats.map(({ pattern }) => pattern).join(' or '),
    date: (text) => only(formats.map((format) => format.date(text))),
    datetime: (text) => only(formats.map((format) => format.datetime(text))),
    hasOffset: formats.every(({ hasOffset }) => hasOffset),
    hasTime: formats.some(({ hasTime }) => hasTime),
    formats,
  };
}

/** The format for texts in the local time of a zone; dates are not converted. */
export function inZone(format: DateFormat, toUtc: ToUtc): DateFormat {
  if (format.formats !== undefined) return anyDateFormat(format.formats.map((one) => inZone(one, toUtc)));
  if (format.hasOffset) return format;
  const convert = format.hasTime ? toUtc : (local: string) => startOfDay(local, toUtc);
  return {
    ...format,
    datetime(text) {
      const local = format.datetime(text);
      return local === undefined ? undefined : convert(local);
    },
  };
}

/** The first time of a day that exists in a zone: where clocks are set forward at midnight, a day begins later. */
function startOfDay(midnight: string, toUtc: ToUtc): string | undefined {
  for (let minutes = 0; minutes <= 180; minutes += 15) {
    const local = `${new Date(Date.parse(midnight) + minutes * 60_000).toISOString().slice(0, 19)}Z`;
    const found = toUtc(local);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The day of a typed date, and whether its time of day is midnight; both in the zone for one in UTC. No day if it does not exist. */
export function dayOf(
  date: TypedDate,
  zone: TimeZone | undefined,
): {
  readonly day: string | undefined;
  readonly isMidnight: boolean;
} {
  const text = localText(date, zone);
  const day = text.slice(0, 10);
  return {
    day: isDate(day) ? day : undefined,
    isMidnight: /^(?:T00:00:00(?:\.0+)?Z?)?$/.test(text.slice(10)),
  };
}

function localText({ text, isUtc }: TypedDate, zone: TimeZone | undefined): string {
  const instant = `${text.slice(0, 19)}Z`;
  if (!isUtc || zone === undefined || !isDatetime(instant)) return text;
  return `${zone.toLocal(instant).slice(0, 19)}${text.slice(19)}`;
}

/** The datetime of a typed date, whose time is that of a zone unless it is in UTC; without a time, it is midnight. */
export function instantOf({ text, isUtc }: TypedDate, toUtc: ToUtc | undefined): string | undefined {
  // The interface's datetimes have no fraction of a second.
  const local = text.length === 10 ? `${text}T00:00:00Z` : `${text.slice(0, 19)}Z`;
  if (!isDatetime(local)) return undefined;
  if (isUtc || toUtc === undefined) return local;
  return text.length === 10 ? startOfDay(local, toUtc) : toUtc(local);
}

/** Two-digit years from 70 to 99 are in the last century. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) < 70 ? '20' : '19'}${year}`;
}

function monthNumber(month: string): string {
  const named = months.indexOf(month.toLowerCase()) + 1;
  return String(named === 0 ? month : named).padStart(2, '0');
}

/** undefined if the hour is not possible in this half of the day. */
const noHour = '99';

function hourOf({ hour = '00', half }: Readonly<Record<string, string>>): string {
  if (half === undefined) return hour.padStart(2, '0');
  if (Number(hour) < 1 || Number(hour) > 12) return noHour;
  return String((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)).padStart(2, '0');
}

function withoutOffset(local: string, offset: string): string | undefined {
  // Stryker disable StringLiteral,Regex,ArrayDeclaration,ConditionalExpression: a format read it in this form, and Z moves nothing
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  if (sign === undefined) return local;
  // Stryker restore StringLiteral,Regex,ArrayDeclaration,ConditionalExpression
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const distance = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const instant = Date.parse(local) - (sign === '-' ? -distance : distance);
  const utc = `${new Date(instant).toISOString().slice(0, 19)}Z`;
  return isDatetime(utc) ? utc : undefined;
}
