// Payloads made and judged by others than the tool: made at random from the contract's schemas, judged by another validator.
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { readTenancyContract } from '../../../src/contract/tenancy/tenancy-contract.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { ownContract } from './own-contract.ts';

const contract = readTenancyContract(ownContract);
const { components } = parse(ownContract) as { components: { schemas: Record<string, JsonObject> } };
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.0 in the words of JSON Schema, strict about further fields. */
function plain(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isObject(schema)) return schema;
  const { nullable, discriminator, format, 'x-validators': _checks, ...rest } = schema;
  const made = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)]));
  const ref = made['$ref'];
  if (typeof ref === 'string') made['$ref'] = ref.replace('#/components/schemas/', '#/definitions/');
  if (format === 'date' || format === 'email') made['format'] = format;
  if (made['exclusiveMinimum'] === true) {
    made['exclusiveMinimum'] = made['minimum'] ?? 0;
    delete made['minimum'];
  }
  if (isObject(discriminator)) {
    const { propertyName, mapping } = discriminator as {
      propertyName: string;
      mapping: Record<string, string>;
    };
    made['oneOf'] = Object.entries(mapping).map(([tag, to]) => ({
      allOf: [
        { $ref: `#/definitions/${to.split('/').at(-1)}` },
        { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: [tag] } } },
      ],
    }));
  }
  return nullable === true ? { anyOf: [made, { type: 'null' }] } : made;
}

const definitions = Object.fromEntries(
  Object.entries(components.schemas).map(([name, schema]) => [name, plain(schema)]),
);
const account = definitions['Account'] as JsonObject;
// Only answers have it.
account['required'] = ['import_supplier', 'brand'];
const judge = new Validator({ $ref: '#/definitions/Account', definitions }, '7');

/** Whatever a schema allows, three levels deep. */
function anyOf(schema: JsonValue | undefined, depth = 0): fc.Arbitrary<JsonValue> {
  if (!isObject(schema)) return fc.constant('x');
  const { $ref: ref, oneOf, anyOf: any, allOf, enum: values } = schema;
  if (typeof ref === 'string') return anyOf(definitions[ref.split('/').at(-1) ?? ''], depth);
  const list = Array.isArray(oneOf) ? oneOf : any;
  if (Array.isArray(list)) return fc.oneof(...list.map((part) => anyOf(part, depth)));
  if (Array.isArray(allOf))
    return fc.tuple(...allOf.map((part) => anyOf(part, depth))).map((parts) => {
      const made = Object.assign({}, ...parts.filter(isObject)) as JsonObject;
      return parts.every(isObject) ? made : (parts[0] ?? '');
    });
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, depth);
    case 'array':
      return fc.array(anyOf(schema['items'], depth + 1), { maxLength: depth > 3 ? 0 : 2 });
    case 'integer':
      return fc.integer({ min: 1, max: 9999 });
    case 'number':
      return fc.integer({ min: -500, max: 500 }).map((number) => number / 4);
    case 'null':
      return fc.constant(null);
    default:
      return textOf(schema);
  }
}

function objectOf(schema: JsonObject, depth: number): fc.Arbitrary<JsonValue> {
  const { properties, additionalProperties, required = [] } = schema;
  if (!isObject(properties))
    return fc.dictionary(fc.constantFrom('a', 'b'), anyOf(additionalProperties, depth + 1));
  const made = Object.entries(properties).filter(
    ([name]) => depth < 6 || (required as string[]).includes(name),
  );
  return fc.record(Object.fromEntries(made.map(([name, inner]) => [name, anyOf(inner, depth + 1)])), {
    requiredKeys: required as string[],
  });
}

function textOf({ format, pattern, maxLength }: JsonObject): fc.Arbitrary<string> {
  if (format === 'date') return fc.constantFrom('2024-02-29', '1999-12-31');
  if (format === 'email') return fc.constantFrom('a@example.com', 'b.c@example.org');
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  return fc.string({ maxLength: typeof maxLength === 'number' ? maxLength : 20 });
}

const shape = new Set([
  ...['required', 'unknown_field', 'invalid', 'invalid_choice', 'invalid_amount', 'invalid_date'],
  ...['null', 'blank', 'invalid_datetime', 'invalid_country', 'invalid_format', 'invalid_pattern'],
  ...['max_length', 'min_length', 'max_items', 'min_items'],
]);
const context = { ...defaultRuleContext('2026-11-21'), contract };

function refusals(payload: JsonValue): string[] {
  return checkPayload('stage', payload, context)
    .filter(({ code, severity }) => shape.has(code) && severity === 'error')
    .map(({ code, path }) => `${code} ${path}`);
}

const payloads = fc.sample(
  anyOf({ $ref: '#/definitions/Account' }).filter((made) => judge.validate(made).valid),
  { numRuns: 300, seed: 7 },
);

test('no payload that the contract allows is refused for its shape', () => {
  const refused = payloads.filter((payload) => refusals(payload).length > 0);
  expect(refused).toEqual([]);
});

test('every payload that the contract does not allow is refused', () => {
  const wrong: JsonValue[] = [null, 7, true, '~'.repeat(200), [], {}];
  const passed: JsonValue[] = [];
  let judged = 0;
  for (const [at, payload] of payloads.entries())
    for (const [path, change] of places(payload).map(
      (place, n) => [place, wrong[(at + n) % wrong.length]] as const,
    )) {
      const spoilt = structuredClone(payload);
      path(spoilt, change ?? null);
      // A number takes the contract's form before it is checked and sent.
      const changed = contract.formed('stage', spoilt);
      if (judge.validate(changed).valid) continue;
      judged += 1;
      if (refusals(changed).length === 0) passed.push(changed);
    }
  expect(passed).toEqual([]);
  expect(judged).toBeGreaterThan(500);
});

/** Ways to put another value at each place of a payload. */
function places(payload: JsonValue): ((root: JsonValue, value: JsonValue) => void)[] {
  const found: (string | number)[][] = [];
  const walk = (value: JsonValue, path: (string | number)[]): void => {
    if (path.length > 0) found.push(path);
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index]));
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
  };
  walk(payload, []);
  return found.map((path) => (root, value) => {
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], root);
    (holder as Record<string | number, JsonValue>)[path.at(-1) ?? ''] = value;
  });
}
