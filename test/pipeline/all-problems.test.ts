import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRuleContext } from '../../src/contract/preflight.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { builtInMapping } from '../../src/mapping/built-in.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { preflight } from '../../src/pipeline/check/preflight.ts';
import { changed, today, valid } from '../contract/payloads.ts';
import { planOf, type Files } from '../mapping/bundles.ts';

const rules = defaultRuleContext(today);

function told(plan: AccountPlan): string[] {
  return preflight(plan, rules)
    .map(({ code, path }) => `${code} ${path}`)
    .sort();
}

const flat: Files = {
  'accounts.csv': [
    'external_account_number,import_supplier,transfer_balance,billing_address.street_address,billing_address.postal_code,billing_address.country',
    '1,S,12.x,1 High Street,NOWHERE,GB',
  ],
  'customers.csv': [
    'external_account_number,given_name,family_name,landline,unable_to_read_meters',
    '1,Ada,,12,perhaps',
  ],
};

function flatPlan(files: Files): AccountPlan {
  return planOf(builtInMapping(Object.keys(files), {}), files, '1');
}

describe('an account with several faults', () => {
  it('tells all of them at once', () => {
    expect(told(flatPlan(flat))).toEqual([
      'customer_family_name_required customers.0.family_name',
      'invalid_amount transfer_balance',
      'invalid_boolean customers.0.unable_to_read_meters',
      'invalid_phone_number customers.0.landline',
      'invalid_postcode billing_address.postal_code',
    ]);
  });

  it('says nothing of what depends on a row that has no place', () => {
    const files = {
      ...flat,
      'accounts.csv': ['external_account_number,import_supplier,transfer_balance', '1,S,10.00'],
      'customers.csv': [
        'external_account_number,given_name,family_name,email',
        '1,Ada,Example,a@example.com',
      ],
      'ledgers.csv': ['external_account_number,ledger_code,ledger_balance', '1,ENERGY,10', '1,ELECTRICITY,0'],
      'current_statement_transactions.csv': [
        'external_account_number,ledger_code,transaction_id,transaction_date,amount,type',
        '1,ENERGY,t1,2024-06-01,4,PAYMENT',
        '1,ENERGIE,t2,2024-06-01,6,PAYMENT',
        '1,ENERGY,t3,2024-13-01,6,PAYMENT',
        '1,ENERGY,t4,2024-06-01,12,SUPPLY_CHARGE',
      ],
      'line_items.csv': [
        'external_account_number,transaction_id,start_date,end_date,number_of_units,net_amount',
        '1,t4,2024-05-01,2024-05-31,1,10',
      ],
      'tax_items.csv': [
        'external_account_number,transaction_id,amount,tax_type,value_taxed,rate,unit_type',
        '1,t5,2,VAT,10,0.2,PROPORTION',
      ],
    };
    expect(told(flatPlan(files))).toEqual([
      'invalid_date ledgers.0.current_statement_transactions.1.transaction_date',
      'parent_not_found ',
      'parent_not_found ',
    ]);
  });

  it('tells once, in the account, that nothing names the supplier', () => {
    const files = {
      'accounts.csv': ['external_account_number', '1'],
      'customers.csv': ['external_account_number,given_name', '1,Ada'],
      'notes.csv': ['external_account_number,body,created_at', '1,,2024-01-01T00:00:00Z'],
    };
    expect(told(flatPlan(files))).toEqual([
      'customer_family_name_required customers.0.family_name',
      'missing_contact_user_email_or_phone customers.0.email',
      'missing_import_supplier import_supplier',
      'note_body_or_document_path_not_found notes.0.body',
    ]);
  });

  it('takes a code that the mapping does not know for no supplier', () => {
    const mapping = readMapping(
      'mapping.yaml',
      [
        'version: 1',
        'tables: { accounts: { file: a.csv, key: ID } }',
        "account: { import_supplier: { column: FIRM, codes: { '01': S } }, transfer_balance: BALANCE }",
      ].join('\n'),
      {},
    );
    const plan = planOf(mapping, { 'a.csv': ['ID,FIRM,BALANCE', '1,07,1.00'] }, '1');
    expect(plan.key).toEqual({ supplier: '', account: '1' });
    expect(told(plan)).toEqual(['unknown_code import_supplier']);
  });

  it('does not take two times that cannot be read for the same', () => {
    const mapping = readMapping(
      'mapping.yaml',
      [
        'version: 1',
        'tables: { accounts: { file: a.csv, key: ID }, notes: { file: n.csv, key: ID } }',
        'account: { import_supplier: { constant: S } }',
        'notes: { from: notes, each: { body: TEXT, created_at: WHEN } }',
      ].join('\n'),
      {},
    );
    const files = { 'a.csv': ['ID', '1'], 'n.csv': ['ID,TEXT,WHEN', '1,Called,once', '1,Called,once'] };
    expect(told(planOf(mapping, files, '1'))).toEqual([
      'invalid_datetime notes.0.created_at',
      'invalid_datetime notes.1.created_at',
    ]);
  });
});

/** What each rule of the account payload reads; `#` is the same element as in the problem's path, `*` any. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  invalid_postcode: [
    'billing_address.postal_code',
    'billing_address.country',
    'supply_addresses.#.supply_address.postal_code',
    'supply_addresses.#.supply_address.country',
  ],
  invalid_address: ['billing_address.*', 'supply_addresses.#.supply_address.*'],
  duplicate_supply_addresses_found: ['supply_addresses.*.supply_address.*'],
  duplicate_supply_points: [
    'supply_addresses.*.supply_points.*.identifier',
    'supply_addresses.*.supply_points.*.supply_type',
  ],
  duplicate_customers: ['customers.*.*'],
  gaps_or_overlaps_in_agreement_dates: ['supply_addresses.#.supply_points.#.agreements.*.effective_from'],
  agreement_starting_before_meter_point_ssd: [
    'supply_addresses.#.supply_points.#.agreements.#.effective_from',
    'supply_addresses.#.supply_points.#.supply_start_date',
  ],
  no_agreement_covering_last_billed_to_date: [
    'supply_addresses.#.supply_points.#.agreements.*.effective_from',
    'supply_addresses.#.supply_points.#.last_billed_to_date',
  ],
  ledger_balances_not_equal_to_transfer_balance: ['transfer_balance', 'ledgers.*.ledger_balance'],
  balance_mismatch_on_ledger_balance: [
    'ledgers.#.ledger_balance',
    'ledgers.#.last_statement_balance',
    'ledgers.#.current_statement_transactions.*.amount',
    'ledgers.#.current_statement_transactions.*.type',
  ],
  historical_statement_transactions_balance_mismatch: [
    'ledgers.#.last_statement_balance',
    'ledgers.#.historical_statement_transactions.*.amount',
    'ledgers.#.historical_statement_transactions.*.type',
  ],
  historical_statement_without_last_statement_closing_date: [
    'ledgers.#.last_statement_balance',
    'ledgers.#.last_statement_closing_date',
    'ledgers.#.current_statement_transactions',
  ],
  historical_statement_transactions_require_last_statement_closing_date: [
    'ledgers.#.last_statement_closing_date',
    'ledgers.#.historical_statement_transactions',
  ],
  current_statement_transaction_before_last_statement_closing_date: [
    'ledgers.#.last_statement_closing_date',
    'ledgers.#.current_statement_transactions.#.transaction_date',
  ],
  historical_statement_transaction_after_last_statement_closing_date: [
    'ledgers.#.last_statement_closing_date',
    'ledgers.#.historical_statement_transactions.#.transaction_date',
  ],
  historical_statement_transaction_after_current_statement_transaction: [
    'ledgers.#.historical_statement_transactions.*.transaction_date',
    'ledgers.#.current_statement_transactions.*.transaction_date',
  ],
  customer_given_name_required: ['customers.#.given_name', 'unknown_occupier'],
  customer_family_name_required: ['customers.#.family_name', 'unknown_occupier'],
  missing_contact_user_email_or_phone: ['customers.*.email', 'customers.*.landline', 'unknown_occupier'],
  customer_with_unknown_occupier: ['unknown_occupier', 'customers'],
  invalid_phone_number: [
    'customers.#.landline',
    'billing_address.country',
    'supply_addresses.*.supply_address.country',
  ],
  duplicate_ledger_entries_found: ['ledgers.*.ledger_code'],
  metadata_has_duplicate_keys: ['metadata.*.key'],
  missing_transaction_id: [
    'ledgers.#.current_statement_transactions.#.transaction_id',
    'ledgers.#.historical_statement_transactions.#.transaction_id',
  ],
  duplicate_transaction_ids: [
    'ledgers.*.current_statement_transactions.*.transaction_id',
    'ledgers.*.historical_statement_transactions.*.transaction_id',
  ],
  amount_below_minor_unit: [
    'ledgers.#.current_statement_transactions.#.amount',
    'ledgers.#.historical_statement_transactions.#.amount',
  ],
  negative_payment: [
    'ledgers.#.current_statement_transactions.#.*',
    'ledgers.#.historical_statement_transactions.#.*',
  ],
  transaction_in_future: [
    'ledgers.#.current_statement_transactions.#.transaction_date',
    'ledgers.#.historical_statement_transactions.#.transaction_date',
  ],
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount: [
    'ledgers.#.current_statement_transactions.#.*',
    'ledgers.#.current_statement_transactions.#.*.*.*',
  ],
  incorrect_line_item_net_amount: ['ledgers.#.current_statement_transactions.#.line_items.#.*'],
  line_item_units_must_be_two_values: ['ledgers.#.current_statement_transactions.#.line_items.#.units'],
  start_date_later_than_end_date: ['ledgers.#.current_statement_transactions.#.line_items.#.*'],
  gaps_or_overlaps_in_periods: ['ledgers.#.current_statement_transactions.#.line_items.*.*'],
  unknown_value: [],
};

/** Whether a broken value is, holds or is part of what the rule of a problem reads. */
function reads([code = '', at = '']: readonly string[], broken: string): boolean {
  const place = at.split('.');
  return (inputs[code] ?? []).some((pattern) => {
    const parts = pattern.split('.');
    return broken.split('.').every((part, index) => {
      const wanted = parts[index];
      return (
        wanted === undefined || wanted === '*' || wanted === part || (wanted === '#' && place[index] === part)
      );
    });
  });
}

/** Paths of all values in a payload, and of what holds them. */
function paths(value: JsonValue, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    paths(item as JsonValue, at === '' ? name : `${at}.${name}`),
  );
  return at === '' || at.startsWith('metadata.') ? inner : [at, ...inner];
}

const shapeCodes = [
  'invalid',
  'null',
  'required',
  'blank',
  'max_length',
  'invalid_amount',
  'invalid_date',
  'invalid_country',
];

describe('a value that cannot be read', () => {
  const all = paths(valid.account());
  const fault = fc.record({
    path: fc.constantFrom(...all),
    value: fc.constantFrom<(JsonValue | undefined)[]>(
      undefined,
      null,
      {},
      'x',
      ' ',
      '2031-02-30',
      '2031-01-01',
      '1999-01-01',
      '17.5',
      0,
      true,
      'ENERGY',
      'c1',
      'GB',
      'DE',
    ),
  });

  it('hides no problem but those of the rules that read it', () => {
    fc.assert(
      fc.property(fc.array(fault, { minLength: 1, maxLength: 8 }), (faults) => {
        const broken = payloadWith(faults);
        const before = preflight(planOf1(broken), rules).map(({ code, path }) => [code, path]);
        const unreadable = before.flatMap(([code = '', path = '']) =>
          shapeCodes.includes(code) ? [path] : [],
        );
        const fixed = payloadWith(faults);
        // The outermost first, since they may hold others.
        for (const path of [...unreadable].sort((a, b) => a.length - b.length)) restore(fixed, path);
        const after = preflight(planOf1(fixed), rules).map(({ code, path }) => [code, path]);
        const known = new Set(before.map((problem) => problem.join(' ')));
        const unexplained = after.filter(
          (problem) =>
            !known.has(problem.join(' ')) &&
            !unreadable.some((path) => reads(problem, path) || holds(path, problem[1])),
        );
        expect(unexplained, 'Add every value that the rule reads to `inputs` above.').toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

function holds(path: string, inner = ''): boolean {
  return inner === path || inner.startsWith(`${path}.`);
}

function payloadWith(
  faults: readonly { readonly path: string; readonly value: JsonValue | undefined }[],
): JsonObject {
  const payload = valid.account();
  for (const { path, value } of faults) {
    // An element that is taken out would move those behind it.
    if (value === undefined && /\d$/.test(path)) continue;
    try {
      changed(payload, { [path]: structuredClone(value) });
    } catch {
      // An earlier fault has replaced what holds it.
    }
  }
  return payload;
}

function restore(payload: JsonObject, path: string): void {
  let whole: JsonValue | undefined = valid.account();
  for (const name of path.split('.')) whole = (whole as Record<string, JsonValue> | undefined)?.[name];
  changed(payload, { [path]: whole });
}

/** The plan of an export in the interface's own shape. */
function planOf1(payload: JsonObject): AccountPlan {
  const files = { 'accounts.ndjson': [payload] };
  return planOf(builtInMapping(Object.keys(files), {}), files, 'EXT-1');
}
