import { buildSchema, introspectionFromSchema } from 'graphql';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { typeDefinitions } from '../../src/platform/graphql/type-definitions.ts';
import { checkShape, schemaIn, schemaOfText } from '../../src/read-back/check-shape.ts';
import { shapeOf, type ReadSettings } from '../../src/read-back/read-shape.ts';

const schemaOf = (text: string) =>
  schemaIn(introspectionFromSchema(buildSchema(text)) as unknown as JsonObject);
const published = schemaOf(typeDefinitions);
const other = schemaOf(`
  type Query { customer(id: ID!): Customer }
  type Customer { ref: ID! owed: Int openedOn: String remarks(first: Int, after: String): Remarks }
  type Remarks { edges: [Edge] }
  type Edge { node: Remark }
  type Remark { text: String at: String }
`);

const nothing = { transactions: null, ledgers: null, bills: null, agreements: null, metadata: null } as const;
const settings = (text: string, notes: Record<string, string> = {}): ReadSettings => ({
  queries: { all: { text, variables: { id: '{account}' }, number: 'customer.ref' } },
  values: {
    ...nothing,
    paymentInstructions: null,
    account: { query: 'all', at: 'customer', balance: 'owed', createdAt: 'openedOn' },
    notes: { query: 'all', at: 'customer.remarks', body: 'text', created: 'at', ...notes },
  },
});
const told = (of: ReadSettings, schema = other) =>
  checkShape(shapeOf(of), schema).map(({ setting, field, near }) => [setting, field, near]);

it('the default queries fit the published schema', () => {
  expect(published).toBeDefined();
  expect(checkShape(shapeOf({}), published)).toEqual([]);
});

it('a configuration that fits another schema has no faults, through connections, aliases and fragments', () => {
  const text = `query ($id: ID!) { customer(id: $id) { ref owed openedOn remarks { edges { node { ...Note } } } } }
    fragment Note on Remark { text at }`;
  expect(told(settings(text))).toEqual([]);
  const aliased = `query ($id: ID!) { customer(id: $id) { ref owed openedOn remarks { edges { node { said: text at } } } } }`;
  expect(told(settings(aliased, { body: 'said' }))).toEqual([]);
});

it('names the field that does not exist, and what is near', () => {
  const text = `query ($id: ID!) { customer(id: $id) { ref owd openedOn zzzzzz remarks(frist: 3) { edges { node { txt at } } } } }`;
  expect(told(settings(text))).toEqual([
    ['readBack.queries.all', 'customer.owd', 'owed'],
    ['readBack.queries.all', 'customer.zzzzzz', undefined],
    ['readBack.queries.all', 'customer.remarks(frist)', 'first'],
    ['readBack.queries.all', 'customer.remarks.edges.node.txt', 'text'],
  ]);
});

it('names the place that the query does not ask for', () => {
  const text = `query ($id: ID!) { customer(id: $id) { ref owed openedOn remarks { edges { node { text at } } } } }`;
  expect(told(settings(text, { created: 'ta', at: 'customer.remark' }))).toEqual([
    ['readBack.values.notes.at', 'customer.remark', 'remarks'],
  ]);
  expect(told(settings(text, { pinned: 'pinned' }))).toEqual([
    ['readBack.values.notes.pinned', 'customer.remarks.pinned', undefined],
  ]);
});

it('refuses by the rules of GraphQL what has no path of its own', () => {
  const text = `query ($id: Int!) { customer(id: $id) { ref owed openedOn remarks { edges { node { text at } } } } }`;
  const [fault] = checkShape(shapeOf(settings(text)), other);
  expect(fault?.detail).toContain('"$id" of type "Int!"');
});

it.each([{}, { __schema: null }, { __schema: { types: [] } }])('takes %j for no schema', (data) => {
  expect(schemaIn(data)).toBeUndefined();
});

it.each([
  ['type Query { at: DateTime }', /^ is no GraphQL schema \(.*DateTime.*\)$/],
  ['type Query {\n  at Int }', /^:2:6 is no GraphQL schema/],
  ['type Account { id: ID }', /^ has no type Query$/],
  ['{"data":{}}', /no answer to an introspection/],
])('says what is wrong with a file: %s', (text, fault) => {
  expect(schemaOfText(text)).toEqual({ fault: expect.stringMatching(fault) as string });
});

it('a list in pages needs something that says whether there is another one', () => {
  const asking = (list: string, notes: Record<string, string> = {}): ReadSettings => {
    const of = settings(
      `query ($id: ID!, $first: Int!, $after: String) { customer(id: $id) { ref owed openedOn ${list} } }`,
      notes,
    );
    const variables = { id: '{account}', first: '{first}', after: '{after}' };
    return { ...of, queries: { all: { ...(of.queries?.['all'] as JsonObject), variables } } };
  };
  const paged = schemaOf(`
    type Query { customer(id: ID!): Customer }
    type Customer { ref: ID! owed: Int openedOn: String remarks(first: Int, after: String): Remarks }
    type Remarks { pageInfo: PageInfo edges: [Edge] more: String }
    type PageInfo { hasNextPage: Boolean endCursor: String }
    type Edge { node: Remark }
    type Remark { text: String at: String }
  `);
  const remarks = (more: string) =>
    `remarks(first: $first, after: $after) { ${more} edges { node { text at } } }`;
  const fault = ['readBack.values.notes.next', 'customer.remarks', undefined];
  expect(told(asking(remarks('')), paged)).toEqual([fault]);
  expect(told(asking(remarks('pageInfo { endCursor }')), paged)).toEqual([fault]);
  expect(told(asking(remarks('pageInfo { hasNextPage endCursor }')), paged)).toEqual([]);
  expect(told(asking(remarks('more'), { next: 'customer.remarks.more' }), paged)).toEqual([]);
});
