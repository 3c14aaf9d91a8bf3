import type { Shown } from './number-format.ts';
import { numberText } from './number-text.ts';
import { isoOf } from './serial.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { StoredCell } from './sheet-cells.ts';

/** Why a cell cannot be read. */
export interface CellFault {
  readonly code: string;
  readonly detail: string;
}

/** What is needed to read a sheet's cells. */
export interface CellReading {
  readonly strings: SharedStrings;
  readonly formats: readonly Shown[];
  readonly is1904: boolean;
}

/** The text of a cell, as people see it, but in the same form in every language. Throws what SharedStrings throws. */
export function textOfCell(cell: StoredCell, { strings, formats, is1904 }: CellReading): string | CellFault {
  const { type, value, isFormula } = cell;
  if (isFormula && value === '' && type !== 'str')
    return {
      code: 'formula_without_value',
      detail:
        'The cell is a formula whose result was not saved. Open the workbook and save it, or put the value in place of the formula.',
    };
  switch (type) {
    case 's':
      return strings.at(Number(value));
    case 'str':
    case 'inlineStr':
      return value;
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      return {
        code: 'cell_error',
        detail: `The cell has the error ${/^#[A-Z0-9/!?_]{2,30}$/.test(value) ? value : ''}. Correct it, or empty the cell.`,
      };
    case 'd':
      return isoText(value, formats[cell.style]);
    default:
      return numberShown(value, formats[cell.style], is1904);
  }
}

function numberShown(value: string, shown: Shown, is1904: boolean): string | CellFault {
  const text = numberText(value);
  if (text === undefined)
    return {
      code: 'too_many_digits',
      detail:
        'The number has more than 15 digits, which a workbook does not keep exactly. Enter it as text, from where it is known.',
    };
  if (shown === undefined) return text;
  if (typeof shown === 'string') return isoOf(Number(value), shown, is1904);
  return /^\d+$/.test(text) ? text.padStart(shown, '0') : text;
}

/** A moment that is stored as text, as some programs do. */
function isoText(value: string, shown: Shown): string {
  const text = value.replace(/\.0+$/, '');
  return shown === 'date' ? text.replace(/T00:00:00$/, '') : text;
}
