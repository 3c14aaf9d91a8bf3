/** Calendars whose years are counted in eras, and a locale that has the names of these. */
const calendars = [
  ['ja-JP', 'japanese'],
  ['zh-TW', 'roc'],
  ['th-TH', 'buddhist'],
] as const;

/** Other names, by the runtime's own. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  民國: ['中華民國', '民国', 'ROC'],
  'พ.ศ.': ['พ.ศ', 'พุทธศักราช', 'BE', 'B.E.'],
};

/** From then on, Japan has had the calendar that the runtime counts in. */
const firstYear = 1873;
const firstDay = '1873-01-01';
const lastYear = 2200;

interface Era {
  /** The year of the common era before its first one. */
  readonly before: number;
  /** Whether a day (YYYY-MM-DD) is in this year of the era. */
  readonly has: (day: string, count: number) => boolean;
}

let known: ReadonlyMap<string, Era> | undefined;

/** The eras by their names, in lower case: long ones, and single letters as in R6. */
function eras(): ReadonlyMap<string, Era> {
  if (known !== undefined) return known;
  const found = new Map<string, Era>();
  for (const [locale, calendar] of calendars) {
    const styles = ['long', 'short', 'narrow'] as const;
    const formats = styles.map((era) => new Intl.DateTimeFormat(`${locale}-u-ca-${calendar}`, { era, year: 'numeric', timeZone: 'UTC' })); // prettier-ignore
    for (let year = firstYear; year <= lastYear; year += 1) {
      const last = new Date(Date.UTC(year, 11, 31));
      for (const format of formats) {
        const { name, count } = eraAt(format, last);
        if (name === '' || count < 1) continue;
        const era: Era = {
          before: year - count,
          has: (day, of) => {
            const found = eraAt(format, new Date(`${day}T00:00:00Z`));
            return found.name === name && found.count === of && day >= firstDay;
          },
        };
        for (const one of [name, ...(otherNames[name] ?? [])])
          if (!found.has(one.toLowerCase())) found.set(one.toLowerCase(), era);
      }
    }
  }
  known = found;
  return found;
}

function eraAt(format: Intl.DateTimeFormat, at: Date): { readonly name: string; readonly count: number } {
  const parts = format.formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  // Its first year has a name.
  const year = part('year').replace(/\D/g, '');
  return { name: part('era').normalize('NFKC').trim(), count: year === '' ? 1 : Number(year) };
}

/** A regular expression for the name of an era. */
export function eraNames(): string {
  const names = [...eras().keys()].sort((one, other) => other.length - one.length);
  return names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
}

/**
 * The year of the common era of a year of an era, such as 6 of 令和; `元` is its first. The eras begin and end on a day, so that the day
 * is examined as well: undefined if it is none of the era.
 */
export function yearOfEra(era: string, year: string, monthAndDay: string): string | undefined {
  const found = eras().get(era.normalize('NFKC').toLowerCase());
  const count = year === '元' ? 1 : Number(year);
  if (found === undefined || count < 1) return undefined;
  const common = String(found.before + count).padStart(4, '0');
  const day = `${common}-${monthAndDay}`;
  return !Number.isNaN(Date.parse(day)) && found.has(day, count) ? common : undefined;
}
