import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type * as ajvModule from 'ajv/dist/2020.js';
import type formatsModule from 'ajv-formats';
import type { JsonValue } from '../../domain/json.ts';
import { lazily, load } from '../../domain/lazily.ts';
import { countryFormat, isCountry, isDate } from '../schemas/fields.ts';
import { triedPattern } from './contract-pattern.ts';
import { ContractRefused } from './contract-refused.ts';
import { decimalForm, decimalKeyword, type ContractSchemas } from './contract-schema.ts';
import { digitsOf, withFloats } from './exact-digits.ts';
import { plainFitOf } from './plain-fit.ts';

/** What holds values to one schema. */
export interface PayloadCheck {
  /** True only if the value certainly fits. */
  readonly fits: (value: unknown) => boolean;
  /** Where it does not fit; empty where it does. */
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

  /** Throws ContractRefused where the schema cannot be used. */
  compiled(reference: string): ValidateFunction {
    const library = (this.#library ??= prepared(this.#schemas));
    try {
      return library.compile({ $ref: `contract${this.#schemas.refer(reference)}` });
    } catch (error) {
      if (error instanceof RangeError || !(error instanceof Error)) throw error;
      throw new ContractRefused(`a schema of it cannot be used, ${error.message}`, 'Correct it.', {
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
