import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

export const today = '2024-06-30';

const identification = { import_supplier: 'TENTACLE_ENERGY', external_account_number: 'EXT-1' };

/** A supply charge whose sums hold, with two periods of one rate band. */
function supplyCharge(id: string, date: string): JsonObject {
  return {
    transaction_id: id,
    transaction_date: date,
    amount: '53.24',
    type: 'SUPPLY_CHARGE',
    product_code: 'PRODUCT-1',
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2024-01-01',
        end_date: '2024-01-31',
        number_of_units: 3,
        net_amount: 33,
        price_per_unit: 11,
        units: [4, 7],
      },
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2024-02-01',
        end_date: '2024-02-29',
        number_of_units: 1,
        net_amount: 11,
        price_per_unit: 11,
      },
    ],
    tax_items: [{ amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION' }],
  };
}

function payment(id: string, date: string, amount: number | string): JsonObject {
  return {
    transaction_id: id,
    transaction_date: date,
    amount,
    type: 'PAYMENT',
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    payment_type: 'CHEQUE',
  };
}

/** Payloads that keep every rule, made anew on each call. */
export const valid = {
  account: (): JsonObject => ({
    ...identification,
    account_type: 'DOMESTIC',
    communication_preference: 'ONLINE',
    sales_channel: 'EVENTS',
    sales_subchannel: 'MIGRATION',
    account_billing_options: { use_industry_billing: false },
    unknown_occupier: false,
    transfer_balance: '-23.24',
    billing_address: {
      street_address: '1 High Street',
      locality: 'London',
      administrative_area: 'Greater London',
      postal_code: 'SW1A 1AA',
      country: 'GB',
    },
    customers: [
      {
        given_name: 'Ada',
        family_name: 'Example',
        title: 'Dr',
        email: 'ada@example.com',
        landline: '020 7946 0958',
        portfolio_roles: ['ADMIN'],
        unable_to_read_meters: false,
      },
      { given_name: 'Bob', family_name: 'Example' },
    ],
    ledgers: [
      {
        ledger_code: 'ENERGY',
        last_statement_balance: 20,
        last_statement_closing_date: '2024-03-31',
        ledger_balance: -33.24,
        current_statement_transactions: [supplyCharge('c1', '2024-04-01')],
        historical_statement_transactions: [
          payment('h1', '2024-03-01', 15.5),
          payment('h2', '2024-03-31', '4.50'),
        ],
      },
      { ledger_code: 'ELECTRICITY', ledger_balance: 10 },
    ],
    metadata: [
      { key: 'origin', value: { system: 'old' } },
      { key: 'segment', value: {} },
    ],
    supply_addresses: [
      {
        customer_at_supply_address_from_date: '2020-01-01',
        supply_address: { street_address: '2 Low Street', postal_code: 'M1 1AE', country: 'GB' },
        supply_points: [
          {
            identifier: '1200023305967',
            supply_type: 'ELECTRICITY',
            supply_start_date: '2020-01-01',
            last_billed_to_date: '2024-03-31',
            agreements: [
              { effective_from: '2022-01-01', tariff_code: 'TARIFF-2' },
              { effective_from: '2020-01-01', tariff_code: 'TARIFF-1' },
            ],
          },
        ],
      },
      { supply_address: { street_address: '3 Low Street', postal_code: 'M1 1AE', country: 'GB' } },
    ],
  }),
  process: (): JsonObject => ({
    external_account_number: 'EXT-1',
    import_supplier_code: 'TENTACLE_ENERGY',
    operations_team_name: 'MIGRATIONS',
    dry_run: true,
  }),
  notes: (): JsonObject => ({
    ...identification,
    notes: [
      {
        body: 'Called.',
        created_at: '2024-01-01T10:00:00Z',
        unpin_at: '2024-01-01T10:00:00Z',
        is_pinned: true,
      },
      { document_paths: [{ document_path: 'letters/1.pdf' }] },
    ],
  }),
  transactions: (): JsonObject => ({
    ...identification,
    transactions: [payment('t1', '2024-06-30', 10), supplyCharge('t2', '2024-06-01')],
  }),
  agreements: (): JsonObject => ({ ...identification, agreements: [{ anything: [1, null] }] }),
  documents: (): JsonObject => ({
    ...identification,
    ledger_code: 'ELECTRICITY',
    ledger_number: 'L-1',
    billing_document_type: 'PERIOD_BASED',
    historical_billing_documents: [
      {
        billing_document_identifier: 'B-1',
        billing_document_type: 'PERIOD_BASED',
        issued_date: '2023-02-01',
        bill_period_from_date: '2023-01-01',
        bill_period_to_date: '2023-01-31',
        transactions: [supplyCharge('d1', '2023-02-01')],
      },
      { billing_document_identifier: 'B-2', billing_document_type: 'ITEM_BASED', issued_date: '2023-03-01' },
    ],
    additional_historical_transactions: [payment('d2', '2023-02-10', '53.24')],
  }),
  statements: (): JsonObject => ({
    ...identification,
    statements: [
      {
        bill_period_from_date: '2024-01-01',
        bill_period_to_date: '2024-01-31',
        statement_id: 'S-1',
        issued_date: '2024-02-01',
        number: '1',
        gross_amount: 53.24,
        statement_path: 'EXT-1/1.pdf',
      },
    ],
  }),
  instruction: (): JsonObject => ({
    ...identification,
    vendor: 'STRIPE',
    reference: 'REF-1',
    type: 'CARD',
  }),
};

/** Values by their dotted path; undefined takes the field away. */
export type Changes = Readonly<Record<string, JsonValue | undefined>>;

/** The payload with some of its values replaced. */
export function changed(payload: JsonObject, changes: Changes): JsonObject {
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at: JsonValue = payload;
    for (const name of names) at = child(at, name);
    if (Array.isArray(at)) {
      if (value === undefined) at.splice(Number(last), 1);
      else at[Number(last)] = value;
    } else if (isJsonObject(at)) {
      if (value === undefined) Reflect.deleteProperty(at, last);
      else at[last] = value;
    }
  }
  return payload;
}

function child(at: JsonValue, name: string): JsonValue {
  const found = Array.isArray(at) ? at[Number(name)] : isJsonObject(at) ? at[name] : undefined;
  if (found === undefined) throw new Error(`The test's payload has no ${name}.`);
  return found;
}
