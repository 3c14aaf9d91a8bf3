import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { safePattern } from '../../domain/safe-pattern.ts';
import { endpoints } from '../endpoints.ts';
import { rootOf, within } from './contract-reference.ts';
import { ContractSchemas } from './contract-schema.ts';
import type { Contract } from './contract.ts';
import { jsonTypeIn, pathIn } from './request-schemas.ts';

/** Whether a text has the form that a tenancy's contract gives to the platform's account numbers. */
export type NumberForm = (number: string) => boolean;

/** The names under which process answers with the number (section 2.4). */
const names = ['kraken_account_number', 'account_number'];

/**
 * The form of the number that process answers with: `pattern`, `minLength` and `maxLength` of a tenancy's contract.
 * Undefined where it gives none of them, or a pattern that cannot be checked.
 */
export function answeredNumberForm({ documents }: Pick<Contract, 'documents'>): NumberForm | undefined {
  const schemas = new ContractSchemas(documents);
  const forms = documents.flatMap((document, file) => {
    const path = pathIn(document, endpoints.process.path);
    if (path === undefined) return [];
    const item = schemas.resolved(within(within(rootOf(file), 'paths'), path));
    const responses = within(within(item, 'post'), 'responses');
    return ['200', '201'].flatMap((status) => numbersIn(schemas, within(responses, status)));
  });
  const checks = forms.flatMap((form) => checksOf(form));
  return checks.length === 0 ? undefined : (number) => checks.every((fits) => fits(number));
}

/** The schemas of the number in a response. */
function numbersIn(schemas: ContractSchemas, response: string): JsonObject[] {
  const content = within(schemas.resolved(response), 'content');
  const types = schemas.find(content);
  const type = isJsonObject(types) ? jsonTypeIn(types) : undefined;
  if (type === undefined) return [];
  const body = schemas.resolved(within(within(content, type), 'schema'));
  return names
    .map((name) => schemas.find(schemas.resolved(within(within(body, 'properties'), name))))
    .filter((schema) => isJsonObject(schema));
}

function checksOf({ pattern, minLength, maxLength }: JsonObject): NumberForm[] {
  const checks: NumberForm[] = [];
  const compiled = typeof pattern === 'string' ? safePattern(pattern) : undefined;
  if (compiled !== undefined) checks.push((number) => compiled.test(number));
  const [least, most] = [lengthIn(minLength), lengthIn(maxLength)];
  if (least !== undefined) checks.push((number) => lengthOf(number) >= least);
  if (most !== undefined) checks.push((number) => lengthOf(number) <= most);
  return checks;
}

function lengthIn(value: JsonValue | undefined): number | undefined {
  const length = value === undefined ? NaN : Number(value);
  return Number.isInteger(length) && length >= 0 ? length : undefined;
}

/** In code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
