import { dateFormat } from '../date-format.ts';
import { decimalFormat, type SignPlace } from '../decimal-format.ts';

/** What the sampled texts of a column look like. */
export type ColumnGuess =
  | { readonly kind: 'empty' | 'text' | 'time of day' | 'whole number' }
  /** `odd`: how many of them do not. */
  /** `signs`: where negative ones have their sign; empty if all are positive. */
  | {
      readonly kind: 'amount';
      readonly mark: string;
      readonly thousands: string;
      readonly signs: readonly SignPlace[];
      readonly odd: number;
    }
  /** `pattern`: empty if the type says that it is a date, whatever its text. `also`: another format that fits all of them, and reads at least one as another day. */
  | {
      readonly kind: 'date' | 'datetime';
      readonly pattern: string;
      readonly also?: string | undefined;
      readonly odd: number;
    }
  | { readonly kind: 'code'; readonly codes: readonly string[] };

const dates = [
  'yyyy-mm-dd',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'dd.mm.yyyy',
  'd.m.yyyy',
  'd. m. yyyy',
  'dd-mm-yyyy',
  'yyyymmdd',
  'dd/mm/yy',
  'mm/dd/yy',
  'dd.mm.yy',
  'dd-mm-yy',
];
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
  // A blank of any kind, and the apostrophes of Switzerland.
  ...[' ', "'", '\u2019'].flatMap((thousands) => [',', '.'].map((mark) => ({ mark, thousands }))),
].map((written) => ({
  ...written,
  read: decimalFormat(written.mark, written.thousands, ['leading', 'trailing', 'brackets']),
}));

/** Texts that old systems write for an empty value. */
const sentinels: ReadonlySet<string> = new Set([
  // Null is a family name.
  ...['NULL', 'null', '\\N', 'N/A', 'n/a'],
  ...['0000-00-00', '00.00.0000', '31.12.9999', '31/12/9999', '9999-12-31', '99991231'],
]);

export function isSentinel(text: string): boolean {
  return sentinels.has(text);
}

/** Guesses from a sample of a column's texts. A few errors in the export do not prevent a guess. */
export function guessColumn(texts: readonly string[]): ColumnGuess {
  const filled = texts.filter((text) => text !== '' && !isSentinel(text));
  if (filled.length === 0) return { kind: 'empty' };
  return guessDate(filled) ?? guessOther(filled);
}

function guessDate(filled: readonly string[]): ColumnGuess | undefined {
  const [date, ...others] = best(
    filled,
    patterns,
    ({ format }) =>
      (text) =>
        format?.datetime(text),
  );
  // Eight digits count as dates only if there are several and all are dates.
  if (date === undefined || (date.known.pattern === 'yyyymmdd' && filled.length < 5)) return undefined;
  const { kind, pattern, format } = date.known;
  const also = others.find(({ known }) =>
    filled.some((text) => known.format?.datetime(text) !== format?.datetime(text)),
  );
  return { kind, pattern, odd: date.odd, also: also?.known.pattern };
}

function guessOther(filled: readonly string[]): ColumnGuess {
  if (filled.every((text) => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text))) return { kind: 'time of day' };
  const [decimal] = best(filled, decimals, ({ read }) => read);
  const isWhole = filled.every((text) => /^\d+$/.test(text));
  if (decimal !== undefined && !isWhole) {
    const { mark, thousands, read } = decimal.known;
    const signs = signsIn(filled.filter((text) => read(text) !== undefined));
    // Without a decimal mark, `12-`, `(2)` and `75 001` may be anything.
    const isUsual = signs.every((sign) => sign === 'leading') && /^[.,]?$/.test(thousands);
    if (isUsual || filled.some((text) => text.includes(mark)))
      return { kind: 'amount', mark, thousands, signs, odd: decimal.odd };
  }
  const distinct = [...new Set(filled)];
  // Codes are shown, so what cannot be read is none.
  const isReadable = !distinct.some((text) => text.includes('\uFFFD'));
  const isCode = isReadable && distinct.length <= 12 && distinct.length * 3 <= filled.length;
  if (isCode && distinct.every((text) => text.length <= 4)) return { kind: 'code', codes: distinct.sort() };
  return { kind: isWhole && !filled.some((text) => /^0\d/.test(text)) ? 'whole number' : 'text' };
}

function signsIn(texts: readonly string[]): readonly SignPlace[] {
  const places: readonly (readonly [SignPlace, RegExp])[] = [
    ['leading', /^-/],
    ['trailing', /[-+]$/],
    ['brackets', /^\(/],
  ];
  return places.flatMap(([place, pattern]) => (texts.some((text) => pattern.test(text)) ? [place] : []));
}

/**
 * The candidate formats that fit most texts, and how many texts do not fit; none if more than one in ten does not
 * fit.
 */
function best<Way>(
  filled: readonly string[],
  ways: readonly Way[],
  readBy: (way: Way) => (text: string) => string | undefined,
): { readonly known: Way; readonly odd: number }[] {
  const counted = ways.map((known) => {
    const read = readBy(known);
    return { known, odd: filled.filter((text) => read(text) === undefined).length };
  });
  const fewest = Math.min(...counted.map(({ odd }) => odd));
  return fewest * 10 > filled.length ? [] : counted.filter(({ odd }) => odd === fewest);
}

/** The guess as text. Codes are shown; customers' texts never are. */
export function inWords(guess: ColumnGuess): string {
  switch (guess.kind) {
    case 'date':
    case 'datetime': {
      const doubt = guess.also === undefined ? '' : `; ${guess.also} also fits: ask`;
      return `${guess.kind}, ${guess.pattern}${doubt}${otherwise(guess)}`;
    }
    case 'amount':
      return `amount${otherwise(guess)}`;
    case 'code':
      return `code: ${guess.codes.map((code) => JSON.stringify(code)).join(', ')}`;
    case 'empty':
      return 'empty in the rows that were read';
    default:
      return guess.kind;
  }
}

function otherwise({ odd }: { readonly odd: number }): string {
  return odd === 0 ? '' : `; ${odd} of the rows that were read differ`;
}
