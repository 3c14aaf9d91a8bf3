import type * as library from 'csv-stringify/sync';
import { lazily, load } from '../domain/lazily.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { AccountEntry } from '../journal/journal.ts';
import { visibleText } from '../domain/foreign-text.ts';
import { isoTime } from './format.ts';
import { placesOf, type ListedPart } from './listed-part.ts';

/** The columns of the file that `migrate list --csv` writes and `migrate resolve --from` reads. */
const rulingColumns = [
  'account',
  'supplier',
  'state',
  'code',
  'step',
  'part',
  'part_state',
  'cells',
  'words',
  'sent_at',
  'attempts',
  'ruling',
  'number',
  'codes',
] as const;

/** Further columns, where the platform was asked. */
const listingColumns = ['platform_number', 'platform_created_at'] as const;

export type RulingColumn = (typeof rulingColumns)[number];

const csvStringify = lazily(() => load('csv-stringify/sync') as typeof library);

/** Some spreadsheets take a CSV without it for one in the encoding of their machine. */
export const byteOrderMark = '\ufeff';

/** The head of the list, as a line of CSV. */
export function listHeader(isRemote: boolean): string {
  return `${columnsOf(isRemote).join(',')}\n`;
}

/** `isRemote`: whether the platform was asked. */
function columnsOf(isRemote: boolean): readonly (RulingColumn | (typeof listingColumns)[number])[] {
  return isRemote ? [...rulingColumns, ...listingColumns] : rulingColumns;
}

/** One line of the list as CSV for a spreadsheet; a person fills in `ruling` and `number`. */
export function listLine(line: ListedPart): string {
  const { account, supplier, state, code, step, part, partState, sentAt, attempts } = line;
  const record: Readonly<Record<RulingColumn | (typeof listingColumns)[number], string | number>> = {
    account,
    supplier,
    state,
    code,
    step: step ?? '',
    part: part === undefined ? '' : part + 1,
    part_state: partState ?? '',
    cells: placesOf(line).join('; '),
    words: line.words ?? '',
    sent_at: sentAt === undefined ? '' : isoTime(sentAt),
    attempts,
    ruling: '',
    number: '',
    codes: line.codes.join('; '),
    platform_number: line.listing?.krakenAccountNumber ?? '',
    platform_created_at: line.listing?.createdAt ?? '',
  };
  return csvStringify().stringify([record], {
    columns: [...columnsOf(line.listing !== undefined)],
    cast: { string: spreadsheetCell },
  });
}

/** What a spreadsheet takes for the beginning of a formula, including full-width characters. */
const formula = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** A text for a cell of a CSV that people open: no formula, and control characters but tabs and line ends shown as escapes. */
export function spreadsheetCell(text: string): string {
  return `${formula.test(text) ? "'" : ''}${text.replaceAll(/[^\t\r\n]+/g, visibleText)}`;
}

/** The same for a cell that may contain an amount: a plain number, even a negative one, stays a number. */
export function spreadsheetValue(text: string): string {
  return plainNumber.test(text) ? text : spreadsheetCell(text);
}

/** Whether a cell is how `spreadsheetCell` writes a text that would be a formula. */
export function isSpreadsheetCellOf(cell: string, text: string): boolean {
  return cell.startsWith("'") && spreadsheetCell(text) === cell;
}

const numberColumns = ['import_supplier', 'external_account_number', 'kraken_account_number'];

/** The head of the list of old and new account numbers, as a line of CSV. */
export const numbersHeader = `${numberColumns.join(',')}\n`;

const meterPointColumns = ['import_supplier', 'external_account_number', 'mpxn', 'status'];

/** The head of the list of meter points, as a line of CSV. */
export const meterPointsHeader = `${meterPointColumns.join(',')}\n`;

/** A meter point of an account as a line of CSV. */
export function meterPointLine(
  key: AccountKey,
  point: { readonly mpxn: string; readonly status: string },
): string {
  return csvStringify().stringify([[key.supplier, key.account, point.mpxn, point.status]], {
    cast: { string: spreadsheetCell },
  });
}

/** One account's old and new number as a line of CSV; `isExact`: for programs, with no cell protected. */
export function numbersLine({ key, krakenAccountNumber }: AccountEntry, isExact: boolean): string {
  return csvStringify().stringify([[key.supplier, key.account, krakenAccountNumber]], {
    ...(isExact ? {} : { cast: { string: spreadsheetCell } }),
  });
}
