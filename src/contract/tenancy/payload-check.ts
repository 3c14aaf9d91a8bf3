import type formatsModule from 'ajv-formats';
import type * as ajvModule from 'ajv/dist/2020.js';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ExactNumber, isJsonObject, numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { lazily, load } from '../../domain/lazily.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { countryFormat, isCountry, isDate } from '../schemas/fields.ts';
import type { Schema } from '../schemas/schema.ts';
import { triedPattern } from './contract-pattern.ts';
import { contractProblems } from './contract-problem.ts';
import { ContractRefused } from './contract-refused.ts';
import { ContractSchemas, decimalForm, decimalKeyword } from './contract-schema.ts';
import { interfaceWords } from './misfit-words.ts';
import { plainFitOf } from './plain-fit.ts';

/** What holds values to one schema. */
export interface PayloadCheck {
  /** True only if the value certainly fits. */
  readonly fits: (value: unknown) => boolean;
  /** Where it does not fit; empty if it does. */
  readonly errors: (value: JsonValue) => readonly ErrorObject[];
}

/** The checks of schemas that refer to each other, each compiled when it is first needed. */
export class PayloadChecks {
  readonly #schemas: ContractSchemas;
  #library: Ajv2020 | undefined;

  constructor(schemas: ContractSchemas) {
    this.#schemas = schemas;
  }

  /** The check of the schema that a reference leads to. */
  of(reference: string): PayloadCheck {
    const root = this.#schemas.refer(reference);
    let validate: ValidateFunction | undefined;
    return {
      fits: plainFitOf(this.#schemas.definitions, root.replace('#/$defs/', '')),
      errors: (value) => {
        validate ??= this.compiled(reference);
        return validate(withFloats(value)) ? [] : (validate.errors ?? []);
      },
    };
  }

  /** Throws ContractRefused if the schema cannot be used. */
  compiled(reference: string): ValidateFunction {
    const library = (this.#library ??= prepared(this.#schemas));
    try {
      return library.compile({ $ref: `contract${this.#schemas.refer(reference)}` });
    } catch (error) {
      if (error instanceof RangeError || !(error instanceof Error)) throw error;
      throw new ContractRefused(`one of its schemas cannot be used: ${error.message}`, 'Correct it.', {
        cause: error,
        reference,
      });
    }
  }
}

/** Nearly every payload fits plainly. */
const ajv = lazily(() => load('ajv/dist/2020.js') as typeof ajvModule);
const ajvFormats = lazily(() => load('ajv-formats') as typeof formatsModule);

function prepared({ definitions }: ContractSchemas): Ajv2020 {
  const { Ajv2020: Library } = ajv();
  const library = new Library({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    unicodeRegExp: false,
    code: { regExp: Object.assign(triedPattern, { code: 'triedPattern' }) },
    logger: false,
  });
  ajvFormats().default(library);
  const { validate: isTime } = library.formats['date-time'] as { validate: (text: string) => boolean };
  // Most systems have no year 0.
  library.addFormat('date', isDate);
  library.addFormat('date-time', (text: string) => isTime(text) && isDate(text.slice(0, 10)));
  library.addFormat(countryFormat, isCountry);
  library.addKeyword({
    keyword: decimalKeyword,
    compile: (stated: JsonValue) => {
      const { pattern, isNumber } = decimalForm(stated);
      const form = triedPattern(pattern);
      return (value: unknown, place) => {
        if (typeof value !== 'string' && !(isNumber && typeof value === 'number')) return false;
        return form.test(digitsOf(value, place?.parentData, place?.parentDataProperty ?? '') ?? '');
      };
    },
  });
  library.addSchema({ $id: 'contract', $defs: definitions });
  return library;
}

/** Holds values to one schema that no endpoint has. */
interface SchemaCheck<Value> {
  /** Whether the value certainly fits. */
  readonly fits: (value: unknown) => value is Value;
  /** What is wrong with it; of a value that fits, nothing. */
  readonly problems: (value: JsonValue) => readonly PayloadProblem[];
}

export function schemaCheck<Value>(schema: Schema<Value>): SchemaCheck<Value> {
  const { fits, errors } = new PayloadChecks(new ContractSchemas([{ schema }])).of('#/schema');
  return {
    fits: (value): value is Value => fits(value),
    problems: (value) => (fits(value) ? [] : contractProblems(errors(value), interfaceWords)),
  };
}

/** The digits of numbers that no float can hold, by the object or array that has them and their name in it. */
const digitsIn = new WeakMap<object, Map<string | number, string>>();

/**
 * The value with floats in place of the numbers that no float can hold: a schema would not know those for numbers. Their
 * digits are kept for `digitsOf`.
 */
function withFloats(value: JsonValue): JsonValue {
  return value instanceof ExactNumber ? Number(value.value) : holdsExact(value) ? copied(value) : value;
}

function holdsExact(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(holdsExact);
  for (const name in value) if (holdsExact(value[name] as JsonValue)) return true;
  return false;
}

function copied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const [index, item] of value.entries()) list.push(inside(list, index, item));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const object: JsonObject = {};
  for (const [name, item] of Object.entries(value))
    // A member of the name __proto__ is a member like any other.
    Object.defineProperty(object, name, {
      value: inside(object, name, item),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  return object;
}

function inside(holder: object, name: string | number, item: JsonValue): JsonValue {
  if (!(item instanceof ExactNumber)) return copied(item);
  const known = digitsIn.get(holder) ?? new Map<string | number, string>();
  digitsIn.set(holder, known.set(name, item.value));
  return Number(item.value);
}

/** The digits of a number, or a text, within what holds it; undefined for other values. */
function digitsOf(value: unknown, holder: object | undefined, name: string | number): string | undefined {
  return (holder && digitsIn.get(holder)?.get(name)) ?? numberText(value);
}
