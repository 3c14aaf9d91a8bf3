import { roundingModes } from '../domain/decimal.ts';
import { hasCountryNames } from './country-names.ts';
import { monthEnds } from './month-ends.ts';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isPhoneCountry } from '../contract/phone-number.ts';
import { isDate } from '../contract/schemas/fields.ts';
import { parseDecimal } from '../domain/decimal.ts';
import { holdsPassword } from '../domain/server-address.ts';
import type { JsonValue } from '../domain/json.ts';
import { safePattern } from '../domain/safe-pattern.ts';
import { encodingName, isDelimiter } from '../domain/text-file.ts';
import type { TextShape } from '../domain/text-shape.ts';
import { timeZone } from '../domain/time-zone.ts';
import { formula, template } from './calculation.ts';
import { anyDateFormat, dateFormat } from './date-format.ts';
import { takePattern } from './text-shape.ts';

export const filled = z
  .string({ error: 'A single text is required here.' })
  .min(1, { error: 'This may not be empty.' })
  .refine((text) => !text.includes('\0'), { error: 'This contains a NUL character. Remove it.' });

const truth = z
  .enum(['true', 'false'], { error: 'Write true or false.' })
  .transform((text) => text === 'true');

const mark = z.string().length(1, { error: 'A mark is one character. Put it in quotes.' });

/** An empty text is no mark, where a wider format has one. */
const markOrNone = z.string().max(1, { error: "A mark is one character. Put it in quotes; '' is none." });

const oneDateFormat = filled.transform((text, context) => {
  const format = dateFormat(text);
  if (format !== undefined) return format;
  context.addIssue({
    code: 'custom',
    message:
      'A date format consists of yyyy, mm, dd, HH, MM and SS, such as dd/mm/yyyy HH:MM, or Gy年m月d日 with an era.',
  });
  return z.NEVER;
});

/** One format, or a list of which each text fits one. */
const dates = z
  .union(
    [oneDateFormat, z.array(oneDateFormat).min(1, { error: 'A list of date formats is required here.' })],
    {
      error: 'A date format, or a list of them.',
    },
  )
  .transform((said) => (Array.isArray(said) ? anyDateFormat(said) : said));

const texts = z
  .union([filled, z.array(filled)], { error: 'A text, or a list of texts.' })
  .transform((said) => [said].flat());

const zone = filled.transform((text, context) => {
  const found = timeZone(text);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: 'Write the name of a time zone, such as Europe/Berlin.' });
  return z.NEVER;
});

const encoding = filled.refine((label) => encodingName(label) !== undefined, {
  error: 'No encoding has this name. Write one such as utf-8, windows-1252 or iso-8859-15.',
});

const delimiter = filled.refine(isDelimiter, {
  error: 'A delimiter is any text without quotes and line breaks, such as ; or "\\t".',
});

const signPlace = z.enum(['leading', 'trailing', 'brackets', 'triangle'], {
  error: 'One of leading, trailing, brackets and triangle, or a list of these.',
});

const sign = z
  .union([signPlace, z.array(signPlace)], {
    error: 'One of leading, trailing, brackets and triangle, or a list of these.',
  })
  .transform((said): z.infer<typeof signPlace>[] => [said].flat());

/** Currencies by their codes (ISO 4217). */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const currency = filled.refine((code) => currencies.has(code), {
  error: 'A currency is given by its three letters, such as EUR.',
});

/** What the changes of a text may leave out. */
const mayLose = z.union([truth, texts], { error: 'Write true, or the texts that may be dropped.' });

/** How the files of an export are written: under `format` for all, in a table for one. */
const formatKeys = {
  encoding: encoding.optional(),
  delimiter: delimiter.optional(),
  quote: z
    .string()
    .regex(/^(?:[!-/:-@[-`{-~])?$/, {
      error: "A quote is one ASCII sign, such as \"'\", or '' for a file without quotes.",
    })
    .optional(),
  escape: z
    .string()
    .regex(/^[!-~]$/, { error: 'An escape is one ASCII character, in quotes.' })
    .optional(),
  comment: filled.optional(),
  trim: truth.optional(),
  dates: dates.optional(),
  datetimes: dates.optional(),
  decimal_mark: mark.optional(),
  thousands_mark: markOrNone.optional(),
  sign: sign.optional(),
  currency: currency.optional(),
  zone: zone.optional(),
  empty: texts.optional(),
  may_lose: mayLose.optional(),
};

/** A pattern of the mapping; it runs on an engine whose time depends only on the length of the text. */
const pattern = filled.refine((text) => safePattern(text) !== undefined, {
  error:
    'This is not a regular expression, or one with look-around, back-references or a repetition beyond 1,000.',
});

/** What takes the place of what a pattern matches. */
export const replacementEntry = z
  .strictObject({ pattern, with: z.string({ error: 'A text is required here, which may be empty.' }) })
  .refine(({ pattern: found, with: by }) => groupsIn(by) <= (safePattern(found)?.groups ?? 0), {
    error:
      'The pattern has no such group. Correct the number after the dollar sign, or write $$ for the sign.',
    path: ['with'],
  });

function groupsIn(by: string): number {
  const groups = by.replaceAll('$$', '').matchAll(/\$(\d+)/g);
  return Math.max(0, ...[...groups].map(([, group]) => Number(group)));
}

const whole = (least: number, message: string) =>
  z
    .string({ error: message })
    .regex(/^-?\d{1,4}$/, { error: message })
    .transform(Number)
    .refine((number) => number >= least && number !== 0, { error: message });

const place = whole(-9999, 'A position of a character: 1 for the first, -1 for the last.').optional();

const width = whole(1, 'A number of characters, from 1.');

/** A part of a text. */
export const sliceEntry = z.strictObject({ from: place, to: place });

/** How a shorter text is filled up. */
export const padEntry = z.strictObject({
  width,
  with: z.string().regex(/^.$/u, { error: 'One character is required here, in quotes.' }).optional(),
  side: z.enum(['left', 'right'], { error: 'One of left and right.' }).optional(),
});

/** How a text is changed before it is used. */
const shapeKeys = {
  normalize: z.enum(['NFC', 'NFKC'], { error: 'One of NFC and NFKC.' }).optional(),
  trim: z.union([truth, filled], { error: 'Write true, or the characters to remove.' }).optional(),
  match: pattern.optional(),
  replace: z
    .union([replacementEntry, z.array(replacementEntry)], {
      error: 'A pattern and what to put in its place (with), or a list of these.',
    })
    .transform((said): z.infer<typeof replacementEntry>[] => [said].flat())
    .optional(),
  digits: truth.optional(),
  slice: sliceEntry.optional(),
  case: z.enum(['upper', 'lower', 'title'], { error: 'One of upper, lower and title.' }).optional(),
  pad: z
    .union([width.transform((count): z.infer<typeof padEntry> => ({ width: count })), padEntry], {
      error: 'A number of characters, or width with with and side.',
    })
    .optional(),
  check: pattern.optional(),
};

/** The changes that an entry names; undefined if it names none. */
export function shapeIn(entry: z.infer<z.ZodObject<typeof shapeKeys>>): TextShape | undefined {
  const { normalize, trim, match, replace, digits, slice, case: letters, pad, check } = entry;
  const named = Object.entries({ normalize, match, replace, slice, case: letters, pad, check }).filter(
    ([, said]) => said !== undefined,
  );
  const shape: TextShape = {
    ...(trim === undefined || trim === false ? {} : { trim }),
    ...Object.fromEntries(named),
    ...(digits === true ? { digits } : {}),
  };
  return Object.keys(shape).length === 0 ? undefined : shape;
}

/** A key that is made of a column's text. */
export const keyEntry = z.strictObject({ of: filled, ...shapeKeys });

export type KeyEntry = z.infer<typeof keyEntry>;

const key = z.union([filled.transform((of): KeyEntry => ({ of })), keyEntry], {
  error: 'A column, or of with the changes to its text.',
});

/** The table through which rows find their account. */
export const viaEntry = z.strictObject({ table: filled, column: key.optional(), several: truth.optional() });

export const formatSection = z.strictObject(formatKeys);

export type FormatKeys = z.infer<typeof formatSection>;

/** A path out of the export directory would be missing in a copy of the export. */
const exportFile = filled.refine((name) => !isAbsolute(name) && !name.split(/[\\/]/).includes('..'), {
  error: 'A file of the export, by its path within the export directory.',
});

/** A code table in a separate file. */
export const lookupEntry = z.strictObject({
  file: filled,
  key: texts.refine((names) => names.length > 0 && new Set(names).size === names.length, {
    error: 'At least one column, and each only once.',
  }),
  value: filled,
  encoding: encoding.optional(),
  delimiter: delimiter.optional(),
});

const parsed = <Parsed>(read: (text: string) => Parsed | undefined, message: string) =>
  filled.transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const anyContent = z.custom<JsonValue>((content) => content !== undefined);

/** What a code means. */
const meaning = z
  .string({ error: 'A single text is required here.' })
  .min(1, {
    error: 'A code cannot mean nothing. To leave the value out, list the code under empty instead.',
  })
  .refine((text) => !text.includes('\0'), { error: 'This contains a NUL character. Remove it.' });

const phoneRemedy = {
  error:
    'A country by its two letters, such as DE; or country with the column that has it; or international.',
};

/** Where the numbers of a column belong that do not say it. */
const phone = z.union(
  [
    filled.refine((said) => said === 'international' || isPhoneCountry(said), phoneRemedy),
    z.strictObject({ country: filled }),
  ],
  phoneRemedy,
);

/** A value that is more than a column name. */
export const valueEntry = z.strictObject({
  column: texts.optional(),
  constant: filled.optional(),
  template: parsed(
    template,
    'A template is text with columns in braces, such as {STREET} {NUMBER}; {{ and }} are braces.',
  ).optional(),
  calc: parsed(
    formula,
    'A calculation consists of columns in braces, numbers, + - * / ( ) and abs(), such as -{AMOUNT} / 100.',
  ).optional(),
  parts: z.record(z.string(), anyContent, { error: 'Names, each with its value.' }).optional(),
  call: filled.optional(),
  cases: z.array(anyContent, { error: 'A list of cases, each with when and then.' }).optional(),
  codes: z.record(z.string(), meaning).optional(),
  lookup: filled.optional(),
  country: filled
    .refine((said) => said === 'true' || hasCountryNames(said), {
      error: 'Write true for names in any language, or the language of the names, such as en.',
    })
    .optional(),
  phone: phone.optional(),
  round: z
    .strictObject({
      places: z
        .string()
        .regex(/^(?:\d|10)$/, { error: 'A number of decimal places, from 0 to 10.' })
        .transform(Number),
      mode: z.enum(roundingModes, { error: 'One of half_up, half_even, up and down.' }),
    })
    .optional(),
  month: z.enum(monthEnds, { error: 'One of first and last.' }).optional(),
  minor_units: currency.optional(),
  default: filled.optional(),
  ...shapeKeys,
  split: filled.optional(),
  take: z
    .string()
    .regex(takePattern, { error: 'One of first, last, only, but_first, but_last, or a number from 1.' })
    .optional(),
  may_lose: mayLose.optional(),
  on_invalid: z.enum(['next', 'omit', 'reject'], { error: 'One of next, omit and reject.' }).optional(),
  empty: texts.optional(),
  zone: zone.optional(),
  date: dates.optional(),
  decimal_mark: mark.optional(),
  thousands_mark: markOrNone.optional(),
  sign: sign.optional(),
  currency: currency.optional(),
  type: z
    .enum(['date', 'datetime', 'boolean', 'number', 'amount'], {
      error: 'One of date, datetime, boolean, number and amount.',
    })
    .optional(),
});

export type ValueEntry = z.infer<typeof valueEntry>;

/** An object of columns that nothing else reads. */
export const leftOverEntry = z.strictObject({ left_over: filled });

const decimal = filled.refine((text) => parseDecimal(text) !== undefined, {
  error: 'A decimal, such as -12.50.',
});

const date = filled.refine(isDate, { error: 'A date, such as 2024-01-31.' });

const anyTexts = z.union([z.string(), z.array(z.string())]).transform((said) => [said].flat());

/** The tests on a column other than plain texts. */
export const questionEntry = z.strictObject({
  not: anyTexts.optional(),
  below: decimal.optional(),
  above: decimal.optional(),
  before: date.optional(),
  after: date.optional(),
});

const conditions = z.record(
  z.string(),
  z.union([anyTexts, questionEntry], {
    error: 'A text, a list of texts, or a condition: not, below, above, before or after.',
  }),
);

export type Conditions = z.infer<typeof conditions>;

/** Such a name is that of one file of a snapshot, and never that of a part of another. */
const queriedName = /^\w+$/;

const partName = /_\d+$/;

/** Whether a table of this name can be read by a query. */
export function isQueriedName(name: string): boolean {
  return queriedName.test(name) && !partName.test(name);
}

const databaseUrl = filled.superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    context.addIssue({
      code: 'custom',
      message: 'Write the address of the database, such as postgres://reader@db.example.com/billing.',
    });
  else if (holdsPassword(url))
    context.addIssue({
      code: 'custom',
      message:
        'The address contains a password. Remove it, and set MIGRATE_SOURCE_PASSWORD, sourcePasswordFile or sourcePasswordCommand.',
    });
});

/** The database that the tables are read from. */
export const sourceEntry = z.strictObject({
  driver: filled.refine((said) => /^(postgres|mysql|sqlite|\.{0,2}\/.*\.[cm]?js)$/.test(said), {
    error: 'One of postgres, mysql and sqlite, or the path of a module, such as ./oracle.js.',
  }),
  url: databaseUrl.optional(),
  file: filled.optional(),
  options: z.record(z.string(), anyContent).optional(),
});

export type SourceEntry = z.infer<typeof sourceEntry>;

export const tableEntry = z.strictObject({
  file: exportFile.optional(),
  sheet: filled.optional(),
  query: filled.optional(),
  columns: z
    .array(filled, { error: 'The names of the columns, as a list.' })
    .refine((names) => names.length > 0 && new Set(names).size === names.length, {
      error: 'At least one name, and each only once.',
    })
    .optional(),
  key,
  via: z
    .union([filled.transform((table): z.infer<typeof viaEntry> => ({ table })), viaEntry], {
      error: 'A table, or table with column and several.',
    })
    .optional(),
  ignore: z
    .union([conditions, z.array(conditions)], { error: 'Columns and their contents, or a list of these.' })
    .transform((said): Conditions[] => [said].flat())
    .optional(),
  orphans: z.enum(['ignore', 'warn', 'refuse'], { error: 'One of ignore, warn and refuse.' }).optional(),
  ...formatKeys,
});

export type TableEntry = z.infer<typeof tableEntry>;

/** One case of a value that depends on other columns. */
export const caseEntry = z.strictObject({
  when: conditions.optional(),
  when_account: conditions.optional(),
  then: anyContent,
});

/** A part of a mapping that exists under conditions. */
export const conditionalEntry = z.strictObject({
  when: conditions.optional(),
  when_account: conditions.optional(),
  each: anyContent,
});

/** A column that sorts the rows. */
export const orderEntry = z.strictObject({
  column: filled,
  type: z.enum(['date', 'datetime', 'number'], { error: 'One of date, datetime and number.' }).optional(),
  descending: truth.optional(),
});

const orderColumn = z.union(
  [filled.transform((column): z.infer<typeof orderEntry> => ({ column })), orderEntry],
  {
    error: 'A column, or column with type and descending.',
  },
);

/** One object for each row of a child table. */
export const rowsEntry = z.strictObject({
  from: filled,
  when: conditions.optional(),
  when_account: conditions.optional(),
  where: conditions.optional(),
  match: z.record(z.string(), key).optional(),
  distinct: z.array(filled).optional(),
  take: z
    .enum(['first', 'last', 'only', 'sum', 'count'], { error: 'One of first, last, only, sum and count.' })
    .optional(),
  order: z
    .union([orderColumn, z.array(orderColumn)], {
      error: 'A column, or column with type and descending, or a list of these.',
    })
    .transform((said): z.infer<typeof orderEntry>[] => [said].flat())
    .optional(),
  each: anyContent,
});
