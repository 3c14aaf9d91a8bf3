// Nearly every payload fits its schema. Parsing with the schema copies the payload, so functions that are compiled
// once from the schemas decide the common case without allocating. Whatever they cannot decide is parsed with the
// schema.
import { z } from 'zod';
import { filledTexts } from './schemas/fields.ts';

type Fits = (value: unknown) => boolean;

/** Makes a function that returns true only if a value certainly fits the schema and parsing would not change it. */
export function plainShapeOf<Payload>(schema: z.ZodType<Payload>): (value: unknown) => value is Payload {
  const fits = fitsOf(schema);
  return (value): value is Payload => fits(value);
}

/** A kind of schema that is not handled here never fits. */
function fitsOf(schema: unknown): Fits {
  if (!(schema instanceof z.ZodType)) return () => false;
  if (schema instanceof z.ZodString) return textOf(schema);
  const kind = kindOf(schema);
  return isChecked(schema) ? (value) => kind(value) && schema.safeParse(value).success : kind;
}

/** Whether the schema requires more than its kind. */
function isChecked(schema: z.ZodType): boolean {
  return (schema.def.checks ?? []).length > 0;
}

function kindOf(schema: z.ZodType): Fits {
  if (schema instanceof z.ZodOptional) return optional(fitsOf(schema.unwrap()));
  if (schema instanceof z.ZodArray) return arrayOf(fitsOf(schema.element));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodEnum) return (value) => schema.options.includes(value as string);
  if (schema instanceof z.ZodCustom) return (value) => Boolean(schema.def.fn(value));
  return () => false;
}

/** The beginning of a text usually shows that it is not blank, faster than a pattern does. */
function textOf(schema: z.ZodString): Fits {
  if (!isChecked(schema)) return (value) => typeof value === 'string';
  if (!filledTexts.has(schema))
    return (value) => typeof value === 'string' && schema.safeParse(value).data === value;
  // The length in code points is never greater.
  const longest = schema.maxLength ?? Infinity;
  return (value) => typeof value === 'string' && value.length <= longest && isNotBlank(value);
}

function isNotBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || /\S/.test(text);
}

function optional(fits: Fits): Fits {
  return (value) => value === undefined || fits(value);
}

function arrayOf(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every(fits);
}

interface Field {
  readonly name: string;
  readonly fits: Fits;
  readonly isRequired: boolean;
}

/** Handles strict and loose objects; others drop unknown members. */
function objectOf({ shape, def: { catchall } }: z.ZodObject): Fits {
  const isStrict = catchall instanceof z.ZodNever;
  if (!isStrict && !(catchall instanceof z.ZodUnknown)) return () => false;
  const fields = new Map(
    Object.entries(shape).map(([name, inner]): [string, Field] => {
      const isRequired = !(inner instanceof z.ZodOptional);
      return [name, { name, isRequired, fits: fitsOf(isRequired ? inner : inner.unwrap()) }];
    }),
  );
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  /** The fields in the order in which they last occurred, which is faster than a lookup in the map. */
  const order: Field[] = [];
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let [at, met] = [0, 0];
    for (const name in value) {
      let field = order[at];
      if (field?.name !== name) {
        field = fields.get(name);
        if (field === undefined) {
          // A loose schema drops __proto__.
          if (isStrict || name === '__proto__') return false;
          continue;
        }
        order[at] = field;
      }
      at += 1;
      if (!field.fits((value as Record<string, unknown>)[name])) return false;
      if (field.isRequired) met += 1;
    }
    return met === required;
  };
}
