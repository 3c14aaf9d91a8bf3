import { describe, expect, it } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { ruleCodes } from '../../../src/contract/rule-codes.ts';
import { crossAccountCodes } from '../../../src/contract/rules/cross-account-rules.ts';
import type { RuleContext } from '../../../src/contract/rules/rule.ts';
import type { StepName } from '../../../src/domain/steps.ts';
import { changed, today, valid, type Changes } from '../payloads.ts';

const knowing: RuleContext = {
  ...defaultRuleContext(today),
  operationsTeams: new Set(['MIGRATIONS']),
  ledgerCodes: new Set(['ENERGY', 'ELECTRICITY']),
  productCodes: new Set(['PRODUCT-1']),
};

const steps = {
  account: 'stage',
  process: 'process',
  notes: 'notes',
  transactions: 'transactions',
  agreements: 'agreements',
  documents: 'billing-documents',
  statements: 'statements',
  instruction: 'payment-instruction',
} as const satisfies Record<keyof typeof valid, StepName>;

function found(kind: keyof typeof valid, changes: Changes, context = knowing): [string, string][] {
  return checkPayload(steps[kind], changed(valid[kind](), changes), context).map(({ code, path }) => [
    code,
    path,
  ]);
}

const ledger = 'ledgers.0';
const current = `${ledger}.current_statement_transactions`;
const history = `${ledger}.historical_statement_transactions`;
const point = 'supply_addresses.0.supply_points.0';

type Case = [
  what: string,
  kind: keyof typeof valid,
  changes: Changes,
  expected: Readonly<Record<string, string>>,
];

/** What each change breaks: the path of each breach, and its code. */
const breaches: Case[] = [
  [
    'ledger balances that do not add up to the transfer balance',
    'account',
    { transfer_balance: '-23.2400000001' },
    { transfer_balance: 'ledger_balances_not_equal_to_transfer_balance' },
  ],
  [
    'a ledger balance that its transactions do not lead to',
    'account',
    { [`${ledger}.ledger_balance`]: -33.25, transfer_balance: '-23.25' },
    { [`${ledger}.ledger_balance`]: 'balance_mismatch_on_ledger_balance' },
  ],
  [
    'a last statement balance alone that is not the ledger balance',
    'account',
    { 'ledgers.1.last_statement_balance': 9 },
    { 'ledgers.1.ledger_balance': 'balance_mismatch_on_ledger_balance' },
  ],
  [
    'historical transactions that do not lead to the last statement balance',
    'account',
    { [`${history}.1.amount`]: '4.49' },
    { [`${ledger}.last_statement_balance`]: 'historical_statement_transactions_balance_mismatch' },
  ],
  [
    'historical transactions that do not lead to zero where no last statement balance is given',
    'account',
    {
      [`${ledger}.last_statement_balance`]: undefined,
      [`${ledger}.ledger_balance`]: -53.24,
      transfer_balance: '-43.24',
    },
    { [`${ledger}.last_statement_balance`]: 'historical_statement_transactions_balance_mismatch' },
  ],
  [
    'a last statement without its closing date',
    'account',
    { [`${ledger}.last_statement_closing_date`]: undefined, [history]: undefined },
    { [`${ledger}.last_statement_closing_date`]: 'historical_statement_without_last_statement_closing_date' },
  ],
  [
    'historical transactions without a closing date',
    'account',
    {
      [`${ledger}.last_statement_closing_date`]: undefined,
      [current]: undefined,
      [`${ledger}.ledger_balance`]: 20,
      transfer_balance: 30,
    },
    {
      [`${ledger}.last_statement_closing_date`]:
        'historical_statement_transactions_require_last_statement_closing_date',
    },
  ],
  [
    'a row of totals',
    'account',
    { external_account_number: '【 合　計 】' },
    { external_account_number: 'total_row' },
  ],
  [
    'a row of totals in German',
    'account',
    { external_account_number: 'Summe:' },
    { external_account_number: 'total_row' },
  ],
  [
    'a row of totals with a count',
    'account',
    { external_account_number: '合計12件' },
    { external_account_number: 'total_row' },
  ],
  [
    'a row of totals with an amount',
    'account',
    { external_account_number: 'Total: 1,234.50' },
    { external_account_number: 'total_row' },
  ],
  [
    'a current transaction on the closing date',
    'account',
    { [`${current}.0.transaction_date`]: '2024-03-31', [`${history}.1.transaction_date`]: '2024-03-30' },
    {
      [`${current}.0.transaction_date`]: 'current_statement_transaction_before_last_statement_closing_date',
    },
  ],
  [
    'a historical transaction after the closing date',
    'account',
    { [`${ledger}.last_statement_closing_date`]: '2024-03-30' },
    {
      [`${history}.1.transaction_date`]: 'historical_statement_transaction_after_last_statement_closing_date',
    },
  ],
  [
    'a historical transaction on the day of a current one',
    'account',
    {
      [`${current}.0.transaction_date`]: '2024-05-01',
      [`${history}.0.transaction_date`]: '2024-05-01',
      [`${ledger}.last_statement_closing_date`]: '2024-04-30',
    },
    {
      [`${history}.0.transaction_date`]:
        'historical_statement_transaction_after_current_statement_transaction',
    },
  ],
  [
    'a transaction id used twice in different lists',
    'account',
    { [`${history}.1.transaction_id`]: 'c1' },
    { [`${history}.1.transaction_id`]: 'duplicate_transaction_ids' },
  ],
  [
    'a transaction id used twice in a request',
    'transactions',
    { 'transactions.1.transaction_id': 't1' },
    { 'transactions.1.transaction_id': 'duplicate_transaction_ids' },
  ],
  [
    'a transaction id used in a document and beside it',
    'documents',
    { 'additional_historical_transactions.0.transaction_id': 'd1' },
    { 'additional_historical_transactions.0.transaction_id': 'duplicate_transaction_ids' },
  ],
  [
    'a transaction without an id',
    'account',
    { [`${current}.0.transaction_id`]: undefined },
    { [`${current}.0.transaction_id`]: 'missing_transaction_id' },
  ],
  [
    'a document’s transaction without an id',
    'documents',
    { 'historical_billing_documents.0.transactions.0.transaction_id': undefined },
    { 'historical_billing_documents.0.transactions.0.transaction_id': 'missing_transaction_id' },
  ],
  [
    'a transaction of tomorrow',
    'transactions',
    { 'transactions.0.transaction_date': '2024-07-01' },
    { 'transactions.0.transaction_date': 'transaction_in_future' },
  ],
  [
    'an amount with a fraction of a penny',
    'transactions',
    { 'transactions.0.amount': '12.5010' },
    { 'transactions.0.amount': 'amount_below_minor_unit' },
  ],
  [
    'a negative payment',
    'transactions',
    { 'transactions.0.type': 'PAYMENT', 'transactions.0.amount': '-12.50' },
    { 'transactions.0.amount': 'negative_payment' },
  ],
  [
    'a document’s transaction in the future',
    'documents',
    { 'additional_historical_transactions.0.transaction_date': '2999-01-01' },
    { 'additional_historical_transactions.0.transaction_date': 'transaction_in_future' },
  ],
  [
    'a supply charge that is not its items',
    'transactions',
    { 'transactions.1.amount': '53.2400000001' },
    {
      'transactions.1.amount':
        'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    },
  ],
  [
    'a net amount that is a cent off its price and units',
    'transactions',
    { 'transactions.1.line_items.1.net_amount': 11.01, 'transactions.1.amount': 53.25 },
    { 'transactions.1.line_items.1.net_amount': 'incorrect_line_item_net_amount' },
  ],
  [
    'three meter readings',
    'transactions',
    { 'transactions.1.line_items.0.units': [1, 2, 3] },
    { 'transactions.1.line_items.0.units': 'line_item_units_must_be_two_values' },
  ],
  [
    'a line item that ends before it starts',
    'transactions',
    { 'transactions.1.line_items.1.end_date': '2024-01-31' },
    { 'transactions.1.line_items.1.end_date': 'start_date_later_than_end_date' },
  ],
  [
    'a statement that ends before it starts',
    'statements',
    { 'statements.0.bill_period_to_date': '2023-12-31' },
    { 'statements.0.bill_period_to_date': 'start_date_later_than_end_date' },
  ],
  [
    'a billing document that ends before it starts',
    'documents',
    { 'historical_billing_documents.0.bill_period_to_date': '2022-12-31' },
    { 'historical_billing_documents.0.bill_period_to_date': 'start_date_later_than_end_date' },
  ],
  [
    'a gap between periods of a rate band',
    'transactions',
    { 'transactions.1.line_items.1.start_date': '2024-02-02' },
    { 'transactions.1.line_items.1.start_date': 'gaps_or_overlaps_in_periods' },
  ],
  [
    'an overlap of periods of a rate band, whatever their order',
    'transactions',
    {
      'transactions.1.line_items.0.start_date': '2024-02-15',
      'transactions.1.line_items.0.end_date': '2024-03-15',
    },
    { 'transactions.1.line_items.0.start_date': 'gaps_or_overlaps_in_periods' },
  ],
  [
    'two agreements from the same day',
    'account',
    { [`${point}.agreements.1.effective_from`]: '2022-01-01' },
    { [`${point}.agreements.1.effective_from`]: 'gaps_or_overlaps_in_agreement_dates' },
  ],
  [
    'an agreement before the supply',
    'account',
    { [`${point}.agreements.1.effective_from`]: '2019-12-31' },
    { [`${point}.agreements.1.effective_from`]: 'agreement_starting_before_meter_point_ssd' },
  ],
  [
    'a billed date before every agreement',
    'account',
    { [`${point}.last_billed_to_date`]: '2019-12-31' },
    { [`${point}.last_billed_to_date`]: 'no_agreement_covering_last_billed_to_date' },
  ],
  [
    'the same supply address in other letters',
    'account',
    { 'supply_addresses.1.supply_address.street_address': '2  LOW street' },
    { 'supply_addresses.1.supply_address.street_address': 'duplicate_supply_addresses_found' },
  ],
  [
    'two ledgers of one code',
    'account',
    { 'ledgers.1.ledger_code': 'ENERGY' },
    { 'ledgers.1.ledger_code': 'duplicate_ledger_entries_found' },
  ],
  [
    'two metadata entries of one key',
    'account',
    { 'metadata.1.key': 'origin' },
    { 'metadata.1.key': 'metadata_has_duplicate_keys' },
  ],
  [
    'the same supply point at two addresses',
    'account',
    {
      'supply_addresses.1.supply_points': [{ identifier: '1200023305967', supply_type: 'ELECTRICITY' }],
    },
    { 'supply_addresses.1.supply_points.0.identifier': 'duplicate_supply_points' },
  ],
  [
    'the same customer in other letters, with one more contact',
    'account',
    { 'customers.1': { given_name: 'ADA', family_name: 'Example', email: 'Ada@example.com' } },
    { 'customers.1.given_name': 'duplicate_customers' },
  ],
  [
    'a customer without a given name',
    'account',
    { 'customers.1.given_name': undefined },
    { 'customers.1.given_name': 'customer_given_name_required' },
  ],
  [
    'a customer without a family name',
    'account',
    { 'customers.0.family_name': undefined },
    { 'customers.0.family_name': 'customer_family_name_required' },
  ],
  [
    'customers whom nothing reaches',
    'account',
    { 'customers.0.email': undefined, 'customers.0.landline': undefined },
    { 'customers.0.email': 'missing_contact_user_email_or_phone' },
  ],
  [
    'customers of an unknown occupier',
    'account',
    { unknown_occupier: true },
    { unknown_occupier: 'customer_with_unknown_occupier' },
  ],
  [
    'a phone number that is none',
    'account',
    { 'customers.0.landline': 'abcde' },
    { 'customers.0.landline': 'invalid_phone_number' },
  ],
  [
    'a phone number of the wrong country',
    'account',
    { 'customers.0.landline': '(02) 9374 4000 1' },
    { 'customers.0.landline': 'invalid_phone_number' },
  ],
  [
    'a postcode of the wrong country',
    'account',
    { 'billing_address.postal_code': '12345' },
    { 'billing_address.postal_code': 'invalid_postcode' },
  ],
  [
    'a supply address’s postcode that is none',
    'account',
    {
      'supply_addresses.1.supply_address.country': 'PT',
      'supply_addresses.1.supply_address.postal_code': '?',
    },
    { 'supply_addresses.1.supply_address.postal_code': 'invalid_postcode' },
  ],
  [
    'an address that is only a country',
    'account',
    { billing_address: { country: 'GB' } },
    { 'billing_address.street_address': 'invalid_address' },
  ],
  [
    'a line of an address that says nothing',
    'account',
    { 'billing_address.locality': '-' },
    { 'billing_address.locality': 'invalid_address' },
  ],
  [
    'a note without content',
    'notes',
    { 'notes.1.document_paths': [] },
    { 'notes.1.body': 'note_body_or_document_path_not_found' },
  ],
  [
    'a note unpinned before it was made',
    'notes',
    { 'notes.0.unpin_at': '2024-01-01T09:59:59Z' },
    { 'notes.0.unpin_at': 'note_unpin_at_earlier_than_creation_date' },
  ],
  [
    'a team that the platform lacks',
    'process',
    { operations_team_name: 'NOBODY' },
    { operations_team_name: 'operations_team_name_does_not_exist' },
  ],
  [
    'a product that the platform lacks',
    'account',
    { [`${current}.0.product_code`]: 'PRODUCT-2' },
    { [`${current}.0.product_code`]: 'product_code_does_not_exist' },
  ],
];

describe('every rule', () => {
  it.each(breaches)('finds %s, at its field', (_what, kind, changes, expected) => {
    expect(Object.fromEntries(found(kind, changes).map(([code, path]) => [path, code]))).toEqual(expected);
  });

  it.each(Object.keys(valid) as (keyof typeof valid)[])('is kept by a good payload: %s', (kind) => {
    expect(found(kind, {})).toEqual([]);
  });

  it('has a payload above that breaks it', () => {
    const shown = new Set(breaches.flatMap(([, , , expected]) => Object.values(expected)));
    const elsewhere = [
      'billing_documents_ledger_repeated',
      // Of the shape of texts (check.test.ts).
      'control_character',
      'suspicious_text',
      'duplicate_statement_ids',
      'external_account_number_differs',
      'import_supplier_differs',
      'indistinguishable_notes',
      // Comes with a warning about the value, below.
      'ledger_code_does_not_exist',
      'unknown_value',
      // Mapping finds it.
      'row_not_mapped',
      // Of the shape, and of a tenancy's contract (check.test.ts, tenancy-contract.test.ts).
      'not_offered',
      'required',
      'unknown_field',
      'unknown_transaction_type',
      // What accounts share, and what is in a directory of documents, are looked into elsewhere.
      ...crossAccountCodes,
      'document_path_escapes',
      'path_does_not_exist_in_file_store',
    ];
    expect(ruleCodes, 'Sort src/contract/rule-codes.ts.').toEqual(ruleCodes.toSorted());
    const remedy =
      'Add a payload to `breaches` above. If another file tests the code, name it in `elsewhere`. ' +
      'List the code in src/contract/rule-codes.ts.';
    expect([...shown, ...elsewhere].sort(), remedy).toEqual(ruleCodes);
  });

  it.each<[string, Changes]>([
    [
      'an electricity and a gas meter of the same number',
      {
        'supply_addresses.1.supply_points': [{ identifier: '1200023305967', supply_type: 'GAS' }],
      },
    ],
    [
      'a namesake with another address',
      { 'customers.1.given_name': 'Ada', 'customers.1.email': 'a@example.org' },
    ],
    [
      'a namesake with another way to be reached',
      {
        customers: [
          { given_name: 'A', family_name: 'B', email: 'a@b.example' },
          { given_name: 'A', family_name: 'B', landline: '020 7946 0958' },
        ],
      },
    ],
    ['a namesake with another title', { 'customers.1.given_name': 'Ada', 'customers.1.title': 'Mr' }],
    [
      'two customers without a name',
      { customers: [{ email: 'a@example.com' }, { email: 'a@example.com' }], unknown_occupier: undefined },
    ],
  ])('takes no %s for a duplicate', (_what, changes) => {
    const codes = found('account', changes).map(([code]) => code);
    expect(codes.filter((code) => code.startsWith('duplicate_'))).toEqual([]);
  });

  it('only warns of a supply point or a customer that the account has twice', () => {
    const twice = changed(valid.account(), {
      'supply_addresses.1.supply_points': [{ identifier: '1200023305967', supply_type: 'ELECTRICITY' }],
      'customers.1': { given_name: 'Ada', family_name: 'Example' },
    });
    expect(checkPayload('stage', twice, knowing)).toMatchObject([
      { code: 'duplicate_supply_points', severity: 'warning' },
      { code: 'duplicate_customers', severity: 'warning' },
    ]);
  });

  it('can be turned off, or down to a warning', () => {
    const broken = changed(valid.account(), { transfer_balance: 0, 'customers.0.landline': '1' });
    const levels = new Map([
      ['ledger_balances_not_equal_to_transfer_balance', 'off'],
      ['invalid_phone_number', 'warning'],
    ] as const);
    expect(checkPayload('validate', broken, { today, levels })).toMatchObject([
      { code: 'invalid_phone_number', path: 'customers.0.landline', severity: 'warning' },
    ]);
  });
});

describe('what is not there', () => {
  const kept: [string, keyof typeof valid, Changes][] = [
    ['a transfer balance without ledgers', 'account', { ledgers: undefined }],
    ['ledgers of which one states no balance', 'account', { 'ledgers.1.ledger_balance': undefined }],
    [
      'a ledger balance with nothing behind it',
      'account',
      { 'ledgers.0': { ledger_code: 'ENERGY', ledger_balance: -33.24 } },
    ],
    [
      'a first bill: current transactions alone make the balance',
      'account',
      {
        [history]: undefined,
        [`${ledger}.last_statement_balance`]: undefined,
        [`${ledger}.last_statement_closing_date`]: undefined,
        [`${ledger}.ledger_balance`]: '-53.24',
        transfer_balance: '-43.24',
      },
    ],
    [
      'a last statement balance of zero without a closing date',
      'account',
      {
        [history]: undefined,
        [`${ledger}.last_statement_balance`]: '0.00',
        [`${ledger}.last_statement_closing_date`]: undefined,
        [`${ledger}.ledger_balance`]: '-53.24',
        transfer_balance: '-43.24',
      },
    ],
    ['historical transactions left behind', 'account', { [history]: undefined }],
    ['a supply charge without items', 'transactions', { 'transactions.1.line_items': undefined }],
    [
      'a price that the tariff knows',
      'transactions',
      { 'transactions.1.line_items.0.price_per_unit': undefined },
    ],
    ['an unknown occupier with nobody', 'account', { customers: undefined, unknown_occupier: true }],
    ['a supply point without agreements', 'account', { [`${point}.agreements`]: undefined }],
  ];
  it.each(kept)('breaks no rule: %s', (_what, kind, changes) => {
    expect(found(kind, changes)).toEqual([]);
  });

  it('leaves a balance undecided when a transaction has a type whose sign is not known, and says so', () => {
    expect(found('account', { [`${current}.0.type`]: 'ADJUSTMENT' })).toEqual([
      ['unknown_transaction_type', `${current}.0.type`],
    ]);
  });

  it('does not check codes against a platform whose codes are not known here', () => {
    const changes = { [`${current}.0.product_code`]: 'PRODUCT-2' };
    expect(found('account', changes, defaultRuleContext(today))).toEqual([]);
  });
});

describe('codes that the platform knows', () => {
  const context = { ...knowing, ledgerCodes: new Set(['ENERGY']) };
  it.each([
    ['account', 'ledgers.1.ledger_code'],
    ['documents', 'ledger_code'],
  ] as const)('include each ledger code of the %s payload', (kind, path) => {
    expect(found(kind, {}, context)).toEqual([['ledger_code_does_not_exist', path]]);
  });
});

describe('amounts', () => {
  it('are compared to the last digit, in either form', () => {
    const changes = {
      [`${ledger}.ledger_balance`]: '1234567890.1234567891',
      [`${ledger}.last_statement_balance`]: '1234567943.3634567891',
      [history]: undefined,
      'ledgers.1.ledger_balance': '0.0000000001',
      transfer_balance: '1234567890.1234567892',
    };
    expect(found('account', changes)).toEqual([]);
    expect(found('account', { ...changes, transfer_balance: '1234567890.1234567893' })).toEqual([
      ['ledger_balances_not_equal_to_transfer_balance', 'transfer_balance'],
    ]);
  });

  it.each([
    ['1.005', 1, '1.00'],
    ['1.005', 1, '1.01'],
    ['1.009', 1, '1.00'],
    ['-1.005', 1, '-1.01'],
    ['0.1234567', '812.5', '100.31'],
  ])('round to the minor unit: %s times %s may be %s', (price, units, net) => {
    const item = 'transactions.0.line_items';
    const line_item = {
      start_date: '2024-01-01',
      end_date: '2024-01-31',
      price_per_unit: price,
      number_of_units: units,
      net_amount: net,
    };
    expect(found('transactions', { [item]: [line_item] })).toEqual([]);
  });
});

describe('periods of a rate band', () => {
  it('may begin on the day on which the one before ends, or on the day after', () => {
    expect(found('transactions', { 'transactions.1.line_items.0.end_date': '2024-02-01' })).toEqual([]);
  });

  it('are not held against another band, or an item that names none', () => {
    const start = { 'transactions.1.line_items.1.start_date': '2024-02-10' };
    const band = 'transactions.1.line_items.1.rate_band';
    expect(found('transactions', { ...start, [band]: 'STANDING' })).toEqual([]);
    expect(found('transactions', { ...start, [band]: undefined })).toEqual([]);
  });
});
