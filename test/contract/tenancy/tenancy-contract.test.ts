import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { ContractRefused } from '../../../src/contract/tenancy/contract-refused.ts';
import { readTenancyContract } from '../../../src/contract/tenancy/tenancy-contract.ts';
import { ExactNumber, type JsonObject } from '../../../src/domain/json.ts';
import type { StepName } from '../../../src/domain/steps.ts';
import { ownContract } from './own-contract.ts';

const contract = readTenancyContract(ownContract);

const whose = { import_supplier: 'S', external_account_number: '1' };

function account(changes: JsonObject): JsonObject {
  return { ...whose, brand: 'FEN', ...changes };
}

const known = { given_name: 'Ada', family_name: 'Fen', email: 'ada@example.com' };

function found(payload: JsonObject, step: StepName = 'validate', tenancy = contract): string[] {
  const context = { ...defaultRuleContext('2026-11-21'), contract: tenancy };
  return checkPayload(step, payload, context).map(
    ({ code, path, severity }) => `${code} ${path}${severity === 'warning' ? ' (warning)' : ''}`,
  );
}

test('fields that the contract documents are known, and the others are not', () => {
  expect(found(account({}))).toEqual([]);
  const loyalty = { points: 1, friend: { points: 2 } };
  expect(found(account({ customers: [{ ...known, loyalty }] }))).toEqual([]);
  expect(found(account({ colour: 'red', customers: [{ ...known, loyalty: {}, pet: 'cat' }] }))).toEqual([
    'unknown_field customers.0.pet',
    'unknown_field colour',
  ]);
});

test('the rules of the interface are kept beside fields of the tenancy', () => {
  expect(found(account({ unknown_occupier: true, customers: [{ loyalty: {} }] }))).toEqual([
    'customer_with_unknown_occupier unknown_occupier',
  ]);
});

test('required fields, enumerations, lengths, patterns, formats and bounds are checked at their paths', () => {
  const payload = account({
    sales_channel: 'EVENTS',
    transfer_balance: '1234567.00',
    billing_address: { postal_code: 'lower', street_address: '1 Bank', country: 'ZW' },
    customers: [{ ...known, family_name: 'Thirteen long', email: 'nowhere', loyalty: { points: 0 } }],
  });
  delete payload['brand'];
  expect(found(payload).sort()).toEqual([
    'invalid_amount customers.0.loyalty.points',
    'invalid_amount transfer_balance',
    'invalid_choice sales_channel',
    'invalid_format customers.0.email',
    'invalid_pattern billing_address.postal_code',
    'max_length customers.0.family_name',
    'required brand',
  ]);
});

test('what fits none of several alternatives is one problem', () => {
  expect(found(account({ brand: 'OTHER' }))).toEqual(['invalid brand']);
  expect(found(account({ brand: '' }))).toEqual([]);
});

test('where a field tells which alternative it is, that one alone is asked', () => {
  const sent = (...transactions: JsonObject[]): string[] =>
    found(
      {
        ...whose,
        transactions: transactions.map((one, at) => ({
          ...{ transaction_id: `T${at}`, transaction_date: '2026-01-01', amount: '1.00' },
          ...one,
        })),
      },
      'transactions',
    );
  expect(sent({ type: 'CHARGE', reason: 'MONTHLY', meter: 'M1' })).toEqual([]);
  expect(sent({ type: 'CHARGE', meter: 'M1234' }, { type: 'PAYMENT' }, { type: 'REPAYMENT' })).toEqual([
    'max_length transactions.0.meter',
    'required transactions.1.payment_type',
    'invalid_choice transactions.2.type',
  ]);
  expect(sent()).toEqual(['min_items transactions']);
});

test('a value that the contract lists is no unknown one, and a fault is told once', () => {
  const without = { ...defaultRuleContext('2026-11-21') };
  expect(checkPayload('validate', { ...whose, sales_channel: 'FIELD' }, without)).toMatchObject([
    { code: 'unknown_value' },
  ]);
  expect(found(account({ sales_channel: 'FIELD' }))).toEqual([]);
  expect(found(account({ customers: [{ ...known, email: 7 }] }))).toEqual(['invalid customers.0.email']);
});

test('an amount may be a number, with any digits', () => {
  expect(found(account({ transfer_balance: 12.5 }))).toEqual([]);
  expect(found(account({ transfer_balance: new ExactNumber('1.00000000000000000001') }))).not.toEqual([]);
});

test('version 3.1 and JSON are read as well', () => {
  const document = parse(ownContract) as JsonObject;
  const [schemas, loyalty] = [document['components'], 'Loyalty'] as const;
  const modern = JSON.stringify({ ...document, openapi: '3.1.0' }).replace(
    '{"type":"integer","minimum":0,"exclusiveMinimum":true}',
    '{"type":["integer","null"],"exclusiveMinimum":0}',
  );
  expect(JSON.stringify(schemas)).toContain(loyalty);
  const read = readTenancyContract(modern);
  expect(found(account({ customers: [{ ...known, loyalty: { points: 0 } }] }), 'validate', read)).toEqual([
    'invalid_amount customers.0.loyalty.points',
  ]);
});

test.each([
  ['no YAML', 'a: [1', 'neither JSON nor YAML: see its line 1'],
  ['another kind of document', 'swagger: "2.0"', 'not an OpenAPI document of version 3.0 or 3.1'],
  ['a contract of something else', 'openapi: 3.0.0\npaths: {}', 'none of the endpoints'],
  [
    'a reference to another file',
    ownContract.replace("'#/components/schemas/Brand'", "'brand.yaml'"),
    'brand.yaml. Bundle the contract into one file',
  ],
  [
    'a reference to nothing',
    ownContract.replace("'#/components/schemas/Brand'", "'#/components/schemas/Brnd'"),
    '#/components/schemas/Brnd, which is not in it',
  ],
])('%s is refused with the reason', (_name, text, reason) => {
  expect(() => readTenancyContract(text)).toThrow(ContractRefused);
  expect(() => readTenancyContract(text)).toThrow(
    reason.startsWith('none') ? 'describes no request' : reason,
  );
});

test.each(['(', '(?=A)', '(?<!A)', '(A)\\1', 'A{1,2000}'])(
  'a pattern with %s, which no engine runs that always ends, is left to the platform',
  (part) => {
    const contract = readTenancyContract(ownContract.replace('{1,8}$', () => `{1,8}${part}$`));
    expect(contract.unchecked).toEqual(['#/components/schemas/Address/properties/postal_code']);
    const found = (postal_code: string | number): string[] =>
      contract
        .check('validate', account({ billing_address: { postal_code } }))
        .filter(({ path }) => path === 'billing_address.postal_code')
        .map(({ code }) => code);
    expect(found('!')).toEqual([]);
    expect(found(5)).toEqual(['invalid']);
  },
);

test('a pattern that is not checked makes nothing else stricter', () => {
  const text = JSON.stringify({
    openapi: '3.1.0',
    components: {
      schemas: {
        Odd: { pattern: '(?=A)' },
        Even: { not: { $ref: '#/components/schemas/Odd' } },
        Body: {
          properties: {
            a: { not: { $ref: '#/components/schemas/Odd' } },
            b: { if: { $ref: '#/components/schemas/Odd' }, then: false },
            c: { not: { $ref: '#/components/schemas/Even' } },
            d: { patternProperties: { '(?=A)': false }, additionalProperties: false },
            e: { maxLength: 1 },
          },
        },
      },
    },
    paths: {
      '/v1/data-import/notes/create/': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
        },
      },
    },
  });
  const contract = readTenancyContract(text);
  expect(contract.unchecked).toHaveLength(2);
  const payload = { a: 'B', b: 'B', c: 'B', d: { x: 1 }, e: 'long' };
  expect(contract.check('notes', payload).map(({ path }) => path)).toEqual(['e']);
});

test('a pattern that JavaScript would try for ever is checked like any other', () => {
  const contract = readTenancyContract(ownContract.replace(/\[[^\]]*\]\{1,8\}\$/, '(A+)+$'));
  const code = (postal_code: string) =>
    contract
      .check('validate', account({ billing_address: { postal_code } }))
      .filter(({ path }) => path === 'billing_address.postal_code')
      .map((problem) => problem.code);
  expect(code('A'.repeat(5000))).toEqual(code('A'));
  expect(code(`${'A'.repeat(5000)}!`)).toContain('invalid_pattern');
});

test.each([
  ['^.{0,4000}$', 'A'.repeat(4000), 'A'.repeat(4001)],
  ['^.{0,4000}$', '\u{1f600}'.repeat(4000), '\u{1f600}'.repeat(4001)],
  ['^[A-Z]{2,4000}$', 'A'.repeat(4000), 'A'],
  ['^[A-Z]{2,4000}$', 'AB', `${'A'.repeat(3000)}b`],
  ['^\\d{1500}$', '1'.repeat(1500), '1'.repeat(1499)],
  ['^\\S{1500,}$', 'x'.repeat(5000), 'x'.repeat(1499)],
])('a pattern that is one repetition beyond 1,000 (%s) is checked', (pattern, fits, fails) => {
  const tenancy = readTenancyContract(ownContract.replace(/'[^']*\{1,8\}\$'/, () => `'${pattern}'`));
  const codes = (postal_code: string): string[] =>
    tenancy
      .check('validate', account({ billing_address: { postal_code } }))
      .filter(({ path }) => path === 'billing_address.postal_code')
      .map(({ code }) => code);
  expect(codes(fits)).not.toContain('invalid_pattern');
  expect(codes(fails)).toContain('invalid_pattern');
});

test.each([
  ['YAML', `openapi: 3.0.3\npaths: {}\npaths: {}\n`, 'line 3'],
  ['YAML within', ownContract.replace('brand: {', 'brand: { type: string }\n        brand: {'), 'line'],
  ['JSON', '{\n"openapi": "3.0.3",\n"paths": {\n"/a": {},\n"/a": {}\n}}', 'line 5'],
  [
    'JSON with the key written in two ways',
    '{\n"openapi": "3.0.3",\n"paths": {},\n"path\\u0073": {}}',
    'line 4',
  ],
])('a key twice in a contract of %s is told with its line', (_what, text, place) => {
  expect(() => readTenancyContract(text)).toThrow(ContractRefused);
  expect(() => readTenancyContract(text)).toThrow('twice');
  expect(() => readTenancyContract(text)).toThrow(place);
});
