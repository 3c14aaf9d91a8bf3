import { contractPattern } from './contract-pattern.ts';
import { ContractRefused } from './contract-refused.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** Keywords that hold schemas, and how. */
const oneSchema = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const manySchemas = ['allOf', 'anyOf', 'prefixItems'];
const namedSchemas = ['properties', 'patternProperties'];
/** Keywords that are taken as they are; all others say nothing about what is allowed. */
const plain = [
  ...['type', 'enum', 'const', 'format', 'maxLength', 'minLength', 'maximum', 'minimum', 'multipleOf'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties'],
  'minProperties',
];

/** Amounts that a contract describes as decimal strings; a JSON number with such digits is one as well. */
export const decimalKeyword = 'decimalPattern';

/**
 * Rewrites the request schemas of an OpenAPI document, 3.0 or 3.1, as one JSON Schema with all that they refer to:
 * what is not needed is left aside, and what only OpenAPI knows is said in JSON Schema's own words.
 */
export class ContractSchemas {
  readonly definitions: JsonObject = {};
  private readonly document: JsonObject;
  private readonly names = new Map<string, string>();

  constructor(document: JsonObject) {
    this.document = document;
  }

  /** The reference, within `definitions`, to the schema that a reference of the document leads to. */
  refer(reference: string): string {
    const known = this.names.get(reference);
    if (known !== undefined) return known;
    const name = `s${this.names.size}`;
    const ref = `#/$defs/${name}`;
    // Known before its content is, as schemas may contain themselves.
    this.names.set(reference, ref);
    this.definitions[name] = this.rewritten(this.target(reference), reference);
    return ref;
  }

  /** What a reference leads to. */
  target(reference: string): JsonValue {
    if (!reference.startsWith('#'))
      throw new ContractRefused(
        `it refers to another document, ${reference}. Bundle the contract into one file.`,
      );
    let at: JsonValue | undefined = this.document;
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(at)) at = at[Number(name)];
      else at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    if (at === undefined)
      throw new ContractRefused(`it refers to ${reference}, which is not in it. Correct the contract.`);
    return at;
  }

  private rewritten(schema: JsonValue | undefined, place: string): JsonValue {
    if (!isJsonObject(schema)) return schema === false ? false : true;
    const written: JsonObject = {};
    for (const key of plain) if (schema[key] !== undefined) written[key] = schema[key];
    if (typeof schema['$ref'] === 'string') written['$ref'] = this.refer(schema['$ref']);
    for (const key of oneSchema)
      if (schema[key] !== undefined) written[key] = this.rewritten(schema[key], `${place}/${key}`);
    for (const key of manySchemas) {
      const list = schema[key];
      if (Array.isArray(list))
        written[key] = list.map((item, at) => this.rewritten(item, `${place}/${key}/${at}`));
    }
    for (const key of namedSchemas) {
      const named = schema[key];
      if (key === 'patternProperties' && isJsonObject(named))
        for (const pattern of Object.keys(named)) requireRunnable(pattern, `${place}/${key}`);
      if (isJsonObject(named))
        written[key] = Object.fromEntries(
          Object.entries(named).map(([name, item]) => [
            name,
            this.rewritten(item, `${place}/${key}/${name}`),
          ]),
        );
    }
    this.addPattern(written, schema, place);
    addRequired(written, schema);
    addBounds(written, schema);
    this.addAlternatives(written, schema, place);
    if (schema['nullable'] === true && typeof written['type'] === 'string')
      written['type'] = [written['type'], 'null'];
    return written;
  }

  private addPattern(written: JsonObject, schema: JsonObject, place: string): void {
    const pattern = schema['pattern'];
    if (typeof pattern === 'string') {
      requireRunnable(pattern, place);
      written['pattern'] = pattern;
    }
    if (schema['type'] !== 'string' || schema['format'] !== 'decimal') return;
    for (const key of ['type', 'format', 'pattern']) Reflect.deleteProperty(written, key);
    written[decimalKeyword] = typeof pattern === 'string' ? pattern : '';
  }

  /** One of several schemas; where a property tells which, that one alone is held against the value. */
  private addAlternatives(written: JsonObject, schema: JsonObject, place: string): void {
    const alternatives = schema['oneOf'];
    if (!Array.isArray(alternatives)) return;
    const tag = isJsonObject(schema['discriminator']) ? schema['discriminator'] : {};
    const { propertyName, mapping } = tag;
    if (typeof propertyName !== 'string' || !isJsonObject(mapping)) {
      // That no second one fits as well is the platform's business.
      const fitting = alternatives.map((item, at) => this.rewritten(item, `${place}/oneOf/${at}`));
      written['allOf'] = [...listOf(written['allOf']), { anyOf: fitting }];
      return;
    }
    const tags = Object.entries(mapping);
    const choices = tags.map(([value, reference]) => ({
      if: tagged(propertyName, value),
      then: { $ref: this.refer(schemaReference(reference)) },
    }));
    const values = tags.flatMap(([value]) => tagValues(value));
    const known = { type: 'object', properties: { [propertyName]: { enum: values } } };
    const required = tags.some(([value]) => value === '') ? {} : { required: [propertyName] };
    written['allOf'] = [...listOf(written['allOf']), { ...known, ...required }, ...choices];
  }
}

/** Nothing is left unchecked without a word. */
function requireRunnable(pattern: string, place: string): void {
  if (contractPattern(pattern) !== undefined) return;
  throw new ContractRefused(
    `the pattern at ${place} cannot be used: it is no regular expression, or has look-around, back-references or, as a part of it, a repetition beyond 1,000, with which a check might never end. Write it without (a length as maxLength), or take it out.`,
  );
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A mapping names a schema by its reference, or by its bare name. */
function schemaReference(reference: JsonValue): string {
  if (typeof reference !== 'string') return '';
  return /^[\w.-]+$/.test(reference) ? `#/components/schemas/${reference}` : reference;
}

/** The tag of an alternative as text; '' stands for none. */
function tagged(property: string, value: string): JsonObject {
  const present: JsonObject = {
    required: [property],
    properties: { [property]: { enum: tagValues(value) } },
  };
  return value === '' ? { anyOf: [{ not: { required: [property] } }, present] } : present;
}

function tagValues(value: string): JsonValue[] {
  if (value === 'true' || value === 'false') return [value, value === 'true'];
  return [value];
}

/** What only answers have is not required in a request. */
function addRequired(written: JsonObject, schema: JsonObject): void {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return;
  written['required'] = required.filter((name) => {
    const property = isJsonObject(properties) && typeof name === 'string' ? properties[name] : undefined;
    return !(isJsonObject(property) && property['readOnly'] === true);
  });
}

/** In OpenAPI 3.0 an exclusive bound is a flag beside the bound. */
function addBounds(written: JsonObject, schema: JsonObject): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    Reflect.deleteProperty(written, flag);
    const value = schema[bound];
    if (!schema[flag] || value === undefined) continue;
    Reflect.deleteProperty(written, bound);
    written[flag] = value;
  }
}
