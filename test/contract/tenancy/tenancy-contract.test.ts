import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { levelsUnder, rulesUnder } from '../../../src/contract/tenancy/contract-rules.ts';
import { ContractRefused } from '../../../src/contract/tenancy/contract-refused.ts';
import type { TenancyContract } from '../../../src/contract/tenancy/contract.ts';
import { readTenancyContract } from '../../../src/contract/tenancy/tenancy-contract.ts';
import { ExactNumber, stringifyJson, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import type { StepName } from '../../../src/domain/steps.ts';
import { ownContract } from './own-contract.ts';

const contract = readTenancyContract(ownContract);

const whose = { import_supplier: 'S', external_account_number: '1' };

function account(changes: JsonObject): JsonObject {
  return { ...whose, brand: 'FEN', ...changes };
}

const known = { family_name: 'Fen', email: 'ada@example.com' };

function found(payload: JsonObject, step: StepName = 'validate', tenancy = contract): string[] {
  const levels = levelsUnder(tenancy, new Map());
  const context = { ...defaultRuleContext('2026-11-21'), contract: tenancy, levels };
  return checkPayload(step, payload, context).map(
    ({ code, path, severity }) => `${code} ${path}${severity === 'warning' ? ' (warning)' : ''}`,
  );
}

test('the fields of a payload are those of the contract, and no others', () => {
  expect(found(account({}))).toEqual([]);
  const loyalty = { points: 1, friend: { points: 2 } };
  expect(found(account({ customers: [{ ...known, loyalty }], labels: { any: 'text' } }))).toEqual([]);
  expect(
    found(account({ account_type: 'DOMESTIC', customers: [{ ...known, loyalty: {}, pet: 'cat' }] })),
  ).toEqual(['unknown_field customers.0.pet', 'unknown_field account_type']);
});

test('what the interface requires, and the contract does not, is not required', () => {
  // The interface's addresses need a country.
  const supply_addresses = [{ supply_address: {}, meter_points: [{ mpxn: '1', supply_type: 'GAS' }] }];
  expect(found(account({ supply_addresses }))).toEqual([
    'invalid_address supply_addresses.0.supply_address.street_address',
  ]);
});

test('rules read the fields of the interface in the forms that the contract has', () => {
  expect(
    found(
      account({
        billing_address1: '...',
        customers: [{ family_name: 'Fen', mobile: '123' }],
        supply_addresses: [
          {
            supply_address: { street_address: '1 Bank', postal_code: 'XX', country: 'GB' },
            meter_points: [
              {
                supply_type: 'ELECTRICITY',
                mpxn: '1',
                supply_start_date: '2025-02-01',
                agreements: [{ effective_from: '2025-01-01', tariff_code: 'T' }],
              },
            ],
          },
        ],
      }),
    ),
  ).toEqual([
    'agreement_starting_before_meter_point_ssd supply_addresses.0.meter_points.0.agreements.0.effective_from',
    'invalid_phone_number customers.0.mobile',
    'invalid_postcode supply_addresses.0.supply_address.postal_code',
    'invalid_address billing_address1',
  ]);
});

test('a mobile number is a way to be reached, and null is no value', () => {
  const mobile = '+447911123456';
  expect(found(account({ customers: [{ family_name: 'Fen', email: null, mobile }] }))).toEqual([]);
  expect(found(account({ customers: [{ family_name: 'Fen', email: null, mobile: null }] }))).toEqual([
    'missing_contact_user_email_or_phone customers.0.email',
  ]);
});

test('required fields, enumerations, lengths, patterns, formats and bounds are checked at their paths', () => {
  const payload = account({
    sales_channel: 'EVENTS',
    transfer_balance: '1234567.00',
    delivery: { postal_code: 'lower', street_address: '1 Bank' },
    customers: [{ ...known, family_name: 'Thirteen long', email: 'nowhere', loyalty: { points: 0 } }],
  });
  delete payload['brand'];
  expect(found(payload).sort()).toEqual([
    'invalid_amount customers.0.loyalty.points',
    'invalid_amount transfer_balance',
    'invalid_choice sales_channel',
    'invalid_format customers.0.email',
    'invalid_pattern delivery.postal_code',
    'max_length customers.0.family_name',
    'required brand',
  ]);
});

test('null is allowed where the contract says so, beside a reference and a list of values too', () => {
  expect(
    found(
      account({
        delivery: null,
        sales_channel: null,
        customers: [{ ...known, email: null, mobile: '+447911123456' }],
      }),
    ),
  ).toEqual([]);
  expect(found(account({ labels: null }))).toEqual(['null labels']);
});

test('what fits none of several alternatives is one problem', () => {
  expect(found(account({ brand: 'OTHER' }))).toEqual(['invalid_choice brand']);
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
  expect(sent({ type: 'CHARGE', meter: 'M1234' }, { type: 'PAYMENT' }, { type: 'REFUND' })).toEqual([
    'max_length transactions.0.meter',
    'required transactions.1.payment_type',
    'invalid_choice transactions.2.type',
  ]);
  expect(sent()).toEqual(['min_items transactions']);
});

test('a value that the contract lists is known, one of an open field is warned of as ever', () => {
  expect(found(account({ sales_channel: 'FIELD' }))).toEqual([]);
  expect(found(account({ sales_subchannel: 'DOOR' }))).toEqual(['unknown_value sales_subchannel (warning)']);
  expect(found(account({ customers: [{ ...known, email: 7 }] }))).toEqual(['invalid customers.0.email']);
});

test('data for an endpoint that the contract does not have is told, with its path', () => {
  expect(found({ ...whose, notes: [{ body: 'Moved in' }] }, 'notes')).toEqual(['not_offered ']);
  expect(contract.offers('notes')).toBe(false);
  expect(contract.offers('statements')).toBe(true);
});

test('the settings turn off or down what the shape is held to', () => {
  const levels = new Map([
    ['unknown_field', 'warning'],
    ['required', 'off'],
  ] as const);
  const payload = account({ colour: 'red' });
  delete payload['brand'];
  const context = { ...defaultRuleContext('2026-11-21'), contract, levels };
  expect(checkPayload('validate', payload, context)).toMatchObject([
    { code: 'unknown_field', path: 'colour', severity: 'warning' },
  ]);
  expect(checkPayload('validate', { brand: 'FEN', external_account_number: '1' }, context)).toMatchObject([
    { code: 'required', path: 'import_supplier', severity: 'error' },
  ]);
});

describe('numbers take the form that the contract has', () => {
  const formed = (payload: JsonObject): string =>
    stringifyJson(contract.formed('statements', { statements: [payload] }));

  test('decimals as text, with every digit they had', () => {
    const of = (transfer_balance: JsonValue) =>
      contract.formed('stage', account({ transfer_balance }))['transfer_balance'];
    expect(of(12.5)).toBe('12.5');
    expect(of('12.50')).toBe('12.50');
    expect(of(new ExactNumber('1.00000000000000000001'))).toBe('1.00000000000000000001');
    expect(of('about ten')).toBe('about ten');
  });

  test('numbers and integers as numbers, with every digit they had', () => {
    expect(formed({ gross_amount: '1250', rate: '0.12345678901234567890' })).toBe(
      '{"statements":[{"gross_amount":1250,"rate":0.12345678901234567890}]}',
    );
    expect(formed({ gross_amount: '1250.00', rate: '-007.5' })).toBe(
      '{"statements":[{"gross_amount":1250,"rate":-7.5}]}',
    );
  });

  test('a fraction of a minor unit is left for the check to refuse', () => {
    const payload = { ...whose, statements: [{ statement_id: 'S', gross_amount: '12.5' }] };
    expect(formed({ gross_amount: '12.5' })).toBe('{"statements":[{"gross_amount":"12.5"}]}');
    expect(found(contract.formed('statements', payload), 'statements')).toEqual([
      'invalid_amount statements.0.gross_amount',
    ]);
  });

  test('a payload that has them already is the same one', () => {
    const payload = account({ transfer_balance: '1.00', customers: [known] });
    expect(contract.formed('stage', payload)).toBe(payload);
  });
});

describe('rules under a contract', () => {
  const rules = new Map(
    rulesUnder(contract, new Map([['invalid_postcode', 'warning']])).map((rule) => [rule.code, rule]),
  );

  test('are off where it has none of their fields', () => {
    expect(rules.get('customer_given_name_required')).toMatchObject({
      level: 'off',
      why: 'the contract does not have customers.given_name',
    });
    expect(rules.get('duplicate_ledger_entries_found')).toMatchObject({ level: 'off' });
    expect(found(account({ customers: [known] }))).toEqual([]);
  });

  test('are on where it has one, under its own name', () => {
    expect(rules.get('customer_family_name_required')).toMatchObject({ level: 'error' });
    expect(rules.get('supply_point_of_another_account')).toMatchObject({
      level: 'warning',
      why: 'the contract has supply_addresses.meter_points.mpxn',
    });
    expect(rules.get('invalid_postcode')).toMatchObject({
      level: 'warning',
      why: 'set by rules in the settings',
    });
  });

  test("include the contract's own checks, as the platform's", () => {
    expect(rules.get('campaign_not_found')).toMatchObject({ level: 'platform' });
  });
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
  [
    'a contract of something else',
    'openapi: 3.0.0\ninfo: {}\npaths: {}',
    'has no endpoint /v1/data-import/validate-account/ or /v1/data-import/account-import-process/create-or-update/, so it does not define an account: see its line 3',
  ],
  [
    'a reference to another file',
    ownContract.replace("'#/components/schemas/Brand'", "'brand.yaml'"),
    'brand.yaml: see its line 77. Bundle the contract into one file',
  ],
  [
    'a reference to nothing',
    ownContract.replace("'#/components/schemas/Brand'", "'#/components/schemas/Brnd'"),
    '#/components/schemas/Brnd, which is not in it: see its line 77',
  ],
  [
    'a body without a schema',
    ownContract.replace(
      /(statements\/create\/:\n.*\n.*\n.*\n.*json:)\n {12}schema:[^]*?(?=\ncomponents)/,
      '$1 {}',
    ),
    'it has no schema for the body of POST /data-import/historical-statements/create/: see its line 47',
  ],
  [
    'a request without a body',
    ownContract.replace(/(statements\/create\/:\n {4}post:)[^]*?(?=\ncomponents)/, '$1 { summary: Add }'),
    'it does not describe the body of POST /data-import/historical-statements/create/: see its line 44',
  ],
  [
    'a body that is no JSON',
    ownContract.replace(
      /application\/json:(?=\n {12}schema:\n {14}type: object\n {14}properties)/,
      'text/csv:',
    ),
    'it has no JSON body of POST /data-import/historical-statements/create/: see its line 46',
  ],
])('%s is refused with the reason', (_name, text, reason) => {
  expect(() => readTenancyContract(text)).toThrow(ContractRefused);
  expect(() => readTenancyContract(text)).toThrow(reason);
});

test('the line of a fault in JSON is told as well', () => {
  const text = JSON.stringify(parse(ownContract), null, 1).replace('schemas/Brand"', 'schemas/Brnd"');
  const line = text.split('\n').findIndex((one) => one.includes('Brnd')) + 1;
  expect(() => readTenancyContract(text)).toThrow(`see its line ${line}.`);
});

describe('a contract in several files', () => {
  const whole = parse(ownContract) as { paths: Record<string, JsonObject>; components: JsonObject };
  const having = (file: string, wanted: RegExp, change = (text: string): string => text) => ({
    file,
    text: change(
      JSON.stringify(
        {
          ...whole,
          paths: Object.fromEntries(Object.entries(whole.paths).filter(([path]) => wanted.test(path))),
        },
        null,
        1,
      ),
    ),
  });
  const codes = (tenancy: TenancyContract, payload: JsonObject): string[] =>
    tenancy.check('transactions', payload).map(({ code, path }) => `${code} ${path}`);

  test('takes each endpoint from the file that has it, with what that file calls by a name', () => {
    // Both have a schema of this name, and mean different things.
    const read = readTenancyContract([
      having('v1.json', /account/),
      having('v2.json', /transactions/, (text) => text.replaceAll('"maxLength": 4', '"maxLength": 2')),
    ]);
    expect(read.offers('transactions')).toBe(true);
    expect(read.offers('statements')).toBe(false);
    const charge = { transaction_id: 'a', transaction_date: '2024-01-15', amount: '1.00', type: 'CHARGE' };
    expect(codes(read, { import_supplier: 'A', transactions: [{ ...charge, meter: '123' }] })).toEqual([
      'max_length transactions.0.meter',
    ]);
    expect(read.at('transactions', 'transactions.0.payment_type')?.types).toEqual(new Set(['string']));
  });

  test('may have the same endpoint twice where both say the same', () => {
    expect(readTenancyContract([having('v1.json', /./), having('v2.json', /./)]).offers('statements')).toBe(
      true,
    );
  });

  test('is refused where they differ about an endpoint', () => {
    const files = [
      having('v1.json', /./),
      having('v2.json', /transactions/, (text) => text.replaceAll('"maxLength": 4', '"maxLength": 2')),
    ];
    const refused = refusalOf(() => readTenancyContract(files));
    expect(refused.message).toMatch(
      /^it describes the request of \/v1\/data-import\/transactions\/create\/ differently from v1.json: see its line \d+\. Remove it from one of the files\.$/,
    );
    expect(refused.place.file).toBe('v2.json');
  });

  test('names the file of a fault, and of a pattern that is not checked', () => {
    const spoilt = (from: string, to: string) => [
      having('v1.json', /account/),
      having('v2.json', /transactions/, (text) => text.replace(from, to)),
    ];
    const refused = refusalOf(() => readTenancyContract(spoilt('schemas/Charge"', 'schemas/Chrge"')));
    expect([refused.place.file, refused.message]).toEqual([
      'v2.json',
      expect.stringContaining('refers to #/components/schemas/Chrge, which is not in it: see its line'),
    ]);
    expect(readTenancyContract(spoilt('{0,10})?$', '{0,10})?(?!a)$')).unchecked).toEqual([
      'v2.json#/components/schemas/Common/properties/amount',
    ]);
  });
});

describe('paths and media types as published contracts have them', () => {
  const request = { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } };
  const offered = (paths: JsonObject): boolean =>
    readTenancyContract(
      JSON.stringify({
        openapi: '3.0.3',
        paths: { '/data-import/validate-account': { post: request }, ...paths },
      }),
    ).offers('notes');

  test.each(['/v1/data-import/notes/create/', '/data-import/notes/create', '/notes/create/'])(
    '%s',
    (path) => {
      expect(offered({ [path]: { post: request } })).toBe(true);
    },
  );

  test.each(['/create/', '/v2/data-import/notes/create/', '/data-import/notes/', '/'])('not %s', (path) => {
    expect(offered({ [path]: { post: request } })).toBe(false);
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.api+json', 'Application/JSON', '*/*'])(
    'a body of %s',
    (type) => {
      const content = { 'multipart/form-data': {}, [type]: { schema: { type: 'object' } } };
      expect(offered({ '/notes/create/': { post: { requestBody: { content } } } })).toBe(true);
    },
  );

  test('a path that only answers is not offered', () => {
    expect(offered({ '/notes/create/': { get: {} } })).toBe(false);
  });
});

function refusalOf(read: () => unknown): ContractRefused {
  try {
    read();
  } catch (error) {
    if (error instanceof ContractRefused) return error;
  }
  throw new Error('the contract was not refused');
}

test.each(['(', '(?=A)', '(?<!A)', '(A)\\1', 'A{1,2000}'])(
  'a pattern with %s, which no engine runs that always ends, is left to the platform',
  (part) => {
    const contract = readTenancyContract(ownContract.replace('{1,8}$', () => `{1,8}${part}$`));
    expect(contract.unchecked).toEqual(['#/components/schemas/Account/properties/billing_postcode']);
    const found = (postal_code: string | number): string[] =>
      contract
        .check('validate', account({ billing_postcode: postal_code }))
        .filter(({ path }) => path === 'billing_postcode')
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
      '/v1/data-import/validate-account/': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
        },
      },
    },
  });
  const contract = readTenancyContract(text);
  expect(contract.unchecked).toHaveLength(2);
  const payload = { a: 'B', b: 'B', c: 'B', d: { x: 1 }, e: 'long' };
  expect(contract.check('validate', payload).map(({ path }) => path)).toEqual(['e']);
});

test('a pattern that JavaScript would try for ever is checked like any other', () => {
  const contract = readTenancyContract(ownContract.replace(/\[[^\]]*\]\{1,8\}\$/, '(A+)+$'));
  const code = (billing_postcode: string) =>
    contract
      .check('validate', account({ billing_postcode }))
      .filter(({ path }) => path === 'billing_postcode')
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
  const codes = (billing_postcode: string): string[] =>
    tenancy
      .check('validate', account({ billing_postcode }))
      .filter(({ path }) => path === 'billing_postcode')
      .map(({ code }) => code);
  expect(codes(fits)).not.toContain('invalid_pattern');
  expect(codes(fails)).toContain('invalid_pattern');
});

test.each([
  ['consists of itself', { $ref: '#/components/schemas/A' }, 'consists of itself'],
  ['consists of itself among others', { allOf: [{ $ref: '#/components/schemas/A' }] }, 'consists of itself'],
  ['has a bound that is none', { maxLength: 'five' }, 'cannot be used'],
  ['is nested 3,000 deep', 'deep', 'too deeply'],
])('a contract with a schema that %s is refused', (_what, schema, reason) => {
  const request = { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } };
  const text = JSON.stringify({
    openapi: '3.0.3',
    paths: { '/v1/data-import/validate-account/': { post: { requestBody: request } } },
    components: { schemas: { A: schema } },
  }).replace('"deep"', `${'{"properties":{"a":'.repeat(3000)}{}${'}}'.repeat(3000)}`);
  expect(() => readTenancyContract(text)).toThrow(ContractRefused);
  expect(() => readTenancyContract(text)).toThrow(reason);
});

test('a schema that requires itself several times over is made up within bounds', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const own = { $ref: '#/components/schemas/A' };
  const schema = {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((n) => [n, own])),
  };
  const request = { content: { 'application/json': { schema: own } } };
  const text = JSON.stringify({
    openapi: '3.0.3',
    paths: { '/v1/data-import/validate-account/': { post: { requestBody: request } } },
    components: { schemas: { A: schema } },
  });
  const made = JSON.stringify(readTenancyContract(text).fitted('stage', {}));
  expect(made.length).toBeLessThan(100_000);
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

describe('contracts as odd as published ones are', () => {
  const read = (schema: JsonObject, version = '3.0.3', isStrict = false): TenancyContract =>
    readTenancyContract(
      JSON.stringify({
        openapi: version,
        paths: {
          '/data-import/validate-account/': {
            post: { requestBody: { content: { 'application/json': { schema } } } },
          },
        },
        components: {
          schemas: {
            Name: { type: 'string', maxLength: 3 },
            Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: {} } },
            Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, bark: {} } },
          },
        },
      }),
      { isStrict },
    );
  const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const of = (a: JsonObject): JsonObject => ({ type: 'object', properties: { a } });
  const codes = (tenancy: TenancyContract, payload: JsonObject): string[] =>
    tenancy.check('validate', payload).map(({ code, path }) => `${code} ${path}`);

  test.each<[string, string, JsonObject, JsonValue[], JsonValue[]]>([
    [
      'nullable beside allOf',
      '3.0.3',
      { allOf: [reference('Name')], nullable: true },
      [null, 'abc'],
      ['abcd', 5],
    ],
    ['nullable beside $ref', '3.0.3', { ...reference('Name'), nullable: true }, [null, 'abc'], ['abcd']],
    [
      'nullable beside oneOf of lists of values',
      '3.0.3',
      { oneOf: [{ enum: ['A'], type: 'string' }, { enum: [''] }], nullable: true },
      [null, 'A', ''],
      ['B'],
    ],
    ['types in a list', '3.1.0', { type: ['string', 'null', 'integer'] }, [null, 'a', 5], [true, 0.5]],
    [
      'a $ref with others beside it',
      '3.1.0',
      { ...reference('Name'), pattern: '^a', description: 'A name' },
      ['abc'],
      ['b', 'abcd'],
    ],
    ['a list of values with null', '3.0.3', { enum: ['A', 1, null] }, ['A', 1, null], ['1', 'B']],
    [
      'one or many',
      '3.1.0',
      {
        anyOf: [
          { type: 'array', items: of({ type: 'string' }) },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
      [[{ a: 'x' }], { b: 5 }],
      [[{ a: 5 }], { b: 'x' }, [{ c: 5 }], { c: 5 }],
    ],
    [
      'no further properties',
      '3.0.3',
      { type: 'object', properties: { b: {} }, additionalProperties: false },
      [{ b: 1 }],
      [{ c: 1 }],
    ],
    [
      'properties of any name',
      '3.0.3',
      { type: 'object', additionalProperties: { type: 'integer' } },
      [{ x: 1 }],
      [{ x: 'y' }],
    ],
    [
      'properties that require others',
      '3.1.0',
      { type: 'object', properties: { b: {}, c: {} }, dependentRequired: { b: ['c'] } },
      [{ b: 1, c: 1 }, { c: 1 }],
      [{ b: 1 }],
    ],
    [
      'parts whose sum is closed',
      '3.1.0',
      { allOf: [{ properties: { b: {} } }, { properties: { c: {} } }], unevaluatedProperties: false },
      [{ b: 1, c: 1 }],
      [{ d: 1 }],
    ],
    ['one value', '3.1.0', { const: 'A' }, ['A'], ['B']],
    ['a schema of true', '3.1.0', { properties: { b: true } }, [{ b: 1 }], [{ c: 1 }]],
    ['a positional list', '3.1.0', { prefixItems: [{ type: 'string' }] }, [['a']], [[5]]],
  ])('%s', (_what, version, schema, good, bad) => {
    const tenancy = read(of(schema), version);
    expect(good.filter((a) => codes(tenancy, { a }).length > 0)).toEqual([]);
    expect(bad.filter((a) => codes(tenancy, { a }).length === 0)).toEqual([]);
  });

  const tagged = { oneOf: [reference('Cat'), reference('Dog')], discriminator: { propertyName: 'kind' } };

  test.each<[string, string, JsonObject, JsonValue]>([
    ['a value that fits two alternatives', '3.0.3', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, 5],
    ['a tag that names no alternative', '3.0.3', tagged, { kind: 'Cow', lives: 9 }],
    ['null that a list of values lacks', '3.0.3', { type: 'string', enum: ['A'], nullable: true }, null],
    ['nullable in version 3.1', '3.1.0', { type: 'string', nullable: true }, null],
    ['a field that only answers have', '3.0.3', { type: 'string', readOnly: true }, 'x'],
  ])('%s is accepted, but not strictly', (_what, version, schema, a) => {
    expect(codes(read(of(schema), version), { a })).toEqual([]);
    expect(codes(read(of(schema), version, true), { a })).not.toEqual([]);
  });

  test('strictly, a tag that names an alternative by its schema is known', () => {
    expect(codes(read(of(tagged), '3.0.3', true), { a: { kind: 'Cat', lives: 9 } })).toEqual([]);
  });

  test('strictly, a pattern that cannot be checked is refused with its line', () => {
    expect(() => read(of({ pattern: '(?=A)' }), '3.0.3', true)).toThrow(
      'a pattern that cannot be checked here, and --strict-contract leaves nothing unchecked: see its line 1.',
    );
  });

  test('what every endpoint of the interface has is documented, strictly too', () => {
    const payload = { import_supplier: 'A', external_account_number: '1' };
    expect(codes(read(of({}), '3.0.3', true), payload)).toEqual([]);
  });
});

test('each of several patterns of a schema is its own', () => {
  const schema = { properties: { a: { pattern: '^a' }, b: { pattern: '^b' } } };
  const content = { 'application/json': { schema } };
  const tenancy = readTenancyContract(
    JSON.stringify({
      openapi: '3.1.0',
      paths: { '/data-import/validate-account/': { post: { requestBody: { content } } } },
    }),
  );
  expect(tenancy.check('validate', { a: 'a', b: 'b' })).toEqual([]);
  expect(tenancy.check('validate', { a: 'b', b: 'a' }).map(({ path }) => path)).toEqual(['a', 'b']);
});
