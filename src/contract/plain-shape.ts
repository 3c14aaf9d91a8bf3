// Reading a payload by its schema makes a second one of it, and took a tenth of what the platform needs for a request.
// Nearly every payload fits; that is told here, from the same schemas, by functions that are put together once and make
// nothing. Whatever is not told here is read by the schema.
import { z } from 'zod';
import { filledTexts } from './schemas/fields.ts';

type Fits = (value: unknown) => boolean;

/** Makes a function that tells whether a value, for certain, fits the schema and is what the schema would read. */
export function plainShapeOf<Payload>(schema: z.ZodType<Payload>): (value: unknown) => value is Payload {
  const fits = fitsOf(schema);
  return (value): value is Payload => fits(value);
}

/** A kind of schema that is not known here fits nothing. */
function fitsOf(schema: unknown): Fits {
  if (!(schema instanceof z.ZodType)) return () => false;
  if (schema instanceof z.ZodString) return textOf(schema);
  const kind = kindOf(schema);
  return isChecked(schema) ? (value) => kind(value) && schema.safeParse(value).success : kind;
}

/** Whether the schema asks for more than its kind. */
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

/** Most texts are seen not to be blank by how they begin, in a fifth of a pattern's time. */
function textOf(schema: z.ZodString): Fits {
  if (!isChecked(schema)) return (value) => typeof value === 'string';
  if (!filledTexts.has(schema))
    return (value) => typeof value === 'string' && schema.safeParse(value).data === value;
  // Counted in code points a text is no longer.
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

/** Strict and loose objects; others drop what they do not know. */
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
  /** The fields in the order in which they were met last, which is found sooner than in the map. */
  const order: Field[] = [];
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let [at, met] = [0, 0];
    for (const name in value) {
      let field = order[at];
      if (field?.name !== name) {
        field = fields.get(name);
        if (field === undefined) {
          // A loose schema reads no __proto__.
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
