import type { Shown, ShownMoment } from './number-format.ts';
import { shownByPattern } from './number-pattern.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { WorkbookCell } from './sheet-cells.ts';

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
export function textOfCell(
  cell: WorkbookCell,
  { strings, formats, is1904 }: CellReading,
): string | CellFault {
  const { type, value, isFormula } = cell;
  if (isFormula && value === '' && type !== 'str' && type !== 'inlineStr')
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
      return Number(value) !== 0 && value.toLowerCase() !== 'false' ? 'true' : 'false';
    case 'e':
      return {
        code: 'cell_error',
        detail: `The cell has the error ${/^#[A-Z0-9/!?_]{2,30}$/.test(value) ? value : ''}. Correct it, or clear the cell.`,
      };
    case 'd':
      return isoText(value, formats[cell.style]);
    default:
      return numberShown(value, formats[cell.style], is1904);
  }
}

/** Whether a cell is a number or a date by its type, not by its text. */
export function isTyped({ type }: WorkbookCell): boolean {
  return !textTypes.has(type);
}

const textTypes: ReadonlySet<string> = new Set(['s', 'str', 'inlineStr', 'b', 'e']);

function numberShown(value: string, shown: Shown, is1904: boolean): string | CellFault {
  const text = numberText(value.trim());
  if (typeof text !== 'string') return text;
  if (shown === undefined) return text;
  if (typeof shown === 'string') return isoOf(Number(value), shown, is1904);
  return (
    shownByPattern(shown, text) ?? {
      code: 'number_not_shown',
      detail:
        'The format of the cell shows something else than the number that the cell holds. Enter what is meant as text.',
    }
  );
}

/** A moment that is stored as text, as some programs do. */
function isoText(value: string, shown: Shown): string {
  const text = value.replace(/\.0+$/, '');
  return shown === 'date' ? text.replace(/T00:00:00$/, '') : text;
}

/** A workbook keeps 15 digits of a number. */
export const digitsKept = 15;
const plain = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
const numeric = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The decimal text of a stored number, however the program that wrote it spells it (`1001.0`, `1.001E3`). */
function numberText(stored: string): string | CellFault {
  if (plain.test(stored) && stored.length <= digitsKept) return stored === '-0' ? '0' : stored;
  const number = Number(stored);
  if (!numeric.test(stored) || !Number.isFinite(number))
    return {
      code: 'not_a_number',
      detail: 'The cell is a number by its type, but does not hold one. Correct it, or enter it as text.',
    };
  if (Math.abs(number) >= 10 ** digitsKept)
    return {
      code: 'too_many_digits',
      detail:
        'The number has more than 15 digits, which a workbook does not keep exactly. Enter it as text, from a source that has all its digits.',
    };
  return shortest(number);
}

/** Without the digits that come of the binary form: 12.300000000000001 was entered as 12.3. */
function shortest(number: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(digitsKept - 1).split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '');
  if (digits === '') return '0';
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const day = 86_400_000;
/** Day 0 by the count of 1900 from 1 March 1900 on; the count of 1904 begins 1,462 days later. */
const epoch1900 = Date.UTC(1899, 11, 30);
const later1904 = 1462;
/** 31 December 9999. */
const lastDay = 2_958_465;
/** 1 March 1900: the count of 1900 has a 29 February 1900, and programs differ in what comes before. */
const firstCertain = 61;

/** A number that cannot be shown as a date. */
interface NoDate {
  readonly code: string;
  readonly detail: string;
}

/** The date, the time or both of a number of days, by ISO 8601. */
function isoOf(days: number, shown: ShownMoment, is1904: boolean): string | NoDate {
  // A format of hours and minutes can hide a date; only one of all hours counts them from zero.
  if ((shown === 'duration' && days >= 0 && days < lastDay) || (shown === 'time' && days >= 0 && days < 1))
    return timeOf(Math.round(days * day));
  const count = is1904 ? days + later1904 : days;
  if (days < 0 || count >= lastDay + 1)
    return {
      code: 'date_out_of_range',
      detail: 'The cell has a date format, but its number is not a date. Correct the cell or its format.',
    };
  if (!is1904 && days < firstCertain)
    return {
      code: 'ambiguous_date',
      detail:
        'Programs show different days for dates before 1 March 1900. Write the date as text, such as 1900-02-28, or clear the cell.',
    };
  // A day has fewer milliseconds than a number has digits for; what is beyond is an artefact.
  const moment = new Date(epoch1900 + Math.round(count * day)).toISOString();
  const time = moment.slice(11, 23);
  if (shown === 'date' && time === '00:00:00.000') return moment.slice(0, 10);
  return `${moment.slice(0, 10)}T${time.replace(/\.000$/, '')}`;
}

/** The number of days of a date with this text; undefined if it would not be read as this text again. */
export function daysOf(text: string, shown: ShownMoment): number | undefined {
  const days = (Date.parse(shown === 'date' ? text : `${text}Z`) - epoch1900) / day;
  // A UTC one, for example, is no text of a workbook.
  return Number.isFinite(days) && isoOf(days, shown, false) === text ? days : undefined;
}

/** A time of day, or a duration of more than a day. */
function timeOf(ms: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  const rest = ms % 1000;
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`;
}
