import { describe, expect, it } from 'vitest';
import { builtInFormat, shownBy } from '../../src/source/formats/xlsx/number-format.ts';

/** The formats that workbooks do not spell out, by what they show: ISO/IEC 29500, part 1, section 18.8.30. */
const ranges = [
  [0, 13, undefined],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [23, 26, undefined],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [37, 44, undefined],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [48, 49, undefined],
  [50, 58, 'date'],
  [59, 200, undefined],
] as const;

describe('a number format that a workbook does not spell out', () => {
  it.each(ranges)('%i to %i shows %s', (first, last, shown) => {
    for (let id = first; id <= last; id += 1) expect([id, builtInFormat(id)]).toEqual([id, shown]);
  });
});

describe('a format code', () => {
  it.each([
    ['yyyy', 'date'],
    ['dd', 'date'],
    ['mmm', 'date'],
    ['DD.MM.YYYY', 'date'],
    ['dd.mm.yyyy hh:mm', 'datetime'],
    ['d/m h', 'datetime'],
    ['yyyy s', 'datetime'],
    ['hh:mm', 'time'],
    ['mm:ss', 'time'],
    ['h AM/PM', 'time'],
    ['dd A/P', 'datetime'],
    ['am/pm', 'time'],
    ['[h]:mm', 'duration'],
    ['[hh]', 'duration'],
    ['[HH]:mm', 'duration'],
    ['[mm]:ss', 'duration'],
    ['[m]', 'duration'],
    ['[s]', 'duration'],
    ['[ss].00', 'duration'],
    ['d [h]', 'datetime'],
  ])('%s shows a %s', (code, shown) => {
    expect(shownBy(code)).toBe(shown);
  });

  it.each([
    ['0 "days"', 'a quoted text'],
    ['0 \\d', 'an escaped character'],
    ['0_d', 'the width of a character'],
    ['0*y', 'a fill character'],
    ['[Red]0', 'a colour'],
    ['[$-de-DE]0', 'a language'],
    ['[>=100]0', 'a condition'],
    ['0;dd.mm.yyyy', 'what negative numbers look like'],
    ['General', 'the general format'],
    ['standard', 'the general format, in German'],
    ['0.00', 'digits'],
  ])('%s shows no date for %s', (code) => {
    expect(['date', 'datetime', 'time', 'duration']).not.toContain(shownBy(code));
  });

  it.each([
    ['"Stand "dd.mm.yyyy', 'date'],
    ['[Red][>1]dd.mm', 'date'],
    ['[$-409]h:mm AM/PM', 'time'],
    ['dd.mm.yyyy;@', 'date'],
    ['"a" yyyy "b"', 'date'],
  ])('%s shows a %s beside what is no part of it', (code, shown) => {
    expect(shownBy(code)).toBe(shown);
  });
});
