import { z } from 'zod';
import { isAmountText } from '../../domain/decimal.ts';
import type { ExactNumber } from '../../domain/json.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';

/**
 * The kinds of scalar field that the interface knows (sections 2.1 to 2.12), and those that only a
 * tenancy's contract has: `decimal`, a number of any length, and `json-list`, an array as one text. Each schema carries its kind in
 * its metadata, so that the CSV source, the OpenAPI document and the generator can read it back.
 */
export type FieldKind =
  | 'string'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'decimal-string'
  | 'number'
  | 'amount'
  | 'decimal'
  | 'json-object'
  | 'json-list'
  | 'json';

/** An amount in a payload: a JSON number (with all its digits) or a decimal string (section 2.1). */
export type Amount = number | string | ExactNumber;

const datetimePattern = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

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
  const match = datetimePattern.exec(text);
  return match?.[1] !== undefined && isDate(match[1]);
}

/** The schemas that `text` makes, so that their requirements are known without the pattern. */
export const filledTexts = z.registry<object>();

/** A string that is not blank: the interface omits a field rather than sending it empty (section 2). */
export function text(max?: number): z.ZodType<string> {
  const base = z.string().regex(/\S/, { error: 'This field may not be blank.' });
  return (max === undefined ? base : base.max(max)).meta({ kind: 'string' }).register(filledTexts, {});
}

/** A country as a two-letter code (section 2.3). */
export const country = z
  .custom<string>((value) => typeof value === 'string' && /^[A-Za-z]{2}$/.test(value), {
    error: 'A country is given by its two-letter code.',
    params: { code: 'invalid_country' },
  })
  .meta({ kind: 'string' });

export const date = z
  .custom<string>((value) => typeof value === 'string' && isDate(value), {
    error: 'Date has wrong format or does not exist. Use YYYY-MM-DD.',
    params: { code: 'invalid_date' },
  })
  .meta({ kind: 'date' });

export const datetime = z
  .custom<string>((value) => typeof value === 'string' && isDatetime(value), {
    error: 'Datetime has wrong format or does not exist. Use YYYY-MM-DDTHH:MM:SSZ.',
    params: { code: 'invalid_datetime' },
  })
  .meta({ kind: 'datetime' });

export const boolean = z.boolean().meta({ kind: 'boolean' });

const bounds = 'at most ten digits before and ten after the decimal point';

/** A decimal string, such as transfer_balance (section 2.3). A JSON number is taken too (section 2.1). */
export const decimalString = amountOf('decimal-string', `A decimal is required: ${bounds}.`);

/** A JSON number, such as ledger_balance (section 2.3). A decimal string is taken too (section 2.1). */
export const number = amountOf('number', `A number is required: ${bounds}.`);

/** A JSON number or a decimal string, such as a transaction's amount (section 2.6). */
export const amount = amountOf('amount', `An amount is required: ${bounds}.`);

function amountOf(kind: FieldKind, error: string): z.ZodType<Amount> {
  return z
    .custom<Amount>(
      (value) => {
        const digits = numberText(value);
        return digits !== undefined && isAmountText(digits);
      },
      { error, params: { code: 'invalid_amount' } },
    )
    .meta({ kind });
}

/** Any JSON object, for fields that the interface passes on without defining them. */
export const jsonObject = z
  .custom<JsonObject>((value) => isJsonObject(value), {
    error: 'A JSON object is required.',
    params: { code: 'invalid' },
  })
  .meta({ kind: 'json-object' });

export const json = z.custom<JsonValue>((value) => value !== undefined).meta({ kind: 'json' });

/** An enumeration that the interface shows only by example: other values warn, they do not fail. */
export function open(values: readonly [string, ...string[]], max?: number): z.ZodType<string> {
  return text(max).meta({ kind: 'string', seen: values }).register(filledTexts, {});
}

/** The same where a rule of its own says what comes of other values. */
export function ruled(values: readonly [string, ...string[]]): z.ZodType<string> {
  return text().meta({ kind: 'string', seen: values, isRuled: true }).register(filledTexts, {});
}
