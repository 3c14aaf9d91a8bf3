import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { countryFormat, filledPattern } from '../schemas/fields.ts';
import { decimalKeyword } from './contract-schema.ts';

/** Where a value does not fit its schema, and why. */
export interface Misfit {
  readonly code: string;
  readonly path: string;
  /** The keyword of the schema that refuses the value, and its arguments; absent if no keyword does. */
  readonly keyword?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The schema that has the keyword. */
  readonly schema?: SchemaObject;
}

type SchemaObject = Readonly<Record<string, unknown>>;

/** Says what is wrong, and what to do. */
export type Words = (misfit: Misfit) => string;

/**
 * The problems that a validation has found, worded for the publisher of the schema. One for each fault:
 * alternatives count as one, and of a value of the wrong type nothing more is said.
 */
export function contractProblems(errors: readonly ErrorObject[], words: Words): PayloadProblem[] {
  const told: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // What is wrong with each alternative comes right before.
      const within: ErrorObject[] = [];
      for (let last = told.at(-1); last !== undefined && isWithin(last, error); last = told.at(-1))
        within.unshift(...told.splice(-1));
      told.push(oneChoice(within, error) ?? error);
    } else told.push(error);
  }
  const places = new Map<string, Misfit[]>();
  for (const misfit of told.map(misfitOf))
    places.set(misfit.path, [...(places.get(misfit.path) ?? []), misfit]);
  return [...places.values()].flatMap(mostTelling).map((misfit) => ({
    code: misfit.code,
    path: misfit.path,
    detail: words(misfit),
    severity: 'error',
  }));
}

function isWithin(inner: ErrorObject, { instancePath }: ErrorObject): boolean {
  return inner.instancePath === instancePath || inner.instancePath.startsWith(`${instancePath}/`);
}

/** Alternatives that each list values are one list. */
function oneChoice(within: readonly ErrorObject[], error: ErrorObject): ErrorObject | undefined {
  const here = within.filter(
    ({ keyword, parentSchema }) =>
      !(keyword === 'type' && isJsonObject(parentSchema) && 'enum' in parentSchema),
  );
  const lists = here.flatMap(({ keyword, instancePath, params: { allowedValues } }) =>
    keyword === 'enum' && instancePath === error.instancePath && Array.isArray(allowedValues)
      ? [allowedValues as unknown[]]
      : [],
  );
  if (here.length === 0 || lists.length < here.length) return undefined;
  const allowedValues = lists.flat().filter((value) => value !== null && value !== '');
  return { ...error, keyword: 'enum', params: { allowedValues } };
}

function misfitOf(error: ErrorObject): Misfit {
  const { keyword, params, instancePath } = error;
  const names = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field: unknown = keyword === 'required' ? params['missingProperty'] : params['additionalProperty'];
  const path = joinPath(...names, typeof field === 'string' ? field : '');
  const schema: SchemaObject = isJsonObject(error.parentSchema) ? error.parentSchema : {};
  return { code: codeOf(error, schema), path, keyword, params, schema };
}

/** Formats that have a code of their own, whichever schema requires them and however a value breaks them. */
const formatCodes: Readonly<Record<string, string>> = {
  date: 'invalid_date',
  'date-time': 'invalid_datetime',
  [countryFormat]: 'invalid_country',
};

const keywordCodes: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  enum: 'invalid_choice',
  const: 'invalid_choice',
  maxLength: 'max_length',
  minLength: 'min_length',
  pattern: 'invalid_pattern',
  format: 'invalid_format',
  [decimalKeyword]: 'invalid_amount',
  maximum: 'invalid_amount',
  exclusiveMaximum: 'invalid_amount',
  minimum: 'invalid_amount',
  exclusiveMinimum: 'invalid_amount',
  maxItems: 'max_items',
  minItems: 'min_items',
};

function codeOf({ keyword, data }: ErrorObject, schema: SchemaObject): string {
  const code = keywordCodes[keyword] ?? 'invalid';
  if (code === 'required' || code === 'unknown_field') return code;
  if (data === null) return 'null';
  if (['type', 'pattern', 'format'].includes(keyword)) {
    const own = formatCodes[String(schema['format'])];
    if (own !== undefined) return own;
  }
  if (keyword === 'type' && typesOf(schema).some((type) => type === 'number' || type === 'integer'))
    return 'invalid_amount';
  if (keyword === 'pattern' && schema['pattern'] === filledPattern) return 'blank';
  return keyword === 'minLength' && data === '' ? 'blank' : code;
}

export function typesOf({ type }: SchemaObject): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

/** The problems of one place: a value that is not listed, or has another type, has no further fault. */
function mostTelling(misfits: readonly Misfit[]): readonly Misfit[] {
  const whole =
    misfits.find(({ code }) => code === 'null') ??
    misfits.find(({ code }) => code === 'invalid_choice') ??
    misfits.find(({ keyword }) => keyword === 'type');
  if (whole !== undefined) return [whole];
  const byCode = new Map(misfits.toReversed().map((misfit) => [misfit.code, misfit]));
  return [...byCode.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1));
}
