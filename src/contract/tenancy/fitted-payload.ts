import { formatDecimal, parseDecimal } from '../../domain/decimal.ts';
import { isJsonObject, numberText, parseJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { contractPattern } from './contract-pattern.ts';
import { schemaReference } from './contract-reference.ts';
import type { ContractSchemas } from './contract-schema.ts';

/** Fields of published contracts, and where the interface's payload has the same. */
const sources: Readonly<Record<string, readonly string[]>> = {
  meter_points: ['supply_points'],
  mpxn: ['identifier'],
  mobile: ['landline'],
  billing_address1: ['billing_address', 'street_address'],
  billing_postcode: ['billing_address', 'postal_code'],
};

/** Texts that are tried where a pattern is required. */
const examples = [
  ...['1.00', '1', 'A', 'AB', 'ABC', 'A1', 'AB1 2CD', '2000', '12345', '1234567890', '+441632960000'],
  ...['example', 'Example', 'example.com', 'https://example.com/', '00000000-0000-4000-8000-000000000000'],
];

const formats: Readonly<Record<string, string>> = {
  date: '2024-01-15',
  'date-time': '2024-01-15T09:00:00Z',
  email: 'person@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
  decimal: '1.00',
};

/**
 * A payload of the interface as a contract would have it: its fields, in its forms, and a made-up value for each further
 * field that it requires. The same payload gives the same result. For synthetic data: a value that does not fit is replaced.
 */
export function fittedPayload(schemas: ContractSchemas, reference: string, payload: JsonObject): JsonObject {
  const fitted = new SchemaFitting(schemas).fit({ $ref: reference }, payload, 0);
  return isJsonObject(fitted) ? fitted : {};
}

/** Where the postcodes that the accounts are made with are too long. */
const shortPostcode = { postal_code: '2000', country: 'AU' };

/** So deep does a made-up value go: schemas may contain themselves. */
const deepest = 12;

const mostMadeUp = 5000;

/** Values that fit schemas of requests, or of answers. */
export class SchemaFitting {
  readonly #schemas: ContractSchemas;
  /** Marks the fields that only the other side has. */
  readonly #notOwn: 'readOnly' | 'writeOnly';
  /** Fields that may still be made up: a schema may require itself several times. */
  #room = mostMadeUp;

  constructor(schemas: ContractSchemas, side: 'requests' | 'answers' = 'requests') {
    this.#schemas = schemas;
    this.#notOwn = side === 'requests' ? 'readOnly' : 'writeOnly';
  }

  fit(stated: JsonValue | undefined, source: JsonValue | undefined, depth: number): JsonValue {
    const schema = this.whole(stated, source);
    const { enum: values, const: only } = schema;
    if (only !== undefined) return only;
    if (Array.isArray(values)) return oneOf(values, source);
    const type = typeOf(schema);
    switch (type) {
      case 'object':
        return this.#object(schema, isJsonObject(source) ? source : {}, depth);
      case 'array':
        return this.#array(schema, Array.isArray(source) ? source : [], depth);
      case 'boolean':
        return typeof source === 'boolean' ? source : false;
      case 'integer':
        return integerOf(schema, source);
      case 'number':
        return numberOf(schema, source);
      case 'string':
        return textOf(schema, source);
      default:
        return source ?? 'Example';
    }
  }

  #object(schema: JsonObject, source: JsonObject, depth: number): JsonValue {
    const { properties } = schema;
    if (!isJsonObject(properties) || Object.keys(properties).length === 0)
      return schema['additionalProperties'] === false ? {} : source;
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const fitted: JsonObject = {};
    for (const [name, inner] of Object.entries(properties)) {
      if (this.whole(inner, undefined)[this.#notOwn] === true) continue;
      const given = givenFor(name, source, properties);
      if (
        (given === undefined || given === null) &&
        (!required.has(name) || depth > deepest || this.#room <= 0)
      )
        continue;
      if (given === undefined) this.#room -= 1;
      fitted[name] = this.fit(inner, given, depth + 1);
    }
    if (Object.keys(source).length === 0 && Object.keys(fitted).length === 0) {
      // Flat CSV cannot distinguish an object without fields from a missing one.
      const plain = Object.entries(properties).find(([, inner]) => this.#isPlain(inner));
      if (plain !== undefined) fitted[plain[0]] = this.fit(plain[1], undefined, depth + 1);
    }
    const { postal_code: postcode } = fitted;
    if (postcode !== undefined && postcode !== source['postal_code']) return { ...fitted, ...shortPostcode };
    return fitted;
  }

  /** A field of one value that requests may have. */
  #isPlain(stated: JsonValue): boolean {
    const schema = this.whole(stated, undefined);
    return (
      schema[this.#notOwn] !== true &&
      ['string', 'number', 'integer', 'boolean'].includes(typeOf(schema) ?? '')
    );
  }

  #array(schema: JsonObject, source: readonly JsonValue[], depth: number): JsonValue {
    const { items, minItems, maxItems } = schema;
    const least = typeof minItems === 'number' ? minItems : 0;
    const most = typeof maxItems === 'number' ? maxItems : Infinity;
    const elements: (JsonValue | undefined)[] = source.slice(0, most);
    while (elements.length < least) elements.push(undefined);
    return elements.map((element) => this.fit(items, element, depth + 1));
  }

  /** A schema with what it refers to and its parts in one, and one of its alternatives: that of the source, or the first. */
  whole(stated: JsonValue | undefined, source: JsonValue | undefined): JsonObject {
    if (!isJsonObject(stated)) return {};
    const { $ref: reference, allOf, oneOf: one, anyOf: some, discriminator, ...own } = stated;
    const parts: JsonObject[] = [];
    if (typeof reference === 'string') parts.push(this.whole(this.#schemas.target(reference), source));
    if (Array.isArray(allOf)) parts.push(...allOf.map((part) => this.whole(part, source)));
    const alternatives = Array.isArray(one) ? one : some;
    if (Array.isArray(alternatives)) parts.push(this.#alternative(alternatives, discriminator, source));
    return [...parts, own].reduce(merged, {});
  }

  #alternative(
    alternatives: readonly JsonValue[],
    discriminator: JsonValue | undefined,
    source: JsonValue | undefined,
  ): JsonObject {
    const { propertyName: name, mapping } = isJsonObject(discriminator) ? discriminator : {};
    if (typeof name !== 'string' || !isJsonObject(mapping)) {
      const fitting = alternatives.find((part) => {
        const { enum: values, ...schema } = this.whole(part, source);
        if (!Array.isArray(values)) return typeOf(schema) === kindOf(source);
        return source === undefined
          ? values.some((value) => value !== null && value !== '')
          : values.includes(source);
      });
      return this.whole(fitting ?? alternatives[0], source);
    }
    const tags = Object.keys(mapping).filter((tag) => tag !== '' && tag !== 'null');
    const given = isJsonObject(source) ? source[name] : undefined;
    const tag = tags.find((known) => known === String(scalar(given))) ?? tags[0] ?? '';
    const target = schemaReference(mapping[tag]);
    const value = tag === 'true' || tag === 'false' ? tag === 'true' : tag;
    return merged(this.whole({ $ref: target }, source), {
      required: [name],
      properties: { [name]: { enum: [value] } },
    });
  }
}

function scalar(value: JsonValue | undefined): string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? value : '';
}

/** Two schemas that both hold. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectOf(one['properties']), ...objectOf(other['properties']) };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** What the interface's payload has for a field of the contract. */
function givenFor(name: string, source: JsonObject, properties: JsonObject): JsonValue | undefined {
  if (source[name] !== undefined) return source[name];
  const [first, ...rest] = sources[name] ?? [];
  if (first === undefined) return undefined;
  // A meter point has both names in some contracts; the others would say the same thing twice.
  if (name !== 'mpxn' && Object.hasOwn(properties, first)) return undefined;
  let at = source[first];
  for (const part of rest) at = isJsonObject(at) ? at[part] : undefined;
  return at;
}

function typeOf({ type, properties, items }: JsonObject): string | undefined {
  const stated = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (typeof stated === 'string') return stated;
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}

function kindOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : typeof value;
}

function oneOf(values: readonly JsonValue[], source: JsonValue | undefined): JsonValue {
  if (source !== undefined && values.includes(source)) return source;
  return values.find((value) => value !== null && value !== '') ?? values[0] ?? '';
}

/** A decimal becomes the minor units of a currency of two decimal places. */
function integerOf({ minimum, maximum }: JsonObject, source: JsonValue | undefined): JsonValue {
  const digits = parseDecimal(numberText(source) ?? '');
  const whole =
    digits === undefined ? 1 : Number((typeof source === 'string' ? digits.times(100) : digits).round());
  return Math.min(Math.max(whole, bound(minimum, -Infinity)), bound(maximum, Infinity));
}

function numberOf({ minimum, maximum }: JsonObject, source: JsonValue | undefined): JsonValue {
  const digits = numberText(source);
  if (digits !== undefined && parseDecimal(digits) !== undefined) return parseJson(digits);
  return Math.min(Math.max(1, bound(minimum, -Infinity)), bound(maximum, Infinity));
}

function bound(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function textOf(schema: JsonObject, source: JsonValue | undefined): string {
  const { format, pattern, minLength, maxLength } = schema;
  const given = typeof source === 'string' ? source : numberText(source);
  const usual = isText(format) ? formats[format] : undefined;
  const [least, most] = [bound(minLength, 0), bound(maxLength, Infinity)];
  const sized = (text: string): string => Array.from(text.padEnd(least, 'x')).slice(0, most).join('');
  const candidates = [given, decimalOf(format, given), usual, 'Example', ...examples]
    .filter((text) => text !== undefined)
    .map(sized);
  const expression = typeof pattern === 'string' ? contractPattern(pattern) : undefined;
  const fits = (text: string): boolean =>
    (expression === undefined || expression.test(text)) &&
    (!isText(format) || usual === undefined || hasFormat(format, text));
  return candidates.find(fits) ?? candidates[0] ?? '';
}

/** With no more decimal places than most contracts take. */
function decimalOf(format: JsonValue | undefined, given: string | undefined): string | undefined {
  const digits = format === 'decimal' ? parseDecimal(given ?? '') : undefined;
  return digits === undefined ? undefined : formatDecimal(digits.round(2));
}

function hasFormat(format: string, text: string): boolean {
  switch (format) {
    case 'decimal':
      return parseDecimal(text) !== undefined;
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text);
    case 'date-time':
      return /^\d{4}-\d{2}-\d{2}T/.test(text);
    case 'email':
      return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text);
    default:
      return text === formats[format];
  }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}
