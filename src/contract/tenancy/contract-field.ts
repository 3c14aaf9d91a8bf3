import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { amountForms, formKeyword, type AmountForm } from '../schemas/fields.ts';
import type { ContractSchemas } from './contract-schema.ts';

/** What a contract documents at one place of a payload; alternatives and parts of a schema are taken together. */
export interface ContractField {
  /** JSON types; empty if the contract does not say. */
  readonly types: ReadonlySet<string>;
  /** OpenAPI's formats: `date`, `date-time`, `decimal`, `email` and others. */
  readonly formats: ReadonlySet<string>;
  /** The only values that are allowed; undefined if the contract does not list them. */
  readonly values: readonly JsonValue[] | undefined;
  /** The fields of an object, in the contract's order. */
  readonly fields: ReadonlyMap<string, ContractField>;
  readonly required: ReadonlySet<string>;
  /** The elements of an array. */
  readonly element: ContractField | undefined;
  /** Fields of any name are allowed beside `fields`; what they hold, where the contract says it. */
  readonly others: ContractField | undefined;
  /** Only answers have it. */
  readonly isReadOnly: boolean;
  /** In which form the interface shows the amount; undefined for any other field, and where the contract is a tenancy's own. */
  readonly form: AmountForm | undefined;
  /** A word of the contract's own about it: its `description`. */
  readonly description: string | undefined;
  /** Codes of the checks that the contract says the platform makes here (`x-validators`). */
  readonly checks: readonly string[];
}

/** Reads fields out of a contract's schemas, each once: schemas may contain themselves. */
export class ContractFields {
  readonly #schemas: ContractSchemas;
  readonly #known = new Map<string, ContractField>();
  readonly #tags = new Map<JsonObject, JsonObject>();
  readonly #numbers = new Map<JsonValue, number>();

  constructor(schemas: ContractSchemas) {
    this.#schemas = schemas;
  }

  /** What the schemas say together of one place. */
  of(...roots: readonly (JsonValue | undefined)[]): ContractField {
    const schemas = new Set<JsonObject>();
    for (const root of roots) this.#gather(root, schemas);
    const key = [...schemas].map((schema) => this.#number(schema)).join(' ');
    const known = this.#known.get(key) ?? new MergedField(this, [...schemas]);
    this.#known.set(key, known);
    return known;
  }

  /** A schema and all that it is made of: what it refers to, its parts and its alternatives. */
  #gather(schema: JsonValue | undefined, into: Set<JsonObject>): void {
    if (!isJsonObject(schema) || into.has(schema)) return;
    into.add(schema);
    const { $ref: reference, discriminator } = schema;
    if (typeof reference === 'string') this.#gather(this.#schemas.target(reference), into);
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const parts = schema[key];
      if (Array.isArray(parts)) for (const part of parts) this.#gather(part, into);
    }
    if (isJsonObject(discriminator)) into.add(this.#tagged(discriminator));
  }

  /** The property that distinguishes the alternatives is one of their fields, whether or not they list it. */
  #tagged(discriminator: JsonObject): JsonObject {
    const { propertyName: name, mapping } = discriminator;
    const tags = isJsonObject(mapping) ? Object.keys(mapping) : [];
    const isText = tags.length > 0 && !tags.some((tag) => ['', 'null', 'true', 'false'].includes(tag));
    const known = this.#tags.get(discriminator) ?? {
      properties: typeof name === 'string' ? { [name]: isText ? { enum: tags } : unlisted(tags) } : {},
    };
    this.#tags.set(discriminator, known);
    return known;
  }

  #number(schema: JsonObject): number {
    const known = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, known);
    return known;
  }
}

/** Reads each property of the schemas on first use: every value of a payload needs some. */
class MergedField implements ContractField {
  readonly types: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  readonly #reader: ContractFields;
  readonly #schemas: readonly JsonObject[];
  #fields: ReadonlyMap<string, ContractField> | undefined;
  #element: { readonly field: ContractField | undefined } | undefined;
  #others: { readonly field: ContractField | undefined } | undefined;

  constructor(reader: ContractFields, schemas: readonly JsonObject[]) {
    this.#reader = reader;
    this.#schemas = schemas;
    this.types = new Set(schemas.flatMap(({ type }) => (Array.isArray(type) ? type : [type])).filter(isText));
    this.formats = new Set(schemas.map(({ format }) => format).filter(isText));
    this.isReadOnly = schemas.some(({ readOnly }) => readOnly === true);
  }

  get values(): readonly JsonValue[] | undefined {
    const lists = this.#schemas.flatMap(({ enum: values }) => (Array.isArray(values) ? [values] : []));
    return lists.length === 0 ? undefined : [...new Set(lists.flat())];
  }

  get fields(): ReadonlyMap<string, ContractField> {
    if (this.#fields !== undefined) return this.#fields;
    const found = new Map<string, JsonValue[]>();
    for (const { properties } of this.#schemas)
      if (isJsonObject(properties))
        for (const [name, schema] of Object.entries(properties))
          found.set(name, [...(found.get(name) ?? []), schema]);
    this.#fields = new Map([...found].map(([name, schemas]) => [name, this.#reader.of(...schemas)]));
    return this.#fields;
  }

  get required(): ReadonlySet<string> {
    return new Set(
      this.#schemas.flatMap(({ required }) => (Array.isArray(required) ? required.filter(isText) : [])),
    );
  }

  get element(): ContractField | undefined {
    this.#element ??= { field: this.#elementOf() };
    return this.#element.field;
  }

  #elementOf(): ContractField | undefined {
    const items = this.#schemas.flatMap(({ items }) => (items === undefined ? [] : [items]));
    return items.length === 0 ? undefined : this.#reader.of(...items);
  }

  get others(): ContractField | undefined {
    this.#others ??= { field: this.#othersOf() };
    return this.#others.field;
  }

  #othersOf(): ContractField | undefined {
    const stated = this.#schemas.flatMap(({ additionalProperties, patternProperties }) => [
      ...(additionalProperties === undefined || additionalProperties === false ? [] : [additionalProperties]),
      ...(isJsonObject(patternProperties) ? Object.values(patternProperties) : []),
    ]);
    if (stated.length > 0) return this.#reader.of(...stated);
    const isUnsaid =
      this.fields.size === 0 &&
      (this.types.size === 0 || this.types.has('object')) &&
      this.#schemas.every(({ additionalProperties }) => additionalProperties === undefined);
    return isUnsaid ? this.#reader.of() : undefined;
  }

  get form(): AmountForm | undefined {
    const stated = this.#schemas.map((schema) => schema[formKeyword]);
    return amountForms.find((form) => stated.includes(form));
  }

  get description(): string | undefined {
    return this.#schemas.map(({ description }) => description).find(isText);
  }

  get checks(): readonly string[] {
    return this.#schemas.flatMap((schema) => {
      const validators = schema['x-validators'];
      if (!Array.isArray(validators)) return [];
      return validators.flatMap((one) => {
        const codes = isJsonObject(one) ? one['possible_errors'] : undefined;
        return Array.isArray(codes) ? codes.filter(isText) : [];
      });
    });
  }
}

/** Tags of another type are written as text in a contract. */
function unlisted(tags: readonly string[]): JsonObject {
  const isBoolean = tags.length > 0 && tags.every((tag) => ['', 'null', 'true', 'false'].includes(tag));
  return isBoolean ? { type: 'boolean' } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
