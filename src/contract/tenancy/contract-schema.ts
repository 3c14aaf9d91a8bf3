import { contractPattern } from './contract-pattern.ts';
import { readReference, schemaReference, within } from './contract-reference.ts';
import { ContractRefused } from './contract-refused.ts';
import { formKeyword } from '../schemas/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** Keywords that hold schemas, and how. */
const oneSchema = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
];
const manySchemas = ['allOf', 'anyOf', 'prefixItems'];
const namedSchemas = ['properties', 'patternProperties', 'dependentSchemas'];
/** Keywords that are taken as they are; all others say nothing about what is allowed. */
const plain = [
  ...['type', 'enum', 'const', 'format', 'maxLength', 'minLength', 'maximum', 'minimum', 'multipleOf'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties'],
  ...['minProperties', 'dependentRequired', 'minContains', 'maxContains'],
  // This allows any value: it only describes the value next to it.
  formKeyword,
];

/** Replaces a pattern that cannot be run. */
export const uncheckedKeyword = 'uncheckedPattern';

/** Amounts that a contract describes as decimal strings, by the form of their digits: a DecimalForm. */
export const decimalKeyword = 'decimalForm';

/** The form of a decimal's digits, and whether a number is taken as well as a text. */
export interface DecimalForm {
  readonly pattern: string;
  readonly isNumber: boolean;
}

export function decimalForm(value: unknown): DecimalForm {
  const { pattern, isNumber } = isJsonObject(value) ? value : {};
  return { pattern: typeof pattern === 'string' ? pattern : anyDecimal, isNumber: isNumber === true };
}

/**
 * Rewrites schemas of OpenAPI documents, 3.0 or 3.1, as one JSON Schema with all that they refer to:
 * what is not needed is left aside, and what only OpenAPI knows is said in JSON Schema's own words.
 */
export class ContractSchemas {
  readonly definitions: JsonObject = {};
  /** Places of patterns that cannot be run, and are left to the platform. */
  readonly unchecked: string[] = [];
  readonly #documents: readonly JsonObject[];
  readonly #isStrict: boolean;
  /** Marks the fields that only the other side has. */
  readonly #notOwn: 'readOnly' | 'writeOnly';
  readonly #names = new Map<string, string>();

  /** `isStrict`: without the leniency that docs/tenancies.md lists. `side`: whose fields are required. */
  constructor(documents: readonly JsonObject[], isStrict = false, side: 'requests' | 'answers' = 'requests') {
    this.#documents = documents;
    this.#isStrict = isStrict;
    this.#notOwn = side === 'requests' ? 'readOnly' : 'writeOnly';
  }

  /** The reference, within `definitions`, to the schema that a reference leads to; `place` has the reference. */
  refer(reference: string, place = reference): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const name = `s${this.#names.size}`;
    const ref = `#/$defs/${name}`;
    // Known before its content is, as schemas may contain themselves.
    this.#names.set(reference, ref);
    this.definitions[name] = this.#rewritten(this.target(reference, place), reference);
    return ref;
  }

  /** The reference that this one, within `definitions`, replaces. */
  referenceTo(ref: string): string | undefined {
    return [...this.#names].find(([, own]) => own === ref)?.[0];
  }

  /** What a reference leads to; `place` has the reference. */
  target(reference: string, place = reference): JsonValue {
    if (readReference(reference) === undefined)
      throw new ContractRefused(
        `it refers to another document, ${reference}`,
        'Bundle the contract into one file.',
        { reference: within(place, '$ref') },
      );
    const found = this.find(reference);
    if (found === undefined)
      throw new ContractRefused(
        `it refers to ${reference.slice(reference.indexOf('#'))}, which is not in it`,
        'Correct the contract.',
        { reference: within(place, '$ref') },
      );
    return found;
  }

  /** The same; undefined if it leads nowhere. */
  find(reference: string): JsonValue | undefined {
    const { file, names } = readReference(reference) ?? { file: 0, names: [''] };
    let at: JsonValue | undefined = this.#documents[file];
    for (const name of names)
      if (Array.isArray(at)) at = at[Number(name)];
      else at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    return at;
  }

  /**
   * Leaves out what would refuse more because a pattern is not checked: negations and conditions that lead to one. To
   * be called when everything is referred to.
   */
  settle(): void {
    if (this.unchecked.length === 0) return;
    const reaches = (value: JsonValue | undefined, met: Set<string>): boolean => {
      if (Array.isArray(value)) return value.some((item) => reaches(item, met));
      if (!isJsonObject(value)) return false;
      if (value[uncheckedKeyword] === true) return true;
      const name = typeof value['$ref'] === 'string' ? value['$ref'].replace('#/$defs/', '') : '';
      if (name !== '' && !met.has(name) && reaches(this.definitions[name], met.add(name))) return true;
      return Object.values(value).some((item) => reaches(item, met));
    };
    const settle = (value: JsonValue): void => {
      if (Array.isArray(value)) value.forEach(settle);
      if (!isJsonObject(value)) return;
      Object.values(value).forEach(settle);
      for (const keys of [['not'], ['if', 'then', 'else']])
        if (reaches(value[keys[0] ?? ''], new Set())) {
          for (const key of keys) Reflect.deleteProperty(value, key);
          value[uncheckedKeyword] = true;
        }
    };
    Object.values(this.definitions).forEach(settle);
  }

  /** The reference to what a reference leads to in the end, where that is itself a reference. */
  resolved(reference: string): string {
    const seen = new Set<string>();
    let at = reference;
    for (;;) {
      const found = this.find(at);
      const next = isJsonObject(found) ? found['$ref'] : undefined;
      if (typeof next !== 'string' || seen.has(next)) return at;
      this.target(next, at);
      seen.add(next);
      at = next;
    }
  }

  #rewritten(schema: JsonValue | undefined, place: string): JsonValue {
    if (!isJsonObject(schema)) return schema === false ? false : true;
    const written: JsonObject = {};
    for (const key of plain) if (schema[key] !== undefined) written[key] = schema[key];
    if (typeof schema['$ref'] === 'string') written['$ref'] = this.refer(schema['$ref'], place);
    for (const key of oneSchema)
      if (schema[key] !== undefined) written[key] = this.#rewritten(schema[key], within(place, key));
    for (const key of manySchemas) {
      const list = schema[key];
      if (Array.isArray(list))
        written[key] = list.map((item, at) => this.#rewritten(item, within(within(place, key), at)));
    }
    for (const key of namedSchemas) {
      const named = schema[key];
      if (!isJsonObject(named)) continue;
      const isPattern = key === 'patternProperties';
      const kept = Object.entries(named).filter(
        ([name]) => !isPattern || this.#canRun(name, within(place, key), written),
      );
      written[key] = Object.fromEntries(
        kept.map(([name, item]) => [name, this.#rewritten(item, within(within(place, key), name))]),
      );
      // A property that the pattern might have named is none too many.
      if (kept.length < Object.keys(named).length) Reflect.deleteProperty(written, 'additionalProperties');
    }
    this.#addPattern(written, schema, place);
    addRequired(written, schema, this.#notOwn);
    addBounds(written, schema);
    this.#addAlternatives(written, schema, place);
    const isNull = written[decimalKeyword] !== undefined && listOf(schema['type']).includes('null');
    return isNull || this.#isNullable(schema, place) ? nullable(written) : written;
  }

  /** Strictly, only version 3.0 has the flag, and a list of values must include null as well. */
  #isNullable({ nullable: flag, enum: values }: JsonObject, place: string): boolean {
    if (flag !== true || !this.#isStrict) return flag === true;
    const document = this.#documents[readReference(place)?.file ?? 0];
    const isListed = !Array.isArray(values) || values.includes(null);
    const version = document?.['openapi'];
    return isListed && typeof version === 'string' && version.startsWith('3.0');
  }

  #addPattern(written: JsonObject, schema: JsonObject, place: string): void {
    const stated = schema['pattern'];
    const pattern = typeof stated === 'string' && this.#canRun(stated, place, written) ? stated : undefined;
    if (pattern !== undefined) written['pattern'] = pattern;
    const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
    if (!types.includes('string') || schema['format'] !== 'decimal') return;
    for (const key of ['type', 'format', 'pattern']) Reflect.deleteProperty(written, key);
    const isNumber = types.includes('number') || types.includes('integer');
    written[decimalKeyword] = { pattern: pattern ?? anyDecimal, isNumber };
  }

  /** Nothing is left unchecked without a word. */
  #canRun(pattern: string, place: string, written: JsonObject): boolean {
    if (contractPattern(pattern) !== undefined) return true;
    if (this.#isStrict)
      throw new ContractRefused(
        'it has a pattern that cannot be checked here, and --strict-contract leaves nothing unchecked',
        'Write the pattern without look-around and back-references, or leave out --strict-contract.',
        { reference: place },
      );
    this.unchecked.push(place);
    written[uncheckedKeyword] = true;
    return false;
  }

  /** One of several schemas; if a property says which, only that one is checked against the value. */
  #addAlternatives(written: JsonObject, schema: JsonObject, place: string): void {
    const alternatives = schema['oneOf'];
    if (!Array.isArray(alternatives)) return;
    const tag = isJsonObject(schema['discriminator']) ? schema['discriminator'] : {};
    const { propertyName } = tag;
    const mapping = tag['mapping'] ?? (this.#isStrict ? impliedMapping(alternatives) : undefined);
    if (typeof propertyName !== 'string' || !isJsonObject(mapping)) {
      const fitting = alternatives.map((item, at) =>
        this.#rewritten(item, within(within(place, 'oneOf'), at)),
      );
      // The platform checks that no second one fits as well.
      const chosen = this.#isStrict ? { oneOf: fitting } : { anyOf: fitting };
      written['allOf'] = [...listOf(written['allOf']), chosen];
      return;
    }
    const tags = Object.entries(mapping);
    const mapped = within(within(place, 'discriminator'), 'mapping');
    const choices = tags.map(([value, reference]) => ({
      if: tagged(propertyName, value),
      then: { $ref: this.refer(schemaReference(reference, readReference(place)?.file), mapped) },
    }));
    const values = tags.flatMap(([value]) => tagValues(value));
    const known = { type: 'object', properties: { [propertyName]: { enum: values } } };
    const required = tags.some(([value]) => value === '') ? {} : { required: [propertyName] };
    written['allOf'] = [...listOf(written['allOf']), { ...known, ...required }, ...choices];
  }
}

/** Without a mapping, the tag of an alternative is its name; undefined if one has none. */
function impliedMapping(alternatives: readonly JsonValue[]): JsonObject | undefined {
  const mapping: JsonObject = {};
  for (const alternative of alternatives) {
    const reference = isJsonObject(alternative) ? alternative['$ref'] : undefined;
    const name = typeof reference === 'string' ? readReference(reference)?.names.at(-1) : undefined;
    if (typeof reference !== 'string' || name === undefined) return undefined;
    mapping[name] = reference;
  }
  return mapping;
}

const anyDecimal = '^-?\\d+(?:\\.\\d+)?$';

/** In OpenAPI 3.0 a flag allows null, even next to references and lists of values. */
function nullable(schema: JsonObject): JsonObject {
  return { if: { type: 'null' }, else: schema };
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
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

/** What only answers have is not required in a request, nor the reverse. */
function addRequired(written: JsonObject, schema: JsonObject, notOwn: 'readOnly' | 'writeOnly'): void {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return;
  written['required'] = required.filter((name) => {
    const property = isJsonObject(properties) && typeof name === 'string' ? properties[name] : undefined;
    return !(isJsonObject(property) && property[notOwn] === true);
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
