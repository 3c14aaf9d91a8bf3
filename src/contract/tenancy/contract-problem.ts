import type { ErrorObject } from 'ajv';
import { joinPath } from '../../domain/paths.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { decimalKeyword } from './contract-schema.ts';

/** The problems that a validation has found, one for each fault: alternatives count as one. */
export function contractProblems(errors: readonly ErrorObject[]): PayloadProblem[] {
  const told: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf')
      // What is wrong with each alternative comes right before.
      while (isWithin(told.at(-1), error)) told.pop();
    told.push(error);
  }
  return told.map(problemOf);
}

function isWithin(inner: ErrorObject | undefined, { instancePath }: ErrorObject): boolean {
  return (
    inner !== undefined &&
    (inner.instancePath === instancePath || inner.instancePath.startsWith(`${instancePath}/`))
  );
}

function problemOf(error: ErrorObject): PayloadProblem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [code, rest, field] = wordingOf(error);
  return {
    code,
    path: joinPath(...path, field ?? ''),
    detail: `The tenancy's contract ${rest}`,
    severity: 'error',
  };
}

type Wording = readonly [code: string, rest: string, field?: string];

/** Formats that have a code of their own, whoever asks for them. */
const formatCodes: Readonly<Record<string, string>> = {
  date: 'invalid_date',
  'date-time': 'invalid_datetime',
};

function wordingOf({ keyword, params }: ErrorObject): Wording {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'required':
      return ['required', 'requires this field.', String(params['missingProperty'])];
    case 'additionalProperties':
      return ['unknown_field', 'does not know this field.', String(params['additionalProperty'])];
    case 'enum':
      return ['invalid_choice', `allows one of ${listed(params['allowedValues'])} here.`];
    case 'const':
      return ['invalid_choice', `allows ${String(params['allowedValue'])} alone here.`];
    case 'maxLength':
      return ['max_length', `allows at most ${limit} characters here.`];
    case 'minLength':
      return ['min_length', `requires at least ${limit} characters here.`];
    case 'pattern':
      return ['invalid_pattern', `requires the form ${String(params['pattern'])} here.`];
    case decimalKeyword:
      return ['invalid_amount', 'requires a decimal of another form here.'];
    case 'format':
      return [
        formatCodes[String(params['format'])] ?? 'invalid_format',
        `requires the format ${String(params['format'])} here.`,
      ];
    case 'type':
      return ['invalid', `requires the type ${String(params['type'])} here.`];
    case 'maximum':
    case 'exclusiveMaximum':
    case 'minimum':
    case 'exclusiveMinimum':
      return ['invalid_amount', `requires a number ${String(params['comparison'])} ${limit} here.`];
    case 'maxItems':
      return ['max_items', `allows at most ${limit} items here.`];
    case 'minItems':
      return ['min_items', `requires at least ${limit} items here.`];
    case 'oneOf':
      if (params['passingSchemas'] !== null)
        return ['invalid', 'has several forms for this value, and it fits more than one of them.'];
      return ['invalid', 'has several forms for this value, and it fits none of them.'];
    case 'anyOf':
      return ['invalid', 'has several forms for this value, and it fits none of them.'];
    default:
      return ['invalid', `does not allow this value (${keyword}).`];
  }
}

const mostListed = 12;

function listed(values: unknown): string {
  const all = Array.isArray(values) ? values.map(String) : [];
  const shown = all.slice(0, mostListed).join(', ');
  return all.length > mostListed ? `${shown} and ${all.length - mostListed} more` : shown;
}
