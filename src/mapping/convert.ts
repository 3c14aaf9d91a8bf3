import { place } from '../domain/cell.ts';
import { internationalPhone } from '../contract/phone-number.ts';
import type { FieldKind } from '../contract/schemas/fields.ts';
import { isAmountText, parseDecimal } from '../domain/decimal.ts';
import { ExactNumber, isJsonObject, numberText, parseJson, type JsonValue } from '../domain/json.ts';
import { TypedDate, TypedNumber, withoutType, type CellValue } from '../domain/typed-value.ts';
import type { TimeZone } from '../domain/time-zone.ts';
import { dayOf, instantOf, isoDate, isoDatetime, type DateFormat } from './date-format.ts';
import type { CodeValue } from './code-value.ts';
import { notDecimal, plainDecimal, type DecimalFormat } from './decimal-format.ts';

/** Why a cell cannot become a value of its field. Contains nothing of the cell itself. */
export class Fault {
  readonly code: string;
  readonly detail: string;
  /** If several columns make the value: the one at fault. */
  readonly source: number | undefined;

  constructor(code: string, detail: string, source?: number) {
    this.code = code;
    this.detail = detail;
    this.source = source;
  }
}

/** Makes a field's value from a cell's value; never called for an empty cell. */
export type Convert = (raw: CellValue) => JsonValue | Fault;

/** How an export writes values that have no type of their own in a text file. */
export interface Formats {
  readonly dates: DateFormat;
  readonly datetimes: DateFormat;
  readonly decimal: DecimalFormat;
  readonly typed: TypedDates;
}

/** How typed dates are taken, to which formats do not apply. */
export interface TypedDates {
  /** The zone of those with a time, and of the day of those in UTC; UTC if absent. */
  readonly zone?: TimeZone | undefined;
  /** Whether a date may lose its time of day. */
  readonly mayLose: boolean;
  /** Whether the format of dates has a time: a time of day in the zone may be dropped. */
  readonly isTimed: boolean;
}

/** The interface's own forms (section 2.1). */
export const interfaceFormats: Formats = {
  dates: isoDate,
  datetimes: isoDatetime,
  decimal: plainDecimal,
  typed: { mayLose: false, isTimed: false },
};

/** The conversion into a field of this kind (sections 2.1 to 2.11). */
export function convertTo(kind: FieldKind, formats: Formats): Convert {
  switch (kind) {
    case 'string':
      return orFault(textOf, 'invalid', 'A text is required.');
    case 'date':
      return dateConvert(
        'invalid_date',
        formats.dates,
        (text) => formats.dates.date(text) ?? timedAs(formats.datetimes, text),
        (date) => dayFrom(date, formats.typed),
      );
    case 'datetime':
      return dateConvert(
        'invalid_datetime',
        formats.datetimes,
        (text) => formats.datetimes.datetime(text),
        (date) => instantOf(date, formats.typed.zone?.toUtc),
        formats.typed.zone === undefined || formats.datetimes.hasOffset ? '' : skipped,
      );
    case 'boolean':
      return orFault(booleanOf, 'invalid_boolean', 'Write true or false, or give the mapping a code table.');
    case 'number':
      return amountConvert(formats.decimal, toNumber);
    case 'decimal-string':
      return amountConvert(formats.decimal, (plain) => plain);
    case 'amount':
      // Both forms of an amount are allowed (section 2.1), so a number from a JSON source stays a number.
      return amountConvert(formats.decimal, (plain, raw) => (isJsonNumber(raw) ? raw : plain));
    case 'decimal':
      return orFault(
        (raw) => {
          const plain = typeof raw === 'string' ? formats.decimal(raw) : numberText(raw);
          return plain === undefined || !isJsonNumber(raw) ? plain : raw;
        },
        'invalid_amount',
        notDecimal(formats.decimal, 'of any length'),
      );
    case 'json-object':
      return orFault(objectOf, 'invalid_json', 'A JSON object is required, such as {"key": "value"}.');
    case 'json-list':
      return orFault(listOf, 'invalid_json', 'A JSON array is required, such as [{"key": "value"}].');
    case 'json':
      return withoutType;
  }
}

/** Converts with a code table; an unknown code is a fault that names the known ones. */
export function convertByCodes(codes: ReadonlyMap<string, JsonValue>): Convert {
  const known = [...codes.keys()].join(', ');
  const detail = `The mapping's code table has no such code (it has ${known}). Correct the cell or add the code.`;
  return orFault((raw) => codeOf(raw, codes), 'unknown_code', detail);
}

/** Converts with a code table in a file, whose values are in the interface's own form. */
export function convertByLookup(
  kind: FieldKind,
  file: string,
  codes: ReadonlyMap<string, CodeValue>,
): Convert {
  const convert = convertTo(kind, interfaceFormats);
  const unknown = new Fault(
    'unknown_code',
    `${file} has no such code. Correct the cell, or add the code there.`,
  );
  return (raw) => {
    const found = codeOf(raw, codes);
    if (found === undefined) return unknown;
    const value = convert(found.text);
    if (!(value instanceof Fault)) return value;
    return new Fault(
      value.code,
      `The value of this code does not fit the field. Correct it at ${place(found.cell)}.`,
    );
  };
}

/**
 * A phone number in international form; a number without a prefix belongs to this country. `mayLose`: an extension is
 * left out. Without a country, it must have a prefix.
 */
export function convertPhone(country: string | undefined, mayLose: boolean): Convert {
  const invalid = new Fault(
    'invalid_phone_number',
    country === undefined
      ? 'Not a valid international phone number. Begin it with + and the code of its country.'
      : `Not a valid ${country} phone number; begin a number of another country with + and its code.`,
  );
  return (raw) => {
    const text = textOf(raw);
    if (text === undefined) return invalid;
    const read = internationalPhone(text, country);
    if ('number' in read) return read.extension === undefined || mayLose ? read.number : extensionLost;
    switch (read.fault) {
      case 'decimal':
        return decimalPhone;
      case 'several':
        return severalPhones;
      case 'invalid':
        return invalid;
    }
  };
}

const severalPhones = new Fault(
  'invalid_phone_number',
  'The cell may hold two phone numbers, or an extension behind a slash. Keep one number, or take it with match in the mapping.',
);

const decimalPhone = new Fault(
  'invalid_phone_number',
  'A program wrote this phone number as a decimal number, so that its last digits are not its own. ' +
    'Export the column as text, or remove the decimal part with replace in the mapping.',
);

const extensionLost = new Fault(
  'lossy_conversion',
  'The number has an extension, for which the field has no place. Remove it, take the number with match in the mapping, ' +
    'or allow it with may_lose: true.',
);

/** An amount of a currency (ISO 4217) in its minor units: 12.50 EUR is 1250. One with a fraction of a unit is a fault. */
export function convertMinorUnits(currency: string, formats: Formats): Convert {
  const { maximumFractionDigits: places = 0 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const unreadable = new Fault('invalid_amount', notDecimal(formats.decimal, 'of any length'));
  const fraction = new Fault(
    'invalid_amount',
    `${currency} has ${places} decimal places, but this has more.`,
  );
  return (raw) => {
    const plain = typeof raw === 'string' ? formats.decimal(raw) : numberText(raw);
    const amount = plain === undefined ? undefined : parseDecimal(plain);
    if (amount === undefined) return unreadable;
    const units = amount.times(10 ** places);
    return units.eq(units.round()) ? parseJson(units.toFixed()) : fraction;
  };
}

/** The day of a typed date. Dropping a time of day needs the mapping's consent. The day of a time in UTC depends on the zone. */
function dayFrom(date: TypedDate, { zone, mayLose, isTimed }: TypedDates): string | Fault | undefined {
  const { day, isMidnight } = dayOf(date, zone);
  if (isMidnight || mayLose) return day;
  if (!date.isUtc) return isTimed ? day : timeLost;
  return isTimed && zone !== undefined ? day : utcTimeLost;
}

const timeLost = new Fault(
  'lossy_conversion',
  'The cell has a time of day, which a date would lose. Correct the cell, or allow it in the mapping with may_lose: true.',
);

const utcTimeLost = new Fault(
  'lossy_conversion',
  "The cell has a time in UTC that is not midnight in the mapping's zone, and a date would lose it. " +
    'State the zone in which it is midnight, or allow it in the mapping with may_lose: true.',
);

function orFault(
  read: (raw: CellValue) => JsonValue | Fault | undefined,
  code: string,
  detail: string,
): Convert {
  const fault = new Fault(code, detail);
  return (raw) => read(raw) ?? fault;
}

/** Whether a source has the number as a JSON number, and so may a payload. */
function isJsonNumber(raw: CellValue): raw is number | ExactNumber {
  return typeof raw === 'number' || (raw instanceof ExactNumber && !(raw instanceof TypedNumber));
}

function textOf(raw: CellValue): string | undefined {
  return numberText(withoutType(raw));
}

/** What a code table has for a cell's code. */
export function codeOf<Meaning>(raw: CellValue, codes: ReadonlyMap<string, Meaning>): Meaning | undefined {
  const text = typeof raw === 'boolean' ? String(raw) : textOf(raw);
  return text === undefined ? undefined : codes.get(text);
}

function booleanOf(raw: CellValue): boolean | undefined {
  if (raw === true || raw === 'true') return true;
  return raw === false || raw === 'false' ? false : undefined;
}

function objectOf(raw: CellValue): JsonValue | undefined {
  const value = jsonOf(raw);
  return isJsonObject(value) ? value : undefined;
}

function listOf(raw: CellValue): JsonValue | undefined {
  const value = jsonOf(raw);
  return Array.isArray(value) ? value : undefined;
}

function jsonOf(raw: CellValue): JsonValue | undefined {
  const value = withoutType(raw);
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
}

/** Why a text that has a time of day is no date; undefined if it is none of the mapping's datetimes. */
function timedAs(format: DateFormat, text: string): Fault | undefined {
  if (format.date(text) === undefined) return undefined;
  return new Fault(
    'invalid_date',
    `This has a time of day, which a date would lose. Write date: '${format.pattern}' beside its column in the mapping, which keeps the day.`,
  );
}

const skipped = ", for example because the clocks of the mapping's zone skipped it";

function dateConvert(
  code: string,
  { pattern }: DateFormat,
  read: (text: string) => string | Fault | undefined,
  take: (date: TypedDate) => string | Fault | undefined,
  why = '',
): Convert {
  const detail = `This does not have the format ${pattern}, or does not exist${why}.`;
  return orFault(
    (raw) => {
      if (raw instanceof TypedDate) return take(raw);
      const text = textOf(raw);
      return text === undefined ? undefined : read(text);
    },
    code,
    detail,
  );
}

function amountConvert(format: DecimalFormat, write: (plain: string, raw: CellValue) => JsonValue): Convert {
  const unreadable = new Fault(
    'invalid_amount',
    notDecimal(format, 'with at most ten digits before and ten after the mark'),
  );
  return (raw) => {
    const plain = typeof raw === 'string' ? format(raw) : numberText(raw);
    if (plain !== undefined && isAmountText(plain)) return write(plain, raw);
    return raw instanceof TypedNumber ? tooManyDigits : unreadable;
  };
}

/** A number of a database or a workbook has no marks. */
const tooManyDigits = new Fault(
  'invalid_amount',
  'An amount has at most ten digits before and ten after the decimal point. Round the number where it is exported: ' +
    'in a query, with CAST to an exact type of two decimal places.',
);

/** A float represents fifteen digits exactly; longer numbers take the lossless path. */
function toNumber(plain: string, raw: CellValue): JsonValue {
  if (isJsonNumber(raw)) return raw;
  return plain.length <= 15 ? Number(plain) : parseJson(plain);
}
