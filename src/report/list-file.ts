import type * as library from 'csv-stringify/sync';
import { lazily, load } from '../domain/lazily.ts';
import { isoTime } from './format.ts';
import { placesOf, type ListedPart } from './listed-part.ts';
import { rulingColumns, type RulingColumn } from './ruling-columns.ts';
import { spreadsheetCell } from './spreadsheet-cell.ts';

const csvStringify = lazily(() => load('csv-stringify/sync') as typeof library);

/** The head of the list, as a line of CSV. */
export const listHeader = `${rulingColumns.join(',')}\n`;

/** One line of the list as CSV for a spreadsheet; a person fills in `ruling` and `number`. */
export function listLine(line: ListedPart): string {
  const { account, supplier, state, code, step, part, partState, sentAt, attempts } = line;
  const record: Readonly<Record<RulingColumn, string | number>> = {
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
  };
  return csvStringify().stringify([record], {
    columns: [...rulingColumns],
    cast: { string: spreadsheetCell },
  });
}
