export type ShownMoment = 'date' | 'datetime' | 'time';

/**
 * What a cell's number format makes of a number: a date or time, a minimum number of digits, or the number.
 */
export type Shown = ShownMoment | number | undefined;

/** The formats that a workbook does not spell out, by their numbers; those of East Asian languages among them. */
export function builtInFormat(id: number): Shown {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 34 && id <= 36) || (id >= 50 && id <= 58))
    return 'date';
  if (id === 22) return 'datetime';
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || (id >= 45 && id <= 47)) return 'time';
  return undefined;
}

/** Quoted and escaped texts, fill characters, colours and conditions; not the hours, minutes and seconds of a duration. */
const literal = /"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** What a format code shows, such as `dd.mm.yyyy hh:mm`. */
export function shownBy(code: string): Shown {
  const [first = ''] = code.replaceAll(literal, '').split(';');
  // Such a format is given to numbers that are names, such as postal codes.
  if (/^0{2,}$/.test(first)) return first.length;
  const letters = first.replaceAll(/AM\/PM|A\/P|general/gi, '').toLowerCase();
  const hasTime = /[hs]/.test(letters);
  // m is a minute only beside an hour or a second.
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime && !letters.includes('['));
  if (hasDate) return hasTime ? 'datetime' : 'date';
  return hasTime || /\[m+\]/.test(letters) ? 'time' : undefined;
}
