import { currencyMarks, withoutCurrency } from './currency-marks.ts';

/** How an export writes decimals. */
export interface DecimalFormat {
  /** Reads a decimal into plain notation (`-1234.5`); undefined if it is not one. */
  (text: string): string | undefined;
  /** An example for messages. */
  readonly example: string;
}

/** Where a decimal has its minus sign. */
export type SignPlace = 'leading' | 'trailing' | 'brackets' | 'triangle';

/** A space, and those that do not break: of the usual width, narrow, and thin. */
const blanks = ' \u00A0\u202F\u2009';

const shown: Readonly<Record<SignPlace, (example: string) => string>> = {
  leading: (example) => example,
  trailing: (example) => `${example}-`,
  brackets: (example) => `(${example})`,
  triangle: (example) => `▲${example}`,
};

/** A hyphen, the sign of mathematics, and that of full width. */
const minus = /^[-\u2212\uff0d]\s*/u;
// Stryker disable next-line Regex: a sign that is not the last one is left over, and no number has one
const minusBehind = /[-\u2212\uff0d+]$/u;

/** The form that the interface itself uses. */
export const plainDecimal: DecimalFormat = decimalFormat('.', '');

/**
 * The decimals of an export. Thousands marks must separate groups of three digits: with `.` as thousands mark, `1.23`
 * is a fault, never 123. A blank as thousands mark stands for each kind of blank: they look alike. The sign has one of these places: `-1`, `1-` (or `1+`), `(1)` or `▲1`.
 * `currency`: its symbol, word or code may be beside the number.
 */
export function decimalFormat(
  mark: string,
  thousandsMark: string,
  signs: readonly SignPlace[] = ['leading'],
  currency?: string,
): DecimalFormat {
  const marks = currency === undefined ? [] : currencyMarks(currency);
  const thousands = blanks.includes(thousandsMark) ? `[${blanks}]` : escape(thousandsMark);
  const whole = thousandsMark === '' ? '\\d+' : `\\d{1,3}(?:${thousands}\\d{3})+|\\d+`;
  const pattern = new RegExp(`^(${whole})(?:${escape(mark)}(\\d+))?$`);
  // Stryker disable StringLiteral,ConditionalExpression: what the faster path leaves is read in the same way below
  const leading = signs.includes('leading') ? '-?' : '';
  const ungrouped = new RegExp(`^${leading}(?:0|[1-9]\\d*)(?:${escape(mark)}\\d+)?$`);
  const read = (text: string): string | undefined => {
    // A faster path for nearly every amount.
    if (ungrouped.test(text)) return mark === '.' ? text : text.replace(mark, '.');
    // Stryker restore StringLiteral,ConditionalExpression
    const bare = marks.length === 0 ? text : withoutCurrency(text.normalize('NFKC'), marks);
    const { sign, unsigned } = signOf(bare, signs);
    const match = pattern.exec(unsigned);
    if (match === null) return undefined;
    // Stryker disable next-line StringLiteral: this group is in every match
    const [, grouped = '', fraction] = match;
    const plain = grouped.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
    return fraction === undefined ? sign + plain : `${sign}${plain}.${fraction}`;
  };
  const example = `9${thousandsMark}876${mark}50`;
  const [first] = signs;
  const signed = shown[first ?? 'leading'](example);
  return Object.assign(read, { example: signed });
}

function signOf(
  text: string,
  signs: readonly SignPlace[],
): { readonly sign: '' | '-'; readonly unsigned: string } {
  if (signs.includes('leading') && minus.test(text)) return { sign: '-', unsigned: text.replace(minus, '') };
  if (signs.includes('triangle') && (text.startsWith('▲') || text.startsWith('△')))
    return { sign: '-', unsigned: text.slice(1).trimStart() };
  if (signs.includes('brackets') && text.startsWith('(') && text.endsWith(')'))
    return { sign: '-', unsigned: text.slice(1, -1).trim() };
  if (signs.includes('trailing') && minusBehind.test(text))
    return { sign: text.endsWith('+') ? '' : '-', unsigned: text.slice(0, -1).trimEnd() };
  return { sign: '', unsigned: text };
}

/** The message for a cell that is not such a decimal. */
export function notDecimal({ example }: DecimalFormat, more: string): string {
  return (
    `This is not a decimal in the format of the export, such as ${example}, ${more}. ` +
    'Correct it, or set decimal_mark, thousands_mark and sign under format in a mapping.'
  );
}

function escape(mark: string): string {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
