import { z } from 'zod';
import { joinPath, valueAt } from '../domain/paths.ts';
import type { JsonValue } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import { dateFormat } from './date-format.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';
import { mappingProblem } from './mapping-problem.ts';

const filled = z
  .string({ error: 'A single text is required here.' })
  .min(1, { error: 'This may not be empty.' });
const truth = z
  .enum(['true', 'false'], { error: 'Write true or false.' })
  .transform((text) => text === 'true');
const mark = z.string().length(1, { error: 'A mark is one character, in quotes.' });

const dates = filled.transform((text, context) => {
  const format = dateFormat(text);
  if (format !== undefined) return format;
  context.addIssue({
    code: 'custom',
    message: 'A date format is made of yyyy, mm, dd, HH, MM and SS, such as dd/mm/yyyy HH:MM.',
  });
  return z.NEVER;
});

/** How files of an export are written: for all of them under `format`, and for one in its table. */
const formatKeys = {
  encoding: filled.optional(),
  delimiter: filled.optional(),
  trim: truth.optional(),
  dates: dates.optional(),
  datetimes: dates.optional(),
  decimal_mark: mark.optional(),
  thousands_mark: mark.optional(),
};

export const formatSection = z.strictObject(formatKeys);
export type FormatKeys = z.infer<typeof formatSection>;

export const tableEntry = z.strictObject({ file: filled, key: filled, ...formatKeys });

/** A value that is more than a column's name. */
export const valueEntry = z.strictObject({
  column: filled.optional(),
  constant: filled.optional(),
  codes: z.record(z.string(), filled).optional(),
  default: filled.optional(),
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

/** One object for each row of a child table. */
export const rowsEntry = z.strictObject({
  from: filled,
  where: z
    .record(z.string(), z.union([filled, z.array(filled)], { error: 'A text, or a list of texts.' }))
    .optional(),
  match: z.record(z.string(), filled).optional(),
  distinct: z.array(filled).optional(),
  each: z.custom<JsonValue>((content) => content !== undefined),
});

/**
 * Reads one part of a mapping file by its schema; null, and a problem for each fault at its line, where it does
 * not fit. A mistyped key is told the nearest known one.
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
  for (const issue of result.error.issues) {
    const within = issue.path.map(String);
    const at = [...path, ...within];
    const isMissing = within.length > 0 && valueAt(content, joinPath(...within)) === undefined;
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) problems.push(unknownKey(text, [...at, key], Object.keys(schema.shape)));
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

/** What to do about a name that is not known. */
export function remedyFor(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${near}?`;
}
