import { describe, expect, it } from 'vitest';
import {
  anyDateFormat,
  dateFormat,
  dayOf,
  instantOf,
  inZone,
  isoDate,
  isoDatetime,
} from '../../src/mapping/date-format.ts';
import { TypedDate } from '../../src/domain/typed-value.ts';

/** The date and the datetime of a text. */
function read(pattern: string, text: string): readonly [string | undefined, string | undefined] {
  const format = dateFormat(pattern);
  if (format === undefined) throw new Error(`${pattern} is no format`);
  return [format.date(text), format.datetime(text)];
}

describe('a format', () => {
  it.each([
    ['dd.mm.yyyy', '05.03.2024', '2024-03-05', '2024-03-05T00:00:00Z'],
    ['d/m/yyyy', '5/3/2024', '2024-03-05', '2024-03-05T00:00:00Z'],
    ['d/m/yyyy', '15/12/2024', '2024-12-15', '2024-12-15T00:00:00Z'],
    ['yyyymmdd', '20240305', '2024-03-05', '2024-03-05T00:00:00Z'],
    ['dd-mmm-yyyy', '05-MAR-2024', '2024-03-05', '2024-03-05T00:00:00Z'],
    ['dd-mmm-yyyy', '31-Dec-2024', '2024-12-31', '2024-12-31T00:00:00Z'],
    ['dd-mmm-yyyy', '01-jan-2024', '2024-01-01', '2024-01-01T00:00:00Z'],
    ['dd/mm/yyyy HH:MM', '05/03/2024 07:09', '2024-03-05', '2024-03-05T07:09:00Z'],
    ['dd/mm/yyyy HH:MM:SS', '05/03/2024 23:59:58', '2024-03-05', '2024-03-05T23:59:58Z'],
    ['dd/mm/yyyy H:MM', '05/03/2024 7:09', '2024-03-05', '2024-03-05T07:09:00Z'],
    ['yyyy-mm-ddTHH:MM:SS.f', '2024-03-05T07:09:01.123456', '2024-03-05', '2024-03-05T07:09:01Z'],
    ['yyyy-mm-ddTHH:MM:SSZ', '2024-03-05T07:09:01Z', '2024-03-05', '2024-03-05T07:09:01Z'],
    ['yyyy-mm-dd HH:MMZZ', '2024-03-05 07:09+02:00', '2024-03-05', '2024-03-05T05:09:00Z'],
    ['yyyy-mm-dd HH:MMZZ', '2024-03-05 23:09-0130', '2024-03-05', '2024-03-06T00:39:00Z'],
    ['yyyy-mm-dd HH:MMZZ', '2024-03-05 07:09Z', '2024-03-05', '2024-03-05T07:09:00Z'],
    ['yyyy-mm-dd HH:MMZZ', '2024-03-05 07:09+14:59', '2024-03-05', '2024-03-04T16:10:00Z'],
    ['dd/mm/yyyy hh:MM tt', '05/03/2024 12:09 am', '2024-03-05', '2024-03-05T00:09:00Z'],
    ['dd/mm/yyyy hh:MM tt', '05/03/2024 12:09 PM', '2024-03-05', '2024-03-05T12:09:00Z'],
    ['dd/mm/yyyy h:MM tt', '05/03/2024 1:09 pm', '2024-03-05', '2024-03-05T13:09:00Z'],
    ['dd/mm/yyyy h:MM tt', '05/03/2024 1:09 AM', '2024-03-05', '2024-03-05T01:09:00Z'],
  ])('%s reads %s', (pattern, text, date, datetime) => {
    expect(read(pattern, text)).toEqual([date, datetime]);
  });

  it.each([
    ['dd.mm.yyyy', '5.03.2024', 'a day of one digit'],
    ['dd.mm.yyyy', '05.03.2024 ', 'something behind it'],
    ['dd.mm.yyyy', 'x05.03.2024', 'something before it'],
    ['dd.mm.yyyy', '05x03x2024', 'other separators'],
    ['dd.mm.yyyy', '31.02.2024', 'a day that no month has'],
    ['dd.mm.yyyy', '29.02.2023', 'a day that no year has'],
    ['dd.mm.yyyy', '00.03.2024', 'no day'],
    ['dd.mm.yyyy', '05.13.2024', 'a thirteenth month'],
    ['dd-mmm-yyyy', '05-mrz-2024', 'a month in another language'],
    ['dd/mm/yyyy HH:MM', '05/03/2024 24:00', 'an hour that no day has'],
    ['dd/mm/yyyy HH:MM', '05/03/2024 12:60', 'a minute that no hour has'],
    ['dd/mm/yyyy hh:MM tt', '05/03/2024 00:10 am', 'hour 0 of half a day'],
    ['dd/mm/yyyy hh:MM tt', '05/03/2024 13:10 pm', 'hour 13 of half a day'],
  ])('%s does not read %s: %s', (pattern, text) => {
    expect(read(pattern, text)).toEqual([undefined, undefined]);
  });

  it.each([
    ['2024-03-05 07:09+15:00', 'hours that no zone has'],
    ['2024-03-05 07:09+02:60', 'minutes that no hour has'],
  ])('reads no instant of %s: %s', (text) => {
    expect(read('yyyy-mm-dd HH:MMZZ', text)).toEqual(['2024-03-05', undefined]);
  });

  it('knows the names of all months', () => {
    const names = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
    const read = names.map((name) => dateFormat('dd mmm yyyy')?.date(`03 ${name} 2024`));
    expect(read).toEqual(names.map((_, at) => `2024-${String(at + 1).padStart(2, '0')}-03`));
  });

  it.each([
    ['00', '2000'],
    ['69', '2069'],
    ['70', '1970'],
    ['99', '1999'],
  ])('takes the year %s for %s', (short, year) => {
    expect(read('dd.mm.yy', `01.02.${short}`)[0]).toBe(`${year}-02-01`);
  });

  it.each([
    ['令和6年3月5日', '2024-03-05'],
    ['令和元年5月1日', '2019-05-01'],
    ['昭和64年1月7日', '1989-01-07'],
  ])('with an era reads %s', (text, date) => {
    expect(read('Gy年m月d日', text)[0]).toBe(date);
  });

  it.each([
    ['', 'nothing'],
    ['yyyy-mm', 'no day'],
    ['mm-dd', 'no year'],
    ['yyyy-dd', 'no month'],
    ['yyyy-mm-dd dd', 'a day twice'],
    ['yyyy-mm-dd x', 'a letter without a meaning'],
    ['yyyy-mm-d1', 'a digit'],
    ['yyyy-mm-dd hh:MM', 'half a day, and nothing says which'],
    ['yyyy-mm-dd HH:MM tt', 'a whole day, and which half it is'],
    ['GGyy-mm-dd', 'an era twice'],
  ])('is not %s: %s', (pattern) => {
    expect(dateFormat(pattern)).toBeUndefined();
  });

  it.each([
    ['yyyy-mm-dd', false, false],
    ['yyyy-mm-dd HH:MM', false, true],
    ['yyyy-mm-ddTHH:MM:SSZ', true, true],
    ['yyyy-mm-dd HH:MMZZ', true, true],
  ])('%s has an offset: %s, a time: %s', (pattern, hasOffset, hasTime) => {
    expect(dateFormat(pattern)).toMatchObject({ pattern, hasOffset, hasTime });
  });

  it.each(['.', '*', '+', '?', '^', '$', '(', ')', '|', '[', ']', '\\', '{', '}'])(
    'takes the separator %s as it is',
    (mark) => {
      expect(read(`dd${mark}mm${mark}yyyy`, `05${mark}03${mark}2024`)[0]).toBe('2024-03-05');
      expect(read(`dd${mark}mm${mark}yyyy`, '05-03-2024')[0]).toBeUndefined();
    },
  );
});

describe("the interface's own formats", () => {
  it('read a date, and its midnight', () => {
    expect(isoDate.date('2024-03-05')).toBe('2024-03-05');
    expect(isoDate.datetime('2024-03-05')).toBe('2024-03-05T00:00:00Z');
    for (const text of ['2024-02-30', '2024-3-05', '2024-03-05T00:00:00Z', ''])
      expect([isoDate.date(text), isoDate.datetime(text)]).toEqual([undefined, undefined]);
    expect(isoDate).toMatchObject({ pattern: 'yyyy-mm-dd', hasOffset: false, hasTime: false });
  });

  it('read a datetime, and its day', () => {
    expect(isoDatetime.date('2024-03-05T07:09:01Z')).toBe('2024-03-05');
    expect(isoDatetime.datetime('2024-03-05T07:09:01Z')).toBe('2024-03-05T07:09:01Z');
    for (const text of ['2024-03-05', '2024-03-05T25:00:00Z'])
      expect([isoDatetime.date(text), isoDatetime.datetime(text)]).toEqual([undefined, undefined]);
    expect(isoDatetime).toMatchObject({ pattern: 'yyyy-mm-ddTHH:MM:SSZ', hasOffset: true, hasTime: true });
  });
});

describe('several formats', () => {
  const [day, american, timed, offset] = [
    'dd/mm/yyyy',
    'mm/dd/yyyy',
    'dd/mm/yyyy HH:MM',
    'yyyy-mm-dd HH:MMZZ',
  ].map((pattern) => dateFormat(pattern)!);

  it('read a text in the one that it has, and none that two read as different days', () => {
    const either = anyDateFormat([day!, american!]);
    expect(either.pattern).toBe('dd/mm/yyyy or mm/dd/yyyy');
    expect(either.date('25/03/2024')).toBe('2024-03-25');
    expect(either.date('03/25/2024')).toBe('2024-03-25');
    expect(either.date('03/03/2024')).toBe('2024-03-03');
    expect(either.date('03/04/2024')).toBeUndefined();
    expect(either.datetime('25/03/2024')).toBe('2024-03-25T00:00:00Z');
    expect(either.date('25.03.2024')).toBeUndefined();
  });

  it('have an offset if all do, and a time if one does', () => {
    expect(anyDateFormat([day!, timed!])).toMatchObject({ hasOffset: false, hasTime: true });
    expect(anyDateFormat([offset!, timed!])).toMatchObject({ hasOffset: false, hasTime: true });
    expect(anyDateFormat([offset!])).toMatchObject({ hasOffset: true });
    expect(anyDateFormat([day!])).toMatchObject({ hasTime: false });
  });
});

describe('a zone', () => {
  /** Two hours before UTC, where 08.09.2024 begins at 1:00. */
  const toUtc = (local: string): string | undefined =>
    local.startsWith('2024-09-08T00')
      ? undefined
      : `${new Date(Date.parse(local) + 7_200_000).toISOString().slice(0, 19)}Z`;

  it('is that of a text without an offset', () => {
    const timed = inZone(dateFormat('dd/mm/yyyy HH:MM')!, toUtc);
    expect(timed.datetime('05/03/2024 10:00')).toBe('2024-03-05T12:00:00Z');
    expect(timed.datetime('no date')).toBeUndefined();
    expect(timed.date('05/03/2024 23:00')).toBe('2024-03-05');
    expect(inZone(dateFormat('yyyy-mm-dd HH:MMZZ')!, toUtc).datetime('2024-03-05 10:00+01:00')).toBe(
      '2024-03-05T09:00:00Z',
    );
  });

  it('has a first time of each day, also of one whose midnight it skips', () => {
    const days = inZone(dateFormat('dd/mm/yyyy')!, toUtc);
    expect(days.datetime('07/09/2024')).toBe('2024-09-07T02:00:00Z');
    expect(days.datetime('08/09/2024')).toBe('2024-09-08T03:00:00Z');
    expect(inZone(dateFormat('dd/mm/yyyy')!, () => undefined).datetime('08/09/2024')).toBeUndefined();
  });

  it('is that of each of several formats', () => {
    const either = inZone(anyDateFormat([dateFormat('dd/mm/yyyy HH:MM')!, dateFormat('dd/mm/yyyy')!]), toUtc);
    expect(either.datetime('05/03/2024 10:00')).toBe('2024-03-05T12:00:00Z');
    expect(either.datetime('08/09/2024')).toBe('2024-09-08T03:00:00Z');
  });
});

describe('a typed date', () => {
  const zone = {
    toUtc: (local: string) => `${new Date(Date.parse(local) - 3_600_000).toISOString().slice(0, 19)}Z`,
    toLocal: (utc: string) => `${new Date(Date.parse(utc) + 3_600_000).toISOString().slice(0, 19)}Z`,
  } as Parameters<typeof dayOf>[1];

  it.each([
    ['2024-03-05', '2024-03-05', true],
    ['2024-03-05T00:00:00', '2024-03-05', true],
    ['2024-03-05T00:00:00.000', '2024-03-05', true],
    ['2024-03-05T00:00:00.001', '2024-03-05', false],
    ['2024-03-05T10:00:00', '2024-03-05', false],
    ['2024-03-05T23:00:00Z', '2024-03-06', true],
    ['2024-03-05T23:00:00.5Z', '2024-03-06', false],
    ['2024-02-30', undefined, true],
  ])('%s is of the day %s, at midnight: %s', (text, day, isMidnight) => {
    expect(dayOf(new TypedDate(text), zone)).toEqual({ day, isMidnight });
  });

  it('in UTC is of its own day where no zone is known', () => {
    expect(dayOf(new TypedDate('2024-03-05T23:00:00Z'), undefined).day).toBe('2024-03-05');
  });

  it.each([
    ['2024-03-05', '2024-03-04T23:00:00Z'],
    ['2024-03-05T10:00:00.5', '2024-03-05T09:00:00Z'],
    ['2024-03-05T10:00:00Z', '2024-03-05T10:00:00Z'],
    ['2024-02-30', undefined],
  ])('%s is the instant %s', (text, instant) => {
    expect(instantOf(new TypedDate(text), zone?.toUtc)).toBe(instant);
  });

  it('is no instant at a time that a zone skips, unless it is a day', () => {
    const skips = (local: string) => (local.includes('T00') ? undefined : local);
    expect(instantOf(new TypedDate('2024-03-05T00:30:00'), skips)).toBeUndefined();
    expect(instantOf(new TypedDate('2024-03-05'), skips)).toBe('2024-03-05T01:00:00Z');
  });

  it('is the instant that it names where no zone is known', () => {
    expect(instantOf(new TypedDate('2024-03-05'), undefined)).toBe('2024-03-05T00:00:00Z');
  });
});
