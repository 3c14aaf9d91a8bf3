import { formKeyword } from '../schemas/fields.ts';
import { typesOf, type Misfit, type Words } from './contract-problem.ts';
import { decimalForm, decimalKeyword } from './contract-schema.ts';

const amountBounds = 'at most ten digits before and ten after the decimal point';

const amountWords: Readonly<Record<string, string>> = {
  'decimal-string': 'A decimal',
  number: 'A number',
  amount: 'An amount',
};

/** The interface document's words. */
export const interfaceWords: Words = ({ code, keyword = code, params = {}, schema = {} }) => {
  switch (code) {
    case 'required':
      return 'This field is required.';
    case 'null':
      return 'This field may not be null; omit it instead.';
    case 'blank':
      return 'This field may not be blank.';
    case 'unknown_field':
      return 'The interface does not document this field. Remove it from the mapping or the export.';
    case 'invalid_choice':
      return `Must be one of ${listed(params)}.`;
    case 'max_length':
      return `Must have at most ${String(params['limit'])} characters.`;
    case 'invalid_amount':
      return `${amountWords[String(schema[formKeyword])] ?? 'A number'} is required: ${amountBounds}.`;
    case 'invalid_date':
      return 'Date has wrong format or does not exist. Use YYYY-MM-DD.';
    case 'invalid_datetime':
      return 'Datetime has wrong format or does not exist. Use YYYY-MM-DDTHH:MM:SSZ.';
    case 'invalid_country':
      return 'A country is given by its two-letter code (ISO 3166-1): GB, not UK; GR, not EL.';
    default:
      if (keyword !== 'type') return `The interface does not allow this value (${keyword}).`;
      if (schema['type'] === 'object' && schema['properties'] === undefined)
        return 'A JSON object is required.';
      return `Must be of the type ${typesOf(schema).join(' or ')}.`;
  }
};

/** The words for a contract that the tenancy publishes. */
export const contractWords: Words = (misfit) => `The tenancy's contract ${contractWord(misfit)}`;

function contractWord(misfit: Misfit): string {
  const { code, keyword = code } = misfit;
  const word = wordsByCode[code] ?? wordsByKeyword[keyword]?.(misfit);
  return word ?? `does not allow this value (${keyword}).`;
}

const wordsByCode: Readonly<Record<string, string>> = {
  required: 'requires this field.',
  null: 'does not allow null here. Leave the field out, or give it a value.',
  blank: 'requires text here that is not blank.',
  unknown_field: 'does not document this field. Remove it from the mapping or the export.',
  read_only: 'has this field only in answers. Remove it from the mapping or the export.',
  invalid_date: 'requires an existing date here, as YYYY-MM-DD.',
  invalid_country: 'requires the two-letter code of a country here (ISO 3166-1): GB, not UK; GR, not EL.',
};

type Word = (misfit: Misfit) => string;

const bounded: Word = ({ params = {} }) =>
  `requires a number ${String(params['comparison'])} ${limitIn(params)} here.`;

const severalForms: Word = ({ params = {} }) =>
  typeof params['passingSchemas'] === 'object' && params['passingSchemas'] !== null
    ? 'has several forms for this value, and it fits more than one of them.'
    : 'has several forms for this value, and it fits none of them.';

const wordsByKeyword: Readonly<Record<string, Word>> = {
  enum: ({ params = {} }) => `allows one of ${listed(params)} here.`,
  const: ({ params = {} }) => `allows only ${String(params['allowedValue'])} here.`,
  maxLength: ({ params = {} }) => `allows at most ${limitIn(params)} characters here.`,
  minLength: ({ params = {} }) => `requires at least ${limitIn(params)} characters here.`,
  pattern: ({ params = {} }) => `requires the form ${String(params['pattern'])} here.`,
  [decimalKeyword]: ({ schema = {} }) =>
    `requires a decimal of the form ${decimalForm(schema[decimalKeyword]).pattern} here.`,
  format: ({ params = {} }) => `requires the format ${String(params['format'])} here.`,
  type: ({ params = {} }) => `requires the type ${String(params['type'])} here.`,
  maximum: bounded,
  exclusiveMaximum: bounded,
  minimum: bounded,
  exclusiveMinimum: bounded,
  maxItems: ({ params = {} }) => `allows at most ${limitIn(params)} items here.`,
  minItems: ({ params = {} }) => `requires at least ${limitIn(params)} items here.`,
  oneOf: severalForms,
  anyOf: severalForms,
};

function limitIn(params: NonNullable<Misfit['params']>): string {
  return String(params['limit']);
}

const mostListed = 12;

function listed({ allowedValues }: NonNullable<Misfit['params']>): string {
  const all = Array.isArray(allowedValues) ? allowedValues.map(String) : [];
  const shown = all.slice(0, mostListed).join(', ');
  return all.length > mostListed ? `${shown} and ${all.length - mostListed} more` : shown;
}
