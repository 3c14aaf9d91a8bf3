import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answers } from '../../src/contract/answers.ts';
import { endpoints, pathFor, type Endpoint } from '../../src/contract/endpoints.ts';
import { accountPayload } from '../../src/contract/schemas/account.ts';
import { paymentInstructionPayload } from '../../src/contract/schemas/payment-instruction.ts';
import { transactionsPayload } from '../../src/contract/schemas/transactions.ts';
import { isDate, isDatetime } from '../../src/contract/schemas/fields.ts';

/** What is read here of a JSON schema. */
interface Shown {
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly items?: Shown;
  readonly examples?: readonly string[];
}

const all = Object.entries<Endpoint>(endpoints);

describe('the table of endpoints', () => {
  it('has the thirteen of the interface', () => {
    expect(all.map(([, { number }]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('keeps whatever a supplier or an account is called within its segment of the path', () => {
    expect(pathFor(endpoints.transferStatus, 'A B', '10/20%25$&ü')).toBe(
      '/v1/data-import/account-transfer-status/A%20B/10%2F20%2525%24%26%C3%BC/',
    );
  });
});

it('the guide lists every value that the interface shows by example', () => {
  const guide = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
  const shown: string[] = [];
  const visit = (name: string, { properties = {}, items, examples }: Shown): void => {
    if (examples !== undefined) shown.push(`${name}: ${examples.map((one) => `\`${one}\``).join(', ')}`);
    for (const [field, schema] of Object.entries(properties)) visit(field, schema);
    if (items !== undefined) visit(name, items);
  };
  for (const payload of [accountPayload, transactionsPayload, paymentInstructionPayload])
    visit('', payload as Shown);
  expect(shown.length).toBeGreaterThan(10);
  const listed = /`(\w+)`[^`]*shown: (`\w+`(?:, `\w+`)*)/g;
  const told = new Set([...guide.matchAll(listed)].map(([, name, values]) => `${name}: ${values}`));
  expect(shown.filter((one) => !told.has(one))).toEqual([]);
});

describe('answers', () => {
  it.each([
    [
      'process',
      { kraken_account_number: 'A-1', account_number: 'A-1', external_account_number: '1', more: [] },
    ],
    ['transferStatus', { status: 'IN_PROGRESS', kraken_account_number: '', more: {} }],
    ['transferStatus', { status: 'UNKNOWN' }],
    [
      'pendingProcesses',
      [{ external_account_number: '1', kraken_account_number: null, account_created_at: null, x: 1 }],
    ],
    ['stage', { import_supplier: 'S', external_account_number: '1', more: true }],
    ['notes', [{ status: 'NOTE_ALREADY_EXISTS', body: null, created_at: '2024-01-01T00:00:00Z', id: 7 }]],
    [
      'transactions',
      { results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { amount: '1' } }] },
    ],
    ['paymentInstruction', { kraken_account_number: 'A-1', reference: 'R', status: 'ACTIVE' }],
  ] as const)('to %s may hold more than the interface shows', (name, body) => {
    expect(answers[name]?.safeParse(body).success).toBe(true);
  });

  it.each([
    ['process', { kraken_account_number: '' }],
    ['process', {}],
    ['transferStatus', { kraken_account_number: 'A-1' }],
    ['allProcesses', { results: [] }],
    ['notes', {}],
    ['transactions', {}],
  ] as const)('to %s that say nothing are told', (name, body) => {
    expect(answers[name]?.safeParse(body).success).toBe(false);
  });
});

describe('dates and times', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '2023-12-31'])('exist: %s', (text) => {
    expect(isDate(text)).toBe(true);
    expect(isDatetime(`${text}T23:59:59Z`)).toBe(true);
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '0000-01-01',
    '24-01-01',
    '2024-1-1',
    '2024-01-01 ',
  ])('do not exist: %s', (text) => {
    expect(isDate(text)).toBe(false);
    expect(isDatetime(`${text}T00:00:00Z`)).toBe(false);
  });

  it.each([
    'T24:00:00Z',
    'T23:60:00Z',
    'T23:59:60Z',
    'T10:00Z',
    'T10:00:00+00:00',
    'T10:00:00.5Z',
    ' 10:00:00Z',
    '',
  ])('have no time of %s', (time) => {
    expect(isDatetime(`2024-01-01${time}`)).toBe(false);
  });
});
