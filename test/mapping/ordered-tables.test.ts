import { describe, expect, it } from 'vitest';
import { builtInMapping } from '../../src/mapping/built-in.ts';
import type { Mapping, MappingProblems } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';

/** The tables of which it matters in which order an account's rows are. */
function ordered(mapping: Mapping | MappingProblems): readonly string[] {
  if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems));
  return mapping.tables.filter(({ isOrdered }) => isOrdered === true).map(({ name }) => name);
}

const read = (account: string, sections = '') =>
  readMapping(
    'mapping.yaml',
    `
version: 1
tables:
  accounts: { file: ACCOUNTS.csv, key: ID }
  contacts: { file: CONTACTS.csv, key: ID }
  premises: { file: PREMISES.csv, key: ID }
  rows: { file: ROWS.csv, key: ID }
account:
  import_supplier: { constant: X }
  ${account}
${sections}`,
    {},
  );

const premises = (each: string) => `supply_addresses: { from: premises, each: ${each} }`;

describe('the order of the rows of a table matters', () => {
  it.each([
    ['the first of them is taken', 'communication_preference: { from: contacts, take: first, each: BY }'],
    ['the last of them is taken', 'communication_preference: { from: contacts, take: last, each: BY }'],
    [
      'they are sorted, and some may be alike',
      'communication_preference: { from: contacts, order: { column: WHEN, type: date }, each: BY }',
    ],
    [
      'one is taken for each row of another table',
      premises(
        '{ supply_address: { from: contacts, match: { NO: NO }, take: last, each: { locality: BY } } }',
      ),
    ],
    [
      'one is taken in a list of parts',
      'customers: [{ email: { from: contacts, take: last, each: EMAIL } }]',
    ],
  ])('where %s', (_when, account) => {
    expect(ordered(read(account))).toEqual(['contacts']);
  });

  it('where one is taken for another step', () => {
    const notes = 'notes: { from: rows, each: { body: { from: contacts, take: first, each: BY } } }';
    expect(ordered(read('', notes))).toEqual(['contacts']);
  });

  it('where other rows name them by their position, as in the flat files', () => {
    const files = ['accounts.csv', 'supply_addresses.csv', 'supply_points.csv', 'customers.csv', 'notes.csv'];
    expect(ordered(builtInMapping(files, {}))).toEqual(['supply_addresses']);
  });
});

describe('the order of the rows of a table does not matter', () => {
  it.each([
    ['each of them makes an element', premises('{ supply_address: { locality: PLACE } }')],
    [
      'sorted rows each make an element',
      'supply_addresses: { from: premises, order: { column: WHEN, type: date }, each: { supply_address: { locality: PLACE } } }',
    ],
    ['the only one is taken', 'communication_preference: { from: contacts, take: only, each: BY }'],
    ['nothing says which is taken', 'communication_preference: { from: contacts, each: BY }'],
    ['they are added up', 'transfer_balance: { from: contacts, take: sum, each: AMOUNT }'],
    [
      'the first part of a cell is taken',
      "communication_preference: { column: BY, split: '/', take: first }",
    ],
    ['a constant is in the place of a row', 'sales_channel: { constant: null }'],
    [
      'they name another row by its columns',
      premises('{ supply_points: { from: rows, match: { PREMISE: NO }, each: { identifier: POINT } } }'),
    ],
  ])('where %s', (_when, account) => {
    expect(ordered(read(account))).toEqual([]);
  });
});
