import { dateFormat } from '../date-format.ts';
import { decimalFormat } from '../decimal-format.ts';

/** What the sampled texts of a column look like. */
export type ColumnGuess =
  | { readonly kind: 'empty' | 'text' | 'time of day' | 'whole number' }
  | { readonly kind: 'amount'; readonly mark: string; readonly thousands: string }
  /** `also`: another format that all of them fit, and by which one of them is another day. */
  | { readonly kind: 'date' | 'datetime'; readonly pattern: string; readonly also?: string }
  | { readonly kind: 'code'; readonly codes: readonly string[] };

const dates = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yyyy', 'd.m.yyyy', 'dd-mm-yyyy', 'yyyymmdd'];
const times = ['HH:MM', 'HH:MM:SS', 'HH:MM:SS.f'];
const patterns = [
  ...dates.map((pattern) => ({ kind: 'date' as const, pattern })),
  ...['yyyy-mm-ddTHH:MM:SSZ', 'yyyy-mm-ddTHH:MM:SSZZ', 'yyyy-mm-ddTHH:MM:SS'].map((pattern) => ({
    kind: 'datetime' as const,
    pattern,
  })),
  ...dates.flatMap((date) =>
    times.map((time) => ({ kind: 'datetime' as const, pattern: `${date} ${time}` })),
  ),
].map((known) => ({ ...known, format: dateFormat(known.pattern) }));

const decimals = [
  { mark: '.', thousands: '' },
  { mark: ',', thousands: '' },
  { mark: ',', thousands: '.' },
  { mark: '.', thousands: ',' },
].map((written) => ({ ...written, read: decimalFormat(written.mark, written.thousands) }));

/** Texts that old systems write where there is nothing. */
const sentinels = new Set(
  [
    'NULL',
    '\\N',
    'N/A',
    '0000-00-00',
    '00.00.0000',
    '31.12.9999',
    '31/12/9999',
    '9999-12-31',
    '99991231',
  ].map((text) => text.toLowerCase()),
);

export function isSentinel(text: string): boolean {
  return sentinels.has(text.toLowerCase());
}

/** Guesses from a sample of a column's texts. */
export function guessColumn(texts: readonly string[]): ColumnGuess {
  const filled = texts.filter((text) => text !== '' && !isSentinel(text));
  if (filled.length === 0) return { kind: 'empty' };
  const [date, ...others] = patterns.filter(
    ({ format }) => format !== undefined && filled.every((text) => format.datetime(text) !== undefined),
  );
  const also = others.find(({ format }) =>
    filled.some((text) => format?.datetime(text) !== date?.format?.datetime(text)),
  );
  // Eight digits are a date only among several that all are one.
  if (date !== undefined && !(date.pattern === 'yyyymmdd' && filled.length < 5))
    return { kind: date.kind, pattern: date.pattern, ...(also === undefined ? {} : { also: also.pattern }) };
  if (filled.every((text) => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text))) return { kind: 'time of day' };
  const distinct = [...new Set(filled)];
  const isCode = distinct.length <= 12 && distinct.length * 3 <= filled.length;
  if (isCode && distinct.every((text) => text.length <= 4)) return { kind: 'code', codes: distinct.sort() };
  if (filled.every((text) => /^\d+$/.test(text)))
    return filled.some((text) => /^0\d/.test(text)) ? { kind: 'text' } : { kind: 'whole number' };
  const decimal = decimals.find(({ read }) => filled.every((text) => read(text) !== undefined));
  if (decimal !== undefined) return { kind: 'amount', mark: decimal.mark, thousands: decimal.thousands };
  return { kind: 'text' };
}

/** The guess in words. Codes are shown, texts of customers never. */
export function inWords(guess: ColumnGuess): string {
  switch (guess.kind) {
    case 'date':
    case 'datetime': {
      const doubt = guess.also === undefined ? '' : `; ${guess.also} would fit too: ask`;
      return `${guess.kind}, ${guess.pattern}${doubt}`;
    }
    case 'code':
      return `code: ${guess.codes.map((code) => JSON.stringify(code)).join(', ')}`;
    case 'empty':
      return 'empty in the rows that were looked at';
    default:
      return guess.kind;
  }
}
