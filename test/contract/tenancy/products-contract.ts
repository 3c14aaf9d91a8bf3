import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts';

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A product of an invented tenancy, as its contract describes it. */
const product: JsonObject = {
  type: 'object',
  required: ['code', 'name'],
  properties: {
    code: { type: 'string', maxLength: 12 },
    name: { type: 'string' },
    standing_charge: { type: 'string', format: 'decimal' },
    bands: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, rate: { type: 'string', format: 'decimal' } },
      },
    },
  },
};

/** The published document with the paths of two steps that come before the accounts: products, which are checked in a list, and areas. */
export function productsContract(): string {
  const published = new URL('../../../docs/openapi.json', import.meta.url);
  const document = object(JSON.parse(readFileSync(published, 'utf8')));
  const post = (schema: JsonObject): JsonObject => ({
    post: {
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 201: { description: '' }, 400: { description: '' } },
    },
  });
  const business: JsonObject = {
    type: 'object',
    required: ['import_supplier_code', 'external_business_identifier', 'business'],
    properties: {
      import_supplier_code: { type: 'string' },
      external_business_identifier: { type: 'string', maxLength: 128 },
      business: {
        type: 'object',
        required: ['business_contracts'],
        properties: {
          company_name: { type: 'string' },
          business_contracts: {
            type: 'array',
            items: {
              type: 'object',
              required: ['identifier'],
              properties: {
                identifier: { type: 'string' },
                signed_at_date: { type: 'string', format: 'date' },
              },
            },
          },
        },
      },
    },
  };
  const businessPayment: JsonObject = {
    type: 'object',
    required: [
      'import_supplier_code',
      'external_business_identifier',
      'vendor',
      'reference',
      'type',
      'accounts',
    ],
    properties: {
      import_supplier_code: { type: 'string' },
      external_business_identifier: { type: 'string', maxLength: 128 },
      vendor: { type: 'string' },
      reference: { type: 'string', maxLength: 512 },
      type: { type: 'string' },
      accounts: {
        type: 'array',
        items: {
          type: 'object',
          required: ['external_account_number'],
          properties: { external_account_number: { type: 'string' } },
        },
      },
    },
  };
  const area: JsonObject = {
    type: 'object',
    required: ['import_supplier_code', 'area'],
    properties: { import_supplier_code: { type: 'string' }, area: { type: 'string' } },
  };
  const paths: JsonObject = {
    ...object(document['paths']),
    '/v1/data-import/validate-products/': post({ type: 'array', items: product }),
    '/v1/data-import/create-product/': post(product),
    '/v1/data-import/products/{code}/': { get: { responses: { 200: { description: '' } } } },
    '/v1/data-import/areas/': post(area),
    '/v1/data-import/business/': post(business),
    '/v1/data-import/business-payment-instruction/create/': post(businessPayment),
  };
  return JSON.stringify({ ...document, paths, components: withBusiness(object(document['components'])) });
}

/** The steps of that contract as a profile adds them; lost answers are left to a person unless `more` says otherwise. */
export function productsStep(more: JsonObject = {}): JsonObject {
  return {
    ...{ name: 'products', path: '/v1/data-import/create-product/', table: 'products', identity: 'code' },
    ...more,
  };
}

export const asksForProducts: JsonObject = {
  whenLost: 'ask',
  ask: '/v1/data-import/products/{identity}/',
};

/** The components with accounts that may name the contracts of a business. */
function withBusiness(components: JsonObject): JsonObject {
  const schemas = object(components['schemas']);
  const account = object(schemas['Account']);
  const business: JsonObject = {
    type: 'object',
    properties: { business_contract_identifiers: { type: 'array', items: { type: 'string' } } },
  };
  const properties = { ...object(account['properties']), business };
  return { ...components, schemas: { ...schemas, Account: { ...account, properties } } };
}
