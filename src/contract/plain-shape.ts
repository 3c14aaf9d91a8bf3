// Reading a payload by its schema makes a second one of it, and took a tenth of what the platform needs for a request.
// Nearly every payload fits; that is told here, from the same schemas, by functions that are put together once and make
// nothing. Whatever is not told here is read by the schema.
import { z } from 'zod';

type Fits = (value: unknown) => boolean;

/** Makes a function that tells whether a value, for certain, fits the schema and is what the schema would read. */
export function plainShapeOf<Payload>(schema: z.ZodType<Payload>): (value: unknown) => value is Payload {
  const fits = fitsOf(schema);
  return (value): value is Payload => fits(value);
}

/** A kind of schema that is not known here fits nothing. */
function fitsOf(schema: unknown): Fits {
  if (!(schema instanceof z.ZodType)) return () => false;
  return (schema.def.checks ?? []).map(checkOf).reduce((fits, check) => both(fits, check), kindOf(schema));
}

function both(one: Fits, other: Fits): Fits {
  return (value) => one(value) && other(value);
}

function kindOf(schema: z.ZodType): Fits {
  if (schema instanceof z.ZodOptional) return optional(fitsOf(schema.unwrap()));
  if (schema instanceof z.ZodArray) return arrayOf(fitsOf(schema.element));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodString) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodEnum) return (value) => schema.options.includes(value as string);
  if (schema instanceof z.ZodCustom) return (value) => Boolean(schema.def.fn(value));
  return () => false;
}

function optional(fits: Fits): Fits {
  return (value) => value === undefined || fits(value);
}

function arrayOf(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every(fits);
}

interface Field {
  readonly fits: Fits;
  readonly isRequired: boolean;
}

/** Strict and loose objects; others drop what they do not know. */
function objectOf(schema: z.ZodObject): Fits {
  const { catchall } = schema.def;
  if (!(catchall instanceof z.ZodNever) && !(catchall instanceof z.ZodUnknown)) return () => false;
  const isStrict = catchall instanceof z.ZodNever;
  const fields = new Map<string, Field>();
  for (const [name, inner] of Object.entries(schema.shape))
    fields.set(name, { fits: fitsOf(inner), isRequired: !(inner instanceof z.ZodOptional) });
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let met = 0;
    for (const name in value) {
      const field = fields.get(name);
      if (field === undefined) {
        // A loose schema reads no __proto__.
        if (isStrict || name === '__proto__') return false;
        continue;
      }
      if (!field.fits((value as Record<string, unknown>)[name])) return false;
      if (field.isRequired) met += 1;
    }
    return met === required;
  };
}

/** What a schema asks for beyond its kind; the value is of that kind. */
function checkOf(check: z.core.$ZodCheck): Fits {
  if (check instanceof z.core.$ZodCheckRegex) return patternOf(check._zod.def.pattern);
  return (value) => {
    const read: z.core.ParsePayload<never> = { value: value as never, issues: [] };
    // None of ours waits for anything.
    void check._zod.check(read);
    return read.issues.length === 0 && read.value === value;
  };
}

/** Most texts are seen not to be blank by how they begin, in a fifth of the time. */
function patternOf(pattern: RegExp): Fits {
  const asksForText = pattern.source === '\\S';
  return (value) => {
    if (typeof value !== 'string') return false;
    const first = value.charCodeAt(0);
    return (asksForText && first > 0x20 && first < 0x7f) || pattern.test(value);
  };
}
