import { describe, expect, it } from 'vitest';
import {
  checkAccountRules,
  defaultRuleContext,
  type Extras,
  type AccountProblem,
} from '../../../src/contract/preflight.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { changed, today, valid } from '../payloads.ts';

const context = defaultRuleContext(today);

const none: Extras = {
  notes: [],
  transactions: [],
  agreements: [],
  'billing-documents': [],
  statements: [],
  'payment-instruction': [],
};

const whole: Extras = {
  notes: [valid.notes()],
  transactions: [valid.transactions()],
  agreements: [valid.agreements()],
  'billing-documents': [valid.documents()],
  statements: [valid.statements()],
  'payment-instruction': [valid.instruction()],
};

function found(extras: Partial<Extras>): Omit<AccountProblem, 'detail'>[] {
  return checkAccountRules(valid.account(), { ...none, ...extras }, context).map(
    ({ step, request, code, path, severity }) => ({ step, request, code, path, severity }),
  );
}

function notes(...list: JsonObject[]): JsonObject {
  return changed(valid.notes(), { notes: list });
}

it('finds nothing in an account whose payloads agree', () => {
  expect(found(whole)).toEqual([]);
  expect(found(none)).toEqual([]);
});

describe('a transaction id', () => {
  it.each([
    [
      'the account payload',
      { transactions: [changed(valid.transactions(), { 'transactions.1.transaction_id': 'h2' })] },
      'transactions',
      'transactions.1.transaction_id',
      0,
    ],
    [
      'the transactions',
      {
        transactions: [valid.transactions()],
        'billing-documents': [
          changed(valid.documents(), {
            'historical_billing_documents.0.transactions.0.transaction_id': 't2',
          }),
        ],
      },
      'billing-documents',
      'historical_billing_documents.0.transactions.0.transaction_id',
      0,
    ],
    [
      'another ledger’s documents',
      {
        'billing-documents': [
          valid.documents(),
          changed(valid.documents(), {
            ledger_number: 'L-2',
            historical_billing_documents: [],
          }),
        ],
      },
      'billing-documents',
      'additional_historical_transactions.0.transaction_id',
      1,
    ],
  ] as [string, Partial<Extras>, string, string, number][])(
    'that %s has already is found in the second payload',
    (_where, extras, step, path, request) => {
      expect(found(extras)).toEqual([
        { step, request, code: 'duplicate_transaction_ids', path, severity: 'error' },
      ]);
    },
  );

  it('used twice within one payload is that payload’s own problem', () => {
    const twice = changed(valid.transactions(), { 'transactions.1.transaction_id': 't1' });
    expect(found({ transactions: [twice] })).toEqual([]);
  });
});

describe('notes of the same body', () => {
  const at = '2024-01-01T10:00:00Z';
  const later = '2024-01-01T10:00:01Z';

  it.each([
    ['both have no created_at', [{ body: 'Called.' }, { body: 'Called.' }]],
    [
      'both have the same created_at',
      [
        { body: 'Called.', created_at: at },
        { body: 'Called.', created_at: at },
      ],
    ],
    ['one has none', [{ body: 'Called.', created_at: at }, { body: 'Called.' }]],
    ['the first has none', [{ body: 'Called.' }, { body: 'Called.', created_at: at }]],
  ])('cannot be told apart when %s', (_when, list) => {
    const code = 'indistinguishable_notes';
    expect(found({ notes: [notes(...list)] })).toEqual([
      { step: 'notes', request: 0, code, path: 'notes.1.body', severity: 'error' },
    ]);
  });

  it('can be told apart by an id that a tenancy has them carry', () => {
    const list = [
      { body: 'Called.', external_id: '1' },
      { body: 'Called.', external_id: '2' },
    ];
    expect(found({ notes: [notes(...list)] })).toEqual([]);
  });

  it('are found in different payloads too', () => {
    expect(found({ notes: [notes({ body: 'Called.' }), notes({ body: 'Called.' })] })).toMatchObject([
      { request: 1, path: 'notes.0.body' },
    ]);
  });

  it('can be told apart by their times', () => {
    const list = [
      { body: 'Called.', created_at: at },
      { body: 'Called.', created_at: later },
    ];
    expect(found({ notes: [notes(...list)] })).toEqual([]);
  });
});

it('finds a statement id that is used twice, within a payload or in two', () => {
  const [one] = whole.statements;
  const twice = changed(valid.statements(), {
    'statements.1': {
      statement_id: 'S-1',
      bill_period_from_date: '2024-02-01',
      bill_period_to_date: '2024-02-29',
    },
  });
  const problem = { step: 'statements', code: 'duplicate_statement_ids', severity: 'error' };
  expect(found({ statements: [twice] })).toEqual([
    { ...problem, request: 0, path: 'statements.1.statement_id' },
  ]);
  expect(found({ statements: [one!, one!] })).toEqual([
    { ...problem, request: 1, path: 'statements.0.statement_id' },
  ]);
});

it('finds the documents of one ledger in two payloads', () => {
  const again = changed(valid.documents(), {
    historical_billing_documents: [],
    additional_historical_transactions: undefined,
  });
  expect(found({ 'billing-documents': [valid.documents(), again] })).toMatchObject([
    { step: 'billing-documents', request: 1, code: 'billing_documents_ledger_repeated', path: 'ledger_code' },
  ]);
  const other = changed(again, { ledger_number: 'L-2' });
  expect(found({ 'billing-documents': [valid.documents(), other] })).toEqual([]);
});

it('finds a payload that is another account’s', () => {
  const other = changed(valid.agreements(), { external_account_number: 'EXT-2' });
  const elsewhere = changed(valid.instruction(), { import_supplier: 'OTHER' });
  expect(
    found({ agreements: [valid.agreements(), other], 'payment-instruction': [elsewhere] }),
  ).toMatchObject([
    { step: 'payment-instruction', request: 0, code: 'import_supplier_differs', path: 'import_supplier' },
    {
      step: 'agreements',
      request: 1,
      code: 'external_account_number_differs',
      path: 'external_account_number',
    },
  ]);
});

it('keeps to the levels that the configuration gives', () => {
  const levels = new Map([['indistinguishable_notes', 'warning']] as const);
  const extras = { ...none, notes: [notes({ body: 'A' }, { body: 'A' })] };
  expect(checkAccountRules(valid.account(), extras, { today, levels })).toMatchObject([
    { severity: 'warning' },
  ]);
});

it('passes over what is malformed', () => {
  const wrong = { notes: 'none', transactions: [null, 5, { transaction_id: 7 }], statements: [[], {}] };
  const extras = Object.fromEntries(Object.keys(none).map((step) => [step, [wrong, {}]]));
  expect(
    found({ ...extras, 'billing-documents': [{ historical_billing_documents: [1, { transactions: {} }] }] }),
  ).toEqual([]);
});
