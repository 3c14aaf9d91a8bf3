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
      return 'A country is given by its two-letter code.';
    default:
      if (keyword !== 'type') return `The interface does not allow this value (${keyword}).`;
      if (schema['type'] === 'object' && schema['properties'] === undefined)
        return 'A JSON object is required.';
      return `Must be of the type ${typesOf(schema).join(' or ')}.`;
  }
};

/** The words for a contract that the tenancy publishes. */
export const contractWords: Words = (misfit) => `The tenancy's contract ${contractWord(misfit)}`;

function contractWord({ code, keyword = code, params = {}, schema = {} }: Misfit): string {
  const limit = String(params['limit']);
  switch (code) {
    case 'required':
      return 'requires this field.';
    case 'null':
      return 'does not allow null here. Leave the field out, or give it a value.';
    case 'blank':
      return 'requires text here that is not blank.';
    case 'unknown_field':
      return 'does not document this field. Remove it from the mapping or the export.';
    case 'read_only':
      return 'has this field only in answers. Remove it from the mapping or the export.';
    case 'invalid_date':
      return 'requires an existing date here, as YYYY-MM-DD.';
    case 'invalid_country':
      return 'requires the two-letter code of a country here.';
    default:
  }
  switch (keyword) {
    case 'enum':
      return `allows one of ${listed(params)} here.`;
    case 'const':
      return `allows only ${String(params['allowedValue'])} here.`;
    case 'maxLength':
      return `allows at most ${limit} characters here.`;
    case 'minLength':
      return `requires at least ${limit} characters here.`;
    case 'pattern':
      return `requires the form ${String(params['pattern'])} here.`;
    case decimalKeyword:
      return `requires a decimal of the form ${decimalForm(schema[decimalKeyword]).pattern} here.`;
    case 'format':
      return `requires the format ${String(params['format'])} here.`;
    case 'type':
      return `requires the type ${String(params['type'])} here.`;
    case 'maximum':
    case 'exclusiveMaximum':
    case 'minimum':
    case 'exclusiveMinimum':
      return `requires a number ${String(params['comparison'])} ${limit} here.`;
    case 'maxItems':
      return `allows at most ${limit} items here.`;
    case 'minItems':
      return `requires at least ${limit} items here.`;
    case 'oneOf':
    case 'anyOf':
      return typeof params['passingSchemas'] === 'object' && params['passingSchemas'] !== null
        ? 'has several forms for this value, and it fits more than one of them.'
        : 'has several forms for this value, and it fits none of them.';
    default:
      return `does not allow this value (${keyword}).`;
  }
}

const mostListed = 12;

function listed({ allowedValues }: NonNullable<Misfit['params']>): string {
  const all = Array.isArray(allowedValues) ? allowedValues.map(String) : [];
  const shown = all.slice(0, mostListed).join(', ');
  return all.length > mostListed ? `${shown} and ${all.length - mostListed} more` : shown;
}
