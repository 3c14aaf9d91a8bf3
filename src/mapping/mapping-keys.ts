import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { joinPath, valueAt } from '../domain/paths.ts';
import type { JsonValue } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import { isPhoneCountry } from '../contract/phone-number.ts';
import { isDate } from '../contract/schemas/fields.ts';
import { parseDecimal } from '../domain/decimal.ts';
import { encodingName, isDelimiter } from '../domain/text-file.ts';
import { formula } from './calculation.ts';
import { dateFormat } from './date-format.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';
import { mappingProblem } from './mapping-problem.ts';
import { template } from './template.ts';
import { takePattern } from './text-shape.ts';
import { zoneToUtc } from '../domain/time-zone.ts';

export const filled = z
  .string({ error: 'A single text is required here.' })
  .min(1, { error: 'This may not be empty.' })
  .refine((text) => !text.includes('\0'), { error: 'This contains a NUL character. Remove it.' });
const truth = z
  .enum(['true', 'false'], { error: 'Write true or false.' })
  .transform((text) => text === 'true');
const mark = z.string().length(1, { error: 'A mark is one character. Put it in quotes.' });

const dates = filled.transform((text, context) => {
  const format = dateFormat(text);
  if (format !== undefined) return format;
  context.addIssue({
    code: 'custom',
    message: 'A date format consists of yyyy, mm, dd, HH, MM and SS, such as dd/mm/yyyy HH:MM.',
  });
  return z.NEVER;
});

const texts = z
  .union([filled, z.array(filled)], { error: 'A text, or a list of texts.' })
  .transform((said) => [said].flat());

const zone = filled.transform((text, context) => {
  const toUtc = zoneToUtc(text);
  if (toUtc !== undefined) return toUtc;
  context.addIssue({ code: 'custom', message: 'Write the name of a time zone, such as Europe/Berlin.' });
  return z.NEVER;
});

const encoding = filled.refine((label) => encodingName(label) !== undefined, {
  error: 'No encoding has this name. Write one such as utf-8, windows-1252 or iso-8859-15.',
});
const delimiter = filled.refine(isDelimiter, {
  error: 'A delimiter is any text without quotes and line ends, such as ; or "\\t".',
});

/** How the files of an export are written: under `format` for all, in a table for one. */
const formatKeys = {
  encoding: encoding.optional(),
  delimiter: delimiter.optional(),
  escape: z
    .string()
    .regex(/^[!-~]$/, { error: 'An escape is one ASCII character, in quotes.' })
    .optional(),
  comment: filled.optional(),
  trim: truth.optional(),
  dates: dates.optional(),
  datetimes: dates.optional(),
  decimal_mark: mark.optional(),
  thousands_mark: mark.optional(),
  zone: zone.optional(),
  empty: texts.optional(),
};

export const formatSection = z.strictObject(formatKeys);
export type FormatKeys = z.infer<typeof formatSection>;

/** A path out of the export directory would be missing in a copy of the export. */
const exportFile = filled.refine((name) => !isAbsolute(name) && !name.split(/[\\/]/).includes('..'), {
  error: 'A file of the export, by its path within the export directory.',
});

/** A code table in a separate file. */
export const lookupEntry = z.strictObject({
  file: filled,
  key: filled,
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

/** Currencies by their codes (ISO 4217). */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

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
  call: filled.optional(),
  cases: z.array(anyContent, { error: 'A list of cases, each with when and then.' }).optional(),
  codes: z.record(z.string(), filled).optional(),
  lookup: filled.optional(),
  phone: filled
    .refine(isPhoneCountry, { error: 'A country is given by its two letters, such as DE.' })
    .optional(),
  minor_units: filled
    .refine((code) => currencies.has(code), {
      error: 'A currency is given by its three letters, such as EUR.',
    })
    .optional(),
  default: filled.optional(),
  trim: truth.optional(),
  split: filled.optional(),
  take: z
    .string()
    .regex(takePattern, { error: 'One of first, last, but_first, but_last, or a number from 1.' })
    .optional(),
  case: z.enum(['upper', 'lower', 'title'], { error: 'One of upper, lower and title.' }).optional(),
  empty: texts.optional(),
  zone: zone.optional(),
  date: dates.optional(),
  decimal_mark: mark.optional(),
  thousands_mark: mark.optional(),
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
    error: 'A text, a list of texts, or a question: not, below, above, before or after.',
  }),
);
export type Conditions = z.infer<typeof conditions>;

export const tableEntry = z.strictObject({
  file: exportFile,
  key: filled,
  ignore: z
    .union([conditions, z.array(conditions)], { error: 'Columns and what they hold, or a list of these.' })
    .transform((said): Conditions[] => [said].flat())
    .optional(),
  ...formatKeys,
});

/** One case of a value that depends on other columns. */
export const caseEntry = z.strictObject({ when: conditions.optional(), then: anyContent });

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
  where: conditions.optional(),
  match: z.record(z.string(), filled).optional(),
  distinct: z.array(filled).optional(),
  order: z
    .union([orderColumn, z.array(orderColumn)], {
      error: 'A column, or column with type and descending, or a list of these.',
    })
    .transform((said): z.infer<typeof orderEntry>[] => [said].flat())
    .optional(),
  each: anyContent,
});

/**
 * Parses one part of a mapping file with its schema; null if it does not fit, with a problem for each fault at its
 * line. The problem of a mistyped key names the nearest known one.
 */
export function readKeys<Shape extends z.ZodRawShape>(
  text: MappingText,
  path: KeyPath,
  schema: z.ZodObject<Shape>,
  content: JsonValue,
  problems: Problem[],
): z.output<z.ZodObject<Shape>> | null {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  // A mistyped key is one problem: that the intended key is missing is not reported too.
  const meant = new Set(
    result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => joinPath(...issue.path.map(String), nearest(key, known) ?? ''))
        : [],
    ),
  );
  for (const issue of result.error.issues) {
    const within = issue.path.map(String);
    const at = [...path, ...within];
    const isMissing = within.length > 0 && valueAt(content, joinPath(...within)) === undefined;
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) problems.push(unknownKey(text, [...at, key], known));
    else if (isMissing && meant.has(joinPath(...within))) continue;
    else if (isMissing)
      problems.push(
        mappingProblem('missing_key', text.cell(at), `The key ${within.join('.')} is required here.`),
      );
    else problems.push(mappingProblem('invalid_value', text.cell(at), issue.message));
  }
  return null;
}

/** A key that the mapping language does not have here. */
function unknownKey(text: MappingText, path: KeyPath, known: readonly string[]): Problem {
  const key = String(path.at(-1));
  return mappingProblem(
    'unknown_key',
    text.cell(path),
    `A mapping has no key ${key} here. ${remedyFor(key, known)}`,
  );
}

/** The remedy for an unknown name. */
export function remedyFor(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${near}?`;
}
