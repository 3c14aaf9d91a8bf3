// Nearly every payload fits its schema. The library that checks schemas takes long to load and to compile them, so
// functions made of the schemas decide the common case. What they cannot decide is left to that library.
import { ExactNumber, isJsonObject, numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { countryFormat, formKeyword, isCountry, isDate, isDatetime } from '../schemas/fields.ts';
import { triedPattern } from './contract-pattern.ts';
import { decimalForm, decimalKeyword, uncheckedKeyword } from './contract-schema.ts';

type Fits = (value: unknown) => boolean;

/**
 * Makes a function that returns true only if a value certainly fits the schema of this name. A schema that says more than
 * it knows never fits.
 */
export function plainFitOf(definitions: JsonObject, name: string): Fits {
  return new PlainFits(definitions).named(name);
}

const never: Fits = () => false;
const always: Fits = () => true;

/** Texts of these certainly have the format; others may have it too. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': isDatetime,
  [countryFormat]: isCountry,
};

/** Keywords that are about values of one type. */
const ofTexts = ['format', 'maxLength', 'minLength', 'pattern'];
const ofNumbers = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'];
const ofObjects = ['properties', 'required', 'additionalProperties', 'if', 'then'];
const ofArrays = ['items', 'minItems', 'maxItems'];

const decided: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'allOf', 'anyOf', '$ref', decimalKeyword, formKeyword, uncheckedKeyword],
  ...[...ofTexts, ...ofNumbers, ...ofObjects, ...ofArrays],
]);

class PlainFits {
  readonly #definitions: JsonObject;
  readonly #known = new Map<string, { fits: Fits }>();

  constructor(definitions: JsonObject) {
    this.#definitions = definitions;
  }

  named(name: string): Fits {
    const known = this.#known.get(name);
    // A schema may contain itself: its function is looked up when it is needed.
    if (known !== undefined) return known.fits === never ? (value) => known.fits(value) : known.fits;
    const made = { fits: never };
    this.#known.set(name, made);
    made.fits = this.#of(this.#definitions[name]);
    return made.fits;
  }

  #of(schema: JsonValue | undefined): Fits {
    if (schema === true) return always;
    if (!isJsonObject(schema)) return never;
    const { if: test, else: otherwise, ...rest } = schema;
    if (isJsonObject(test) && test['type'] === 'null' && Object.keys(rest).length === 0) {
      const fits = this.#of(otherwise);
      return (value) => value === null || fits(value);
    }
    if (!Object.keys(schema).every((key) => decided.has(key))) return never;
    const { $ref: reference, allOf, anyOf, ...own } = schema;
    const parts = Array.isArray(allOf) ? allOf.map((part) => this.#of(part)) : [];
    if (typeof reference === 'string') parts.push(this.named(reference.replace('#/$defs/', '')));
    if (Array.isArray(anyOf)) {
      const choices = anyOf.map((part) => this.#of(part));
      parts.push((value) => choices.some((fits) => fits(value)));
    }
    if (Object.keys(own).length > 0 || parts.length === 0) parts.unshift(this.#whole(own));
    const [first = never, second] = parts;
    if (second === undefined) return first;
    return (value) => parts.every((fits) => fits(value));
  }

  /** What one schema says itself. */
  #whole(schema: JsonObject): Fits {
    const { type, enum: values } = schema;
    if (schema[decimalKeyword] !== undefined) return decimalFit(schema);
    if (values !== undefined) return enumFit(schema);
    const condition = conditionOf(schema);
    if (condition === undefined) return never;
    const types = new Set(Array.isArray(type) ? type : [type]);
    const is = (name: string): boolean => type === undefined || types.has(name);
    const textFits = is('string') ? textFit(schema) : never;
    const numberFits = is('number') ? numberFit(schema) : types.has('integer') ? integerFit(schema) : never;
    const objectFits = is('object') ? this.#objectFit(schema, condition) : never;
    const arrayFits = is('array') ? this.#arrayFit(schema) : never;
    const [isNull, isBoolean] = [is('null'), is('boolean')];
    return (value) => {
      switch (typeof value) {
        case 'string':
          return textFits(value);
        case 'number':
          return numberFits(value);
        case 'boolean':
          return isBoolean;
        case 'object':
          if (value === null) return isNull;
          if (Array.isArray(value)) return arrayFits(value);
          return !(value instanceof ExactNumber) && objectFits(value);
        default:
          return false;
      }
    };
  }

  #arrayFit({ items = true, minItems = 0, maxItems = Infinity }: JsonObject): Fits {
    if (typeof minItems !== 'number' || typeof maxItems !== 'number') return never;
    const fits = this.#of(items);
    return (value) =>
      Array.isArray(value) && value.length >= minItems && value.length <= maxItems && value.every(fits);
  }

  #objectFit(schema: JsonObject, condition: (object: JsonObject) => boolean): Fits {
    const { properties = {}, required: stated = [], additionalProperties: others } = schema;
    if (!isJsonObject(properties) || !Array.isArray(stated)) return never;
    const required = new Set(stated);
    const fields = new Map(
      Object.entries(properties).map(([name, inner]): [string, Field] => [
        name,
        { name, isRequired: required.has(name), fits: this.#of(inner) },
      ]),
    );
    const least = required.size;
    const otherFits = others === undefined ? always : this.#of(others);
    /** The fields in the order in which they last occurred, which is faster than a lookup in the map. */
    const order: Field[] = [];
    return (value) => {
      let [at, met] = [0, 0];
      const object = value as JsonObject;
      for (const name in object) {
        let field = order[at];
        if (field?.name !== name) {
          field = fields.get(name);
          if (field === undefined) {
            if (!otherFits(object[name])) return false;
            continue;
          }
          order[at] = field;
        }
        at += 1;
        if (!field.fits(object[name])) return false;
        if (field.isRequired) met += 1;
      }
      return met === least && condition(object);
    };
  }
}

interface Field {
  readonly name: string;
  readonly fits: Fits;
  readonly isRequired: boolean;
}

/** Fields that one field's value requires; undefined for any other condition. */
function conditionOf({ if: test, then }: JsonObject): ((object: JsonObject) => boolean) | undefined {
  if (test === undefined) return then === undefined ? () => true : undefined;
  if (!isJsonObject(test) || !isJsonObject(then)) return undefined;
  const { properties, required: named, ...more } = test;
  const { required, ...others } = then;
  const [field, another] = isJsonObject(properties) ? Object.entries(properties) : [];
  if (field === undefined || another !== undefined || !Array.isArray(named) || !Array.isArray(required))
    return undefined;
  const [name, schema] = field;
  const { enum: values, ...rest } = isJsonObject(schema) ? schema : {};
  if (!Array.isArray(values) || [more, others, rest].some((part) => Object.keys(part).length > 0))
    return undefined;
  if (named.length !== 1 || named[0] !== name) return undefined;
  return (object) =>
    !values.includes(object[name] ?? null) ||
    required.every((one) => typeof one === 'string' && object[one] !== undefined);
}

function enumFit({ type = 'string', enum: values, ...others }: JsonObject): Fits {
  if (!Array.isArray(values) || type !== 'string' || Object.keys(others).length > 0) return never;
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  return (value) => typeof value === 'string' && texts.has(value);
}

function decimalFit({ [decimalKeyword]: stated, [formKeyword]: _form, ...bounds }: JsonObject): Fits {
  const { pattern, isNumber } = decimalForm(stated);
  const form = triedPattern(pattern);
  const inBounds = numberFit(bounds);
  if (Object.keys(bounds).some((key) => !ofNumbers.includes(key))) return never;
  return (value) => {
    if (typeof value === 'string') return form.test(value);
    return isNumber && typeof value === 'number' && inBounds(value) && form.test(numberText(value) ?? '');
  };
}

function numberFit({ minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below }: JsonObject): Fits {
  const least = bound(minimum, -Infinity);
  const most = bound(maximum, Infinity);
  const [over, under] = [bound(above, -Infinity), bound(below, Infinity)];
  return (value) =>
    typeof value === 'number' && value >= least && value <= most && value > over && value < under;
}

function integerFit(schema: JsonObject): Fits {
  const fits = numberFit(schema);
  return (value) => Number.isInteger(value) && fits(value);
}

/** NaN compares with nothing. */
function bound(stated: JsonValue | undefined, otherwise: number): number {
  if (stated === undefined) return otherwise;
  return typeof stated === 'number' ? stated : NaN;
}

function textFit({ format, maxLength, minLength, pattern }: JsonObject): Fits {
  const tests: ((text: string) => boolean)[] = [];
  if (typeof pattern === 'string') {
    const form = triedPattern(pattern);
    tests.push((text) => form.test(text));
  }
  if (format !== undefined) {
    const test = typeof format === 'string' ? formats[format] : undefined;
    if (test === undefined) return never;
    tests.push(test);
  }
  // Lengths are counted in code points: a text has at most this many, and at least half as many.
  if (maxLength !== undefined) tests.push((text) => text.length <= bound(maxLength, 0));
  if (minLength !== undefined)
    tests.push((text) => text.length >= (minLength === 1 ? 1 : 2 * bound(minLength, 0)));
  const [first, second, third] = tests;
  if (first === undefined) return always;
  if (second === undefined) return (value) => first(value as string);
  if (third === undefined) return (value) => first(value as string) && second(value as string);
  return (value) => tests.every((test) => test(value as string));
}
