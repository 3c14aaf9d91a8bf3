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
  const area: JsonObject = {
    type: 'object',
    required: ['import_supplier_code', 'area'],
    properties: { import_supplier_code: { type: 'string' }, area: { type: 'string' } },
  };
  const paths: JsonObject = {
    ...object(document['paths']),
    '/v1/data-import/validate-products/': post({ type: 'array', items: product }),
    '/v1/data-import/create-product/': post(product),
    '/v1/data-import/areas/': post(area),
  };
  return JSON.stringify({ ...document, paths });
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
