import { amountForm } from '../../domain/decimal.ts';
import type { ExactNumber, JsonObject } from '../../domain/json.ts';
import type { Schema } from './schema.ts';

/**
 * The kinds of scalar field that the interface knows (sections 2.1 to 2.12), and those that only a
 * tenancy's contract has: `decimal`, a number of any length, and `json-list`, an array as one text.
 */
export type FieldKind =
  'string' | 'date' | 'datetime' | 'boolean' | AmountForm | 'decimal' | 'json-object' | 'json-list' | 'json';

/** In which form the interface shows an amount; `amount` is both. Either is taken in each (section 2.1). */
export const amountForms = ['decimal-string', 'number', 'amount'] as const;
export type AmountForm = (typeof amountForms)[number];

/** An amount in a payload: a JSON number (with all its digits) or a decimal string (section 2.1). */
export type Amount = number | string | ExactNumber;

/** The keyword of an amount's form. */
export const formKeyword = 'x-form';

/** A text with at least one character that is seen. */
export const filledPattern = '\\S';

/** A UTC datetime, as YYYY-MM-DDTHH:MM:SSZ. */
export const datetimePattern = '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$';

const datetimeForm = new RegExp(datetimePattern);

/** A country as its two-letter code. */
export const countryFormat = 'country-code';

export const countryPattern = '^[A-Za-z]{2}$';
const countryForm = new RegExp(countryPattern);

export function hasCountryForm(text: string): boolean {
  return countryForm.test(text);
}

/** The codes that ISO 3166-1 gives to no country, such as XX, and the habits UK (GB) and EL (GR); XK is used for Kosovo. */
const noCountry = /^(?:AA|EL|Q[M-Z]|UK|X[A-JL-Z]|ZZ)$/i;

export function isCountry(text: string): boolean {
  return hasCountryForm(text) && !noCountry.test(text);
}

/** A calendar date that exists, as YYYY-MM-DD (section 2.1). */
export function isDate(text: string): boolean {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false;
  const [year, month, day] = [digitsOf(text, 0, 4), digitsOf(text, 5, 7), digitsOf(text, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysIn(year, month));
}

/** The number of these digits; NaN if one is not a digit. A regular expression is slower. */
function digitsOf(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** A UTC datetime that exists, as YYYY-MM-DDTHH:MM:SSZ (section 2.1). */
export function isDatetime(text: string): boolean {
  return hasDatetimeForm(text) && isDate(text.slice(0, 10));
}

export function hasDatetimeForm(text: string): boolean {
  return datetimeForm.test(text);
}

/** A string that is not blank: the interface omits a field rather than sending it empty (section 2). */
export function text(max?: number): Schema<string> {
  return { type: 'string', ...(max === undefined ? {} : { maxLength: max }), pattern: filledPattern };
}

/** A country as a two-letter code (section 2.3). */
export const country: Schema<string> = { type: 'string', format: countryFormat, pattern: countryPattern };

export const date: Schema<string> = { type: 'string', format: 'date' };

export const datetime: Schema<string> = { type: 'string', format: 'date-time', pattern: datetimePattern };

export const boolean: Schema<boolean> = { type: 'boolean' };

/** A decimal string, such as transfer_balance (section 2.3). A JSON number is taken too (section 2.1). */
export const decimalString = amountOf('decimal-string');

/** A JSON number, such as ledger_balance (section 2.3). A decimal string is taken too (section 2.1). */
export const number = amountOf('number');

/** A JSON number or a decimal string, such as a transaction's amount (section 2.6). */
export const amount = amountOf('amount');

function amountOf(form: AmountForm): Schema<Amount> {
  return {
    type: form === 'decimal-string' ? ['string', 'number'] : ['number', 'string'],
    format: 'decimal',
    pattern: amountForm.source,
    exclusiveMinimum: -(10 ** 10),
    exclusiveMaximum: 10 ** 10,
    [formKeyword]: form,
  };
}

/** Any JSON object, for fields that the interface passes on without defining them. */
export const jsonObject: Schema<JsonObject> = { type: 'object' };

/** An enumeration that the interface shows only by example: other values warn, they do not fail. */
export function open(values: readonly [string, ...string[]]): Schema<string> {
  return { ...text(), examples: [...values] };
}

/** An enumeration that the interface closes. */
export function oneOf<Value extends string>(values: readonly Value[]): Schema<Value> {
  return { type: 'string', enum: [...values] };
}
