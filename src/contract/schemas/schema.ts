import type { JsonObject, JsonValue } from '../../domain/json.ts';

declare const allowed: unique symbol;

/** A JSON Schema in the words of OpenAPI 3.1, and the type of the values that it allows. */
export type Schema<Value = unknown> = JsonObject & { readonly [allowed]?: Value };

export type ValueOf<Stated> = Stated extends Schema<infer Value> ? Value : never;

/** A field that may be left out. */
export class Optional<Value> {
  readonly schema: Schema<Value>;

  constructor(schema: Schema<Value>) {
    this.schema = schema;
  }
}

export function optional<Value>(schema: Schema<Value>): Optional<Value> {
  return new Optional(schema);
}

type Fields = Readonly<Record<string, Schema | Optional<unknown>>>;

type OptionalName<Stated extends Fields, Name extends keyof Stated> =
  Stated[Name] extends Optional<unknown> ? Name : never;

type ObjectOf<Stated extends Fields> = {
  [Name in keyof Stated as Exclude<Name, OptionalName<Stated, Name>>]: ValueOf<Stated[Name]>;
} & {
  [Name in keyof Stated as OptionalName<Stated, Name>]?: Stated[Name] extends Optional<infer Value>
    ? Value | undefined
    : never;
};

/** An object of these fields and no others (section 9, rule 4). */
export function object<Stated extends Fields>(fields: Stated): Schema<ObjectOf<Stated>> {
  return { ...ofFields(fields), additionalProperties: false };
}

/** An object of these fields and of any others. */
export function openObject<Stated extends Fields>(
  fields: Stated,
): Schema<ObjectOf<Stated> & Record<string, unknown>> {
  return { ...ofFields(fields), additionalProperties: {} };
}

function ofFields(fields: Fields): JsonObject {
  const all = Object.entries(fields);
  const required = all.flatMap(([name, field]) => (field instanceof Optional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, field]): [string, JsonValue] => [
        name,
        field instanceof Optional ? field.schema : field,
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function array<Value>(items: Schema<Value>): Schema<Value[]> {
  return { type: 'array', items };
}
