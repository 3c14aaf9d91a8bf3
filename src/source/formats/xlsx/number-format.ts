import { patternOf, type NumberPattern } from './number-pattern.ts';

/** `time`: a time of day, or a moment whose date is not shown; `duration`: all hours, minutes or seconds from zero. */
export type ShownMoment = 'date' | 'datetime' | 'time' | 'duration';

/**
 * What a cell's number format makes of a number: a date or time, the characters of a number that is a name, or the number.
 */
export type Shown = ShownMoment | NumberPattern | undefined;

/** The formats that a workbook does not spell out, by their numbers; those of East Asian languages among them. */
export function builtInFormat(id: number): Shown {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 34 && id <= 36) || (id >= 50 && id <= 58))
    return 'date';
  if (id === 22) return 'datetime';
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || (id >= 45 && id <= 47)) return 'time';
  return undefined;
}

/** Quoted and escaped texts, fill characters, colours and conditions; not the hours, minutes and seconds of a duration. */
const literal = /"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** What a format code shows, such as `dd.mm.yyyy hh:mm`. */
export function shownBy(code: string): Shown {
  // Stryker disable next-line StringLiteral: whatever is split has a first part
  const [first = ''] = code.replaceAll(literal, '').split(';');
  const hasHalves = /AM\/PM|A\/P/i.test(first);
  const letters = first.replaceAll(/AM\/PM|A\/P|general|standard/gi, '').toLowerCase();
  const isDuration = /\[(?:h+|m+|s+)\]/.test(letters);
  const hasTime = hasHalves || isDuration || /[hs]/.test(letters);
  // m is a minute only beside an hour or a second.
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime);
  if (hasDate) return hasTime ? 'datetime' : 'date';
  if (isDuration) return 'duration';
  return hasTime ? 'time' : patternOf(code);
}
