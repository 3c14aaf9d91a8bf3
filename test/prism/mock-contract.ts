import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { ownContract } from '../contract/tenancy/own-contract.ts';

/** What a mock server answers: a body for each path of the contract. */
export type Examples = Readonly<Record<string, JsonValue>>;

/**
 * The invented contract as a mock server needs it, in JSON: complete paths, an answer for each endpoint, and the questions
 * that a run asks. Each alternative of a discriminator has its own tag alone, since Prism does not know
 * discriminators and refuses what fits two alternatives.
 */
export function mockContract(examples: Examples = {}): string {
  const text = ownContract
    .replace(
      'import_supplier: { type: string }\n        external',
      'import_supplier: { type: string, enum: [MARSH_POWER] }\n        external',
    )
    // Prism translates the words of version 3.0, but not within a schema that refers to itself.
    .replace('minimum: 0, exclusiveMinimum: true', 'minimum: 1');
  const document = parse(text) as JsonObject;
  const schemas = objectIn(objectIn(document, 'components'), 'schemas');
  for (const schema of Object.values(schemas)) giveTags(schema, schemas);
  const posts = Object.entries(objectIn(document, 'paths')).map(([path, item]) => {
    const post = isJsonObject(item) ? objectIn(item, 'post') : {};
    return [`/v1${path}`, { post: { ...post, responses: answer(201, examples[path] ?? {}) } }];
  });
  const securitySchemes = { token: { type: 'apiKey', in: 'header', name: 'Authorization' } };
  return JSON.stringify({
    ...document,
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: { ...objectIn(document, 'components'), securitySchemes },
    paths: { ...Object.fromEntries(posts), ...questions(examples) },
  });
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function giveTags(schema: JsonValue, schemas: JsonObject): void {
  const { propertyName, mapping } = isJsonObject(schema) ? objectIn(schema, 'discriminator') : {};
  if (typeof propertyName !== 'string' || !isJsonObject(mapping ?? null)) return;
  for (const [tag, to] of Object.entries(mapping as JsonObject)) {
    const name = typeof to === 'string' ? to.slice(to.lastIndexOf('/') + 1) : '';
    const own = { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: [tag] } } };
    schemas[name] = { allOf: [schemas[name] ?? {}, own] };
  }
}

function answer(status: number, example: JsonValue): JsonObject {
  return { [status]: { description: 'Said', content: { 'application/json': { example } } } };
}

function questions(examples: Examples): JsonObject {
  const of = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'string' } });
  const supplier = of('import_supplier_code');
  const lists = ['all', 'pending', 'imported'].map((which): [string, JsonValue] => {
    const path = `/v1/data-import/${which}-account-import-processes/{import_supplier_code}/`;
    return [path, { get: { parameters: [supplier], responses: answer(200, examples[which] ?? []) } }];
  });
  const one = [supplier, of('external_account_number')];
  const status = '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/';
  const asked: [string, JsonValue] = [
    status,
    { get: { parameters: one, responses: answer(200, examples['status'] ?? {}) } },
  ];
  return Object.fromEntries([...lists, asked]);
}
