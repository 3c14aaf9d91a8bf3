import { escapeControl } from './escape-control.ts';

/** What a spreadsheet takes for the beginning of a formula, also in full width. */
const formula = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** A text for a cell of a CSV that people open: no formula, and control characters but tabs and line ends shown as escapes. */
export function spreadsheetCell(text: string): string {
  return `${formula.test(text) ? "'" : ''}${text.replaceAll(/[^\t\r\n]+/g, escapeControl)}`;
}

/** The same of a cell that may hold an amount: a plain number, also a negative one, stays a number. */
export function spreadsheetValue(text: string): string {
  return plainNumber.test(text) ? text : spreadsheetCell(text);
}

/** Whether a cell is how `spreadsheetCell` writes a text that would be a formula. */
export function isSpreadsheetCellOf(cell: string, text: string): boolean {
  return cell.startsWith("'") && spreadsheetCell(text) === cell;
}
