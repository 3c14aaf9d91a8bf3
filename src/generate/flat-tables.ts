import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { extraStep } from '../domain/steps.ts';
import type { AccountRecords } from './account.ts';
import { extraRecords } from './extra-records.ts';
import { transactionColumns } from './transactions.ts';

/** One file of the flat CSV shape; its first column, the external account number, goes without saying. */
export interface FlatTable {
  readonly name: string;
  /** Dotted paths into a row. */
  readonly columns: readonly string[];
  readonly rows: (records: AccountRecords) => readonly JsonObject[];
}

const documentColumns = [
  'ledger_code',
  'ledger_number',
  'billing_document_type',
  'billing_document_identifier',
  'issued_date',
  'bill_period_from_date',
  'bill_period_to_date',
];

/** Every file of the flat shape, with parents' references in the rows of what is nested in the payloads. */
export const flatTables: readonly FlatTable[] = [
  {
    name: 'accounts',
    columns: [
      'import_supplier',
      'account_type',
      'account_billing_options.use_industry_billing',
      ...addressColumns('billing_address'),
      'communication_preference',
      'sales_channel',
      'sales_subchannel',
      'transfer_balance',
      'unknown_occupier',
    ],
    rows: ({ accounts }) => accounts,
  },
  {
    name: 'customers',
    columns: [
      'title',
      'given_name',
      'family_name',
      'email',
      'landline',
      'portfolio_roles',
      'unable_to_read_meters',
    ],
    rows: ({ accounts }) => inEach(accounts, 'customers'),
  },
  {
    name: 'metadata',
    columns: ['key', 'value'],
    rows: ({ accounts }) => inEach(accounts, 'metadata'),
  },
  {
    name: 'supply_addresses',
    columns: ['customer_at_supply_address_from_date', ...addressColumns('supply_address')],
    rows: ({ accounts }) => inEach(accounts, 'supply_addresses'),
  },
  {
    name: 'supply_points',
    columns: [
      'supply_address_index',
      'identifier',
      'supply_type',
      'load_zone',
      'supply_start_date',
      'last_billed_to_date',
    ],
    rows: supplyPoints,
  },
  {
    name: 'agreements',
    columns: ['supply_point_identifier', 'effective_from', 'tariff_code'],
    rows: (records) => inEach(supplyPoints(records), 'agreements', { supply_point_identifier: 'identifier' }),
  },
  {
    name: 'ledgers',
    columns: ['ledger_code', 'last_statement_balance', 'last_statement_closing_date', 'ledger_balance'],
    rows: ({ accounts }) => inEach(accounts, 'ledgers'),
  },
  {
    name: 'current_statement_transactions',
    columns: ['ledger_code', ...transactionColumns],
    rows: (records) => ledgerTransactions(records, 'current_statement_transactions'),
  },
  {
    name: 'historical_statement_transactions',
    columns: ['ledger_code', ...transactionColumns],
    rows: (records) => ledgerTransactions(records, 'historical_statement_transactions'),
  },
  {
    name: 'line_items',
    columns: [
      'transaction_id',
      'rate_band',
      'start_date',
      'end_date',
      'number_of_units',
      'net_amount',
      'price_per_unit',
      'units',
    ],
    rows: (records) => inEach(allTransactions(records), 'line_items', { transaction_id: 'transaction_id' }),
  },
  {
    name: 'tax_items',
    columns: ['transaction_id', 'amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'],
    rows: (records) => inEach(allTransactions(records), 'tax_items', { transaction_id: 'transaction_id' }),
  },
  {
    name: 'notes',
    columns: ['body', 'created_at', 'is_pinned', 'unpin_at', 'document_paths'],
    rows: ({ notes }) =>
      inEach(notes, 'notes').map((note) => ({
        ...note,
        document_paths: inEach([note], 'document_paths').map((one) => one['document_path'] ?? null),
      })),
  },
  { name: 'historical_billing_documents', columns: documentColumns, rows: billingDocuments },
  {
    name: 'historical_billing_document_transactions',
    columns: ['billing_document_identifier', ...transactionColumns],
    rows: documentTransactions,
  },
  {
    name: 'additional_historical_transactions',
    columns: ['ledger_code', 'ledger_number', ...transactionColumns],
    rows: additionalTransactions,
  },
  ...extraRecords.flatMap(([step, { columns }]): FlatTable[] => {
    const { section, array } = extraStep(step);
    const rows = ({ [section]: payloads }: AccountRecords): readonly JsonObject[] =>
      array === undefined ? payloads : inEach(payloads, array);
    return columns === undefined ? [] : [{ name: section, columns, rows }];
  }),
];

function addressColumns(path: string): string[] {
  return ['street_address', 'locality', 'administrative_area', 'postal_code', 'country'].map(
    (name) => `${path}.${name}`,
  );
}

/** The objects of an array in each parent, in order; `references` names fields of the parent under a child's own. */
function inEach(
  parents: readonly JsonObject[],
  name: string,
  references: Readonly<Record<string, string>> = {},
): JsonObject[] {
  return parents.flatMap((parent) => {
    const children = parent[name];
    if (!Array.isArray(children)) return [];
    const shared = Object.entries(references).map(([own, theirs]) => [own, parent[theirs] ?? null] as const);
    const common: JsonObject = Object.fromEntries(shared);
    return children
      .filter(isJsonObject)
      .map((child) => (shared.length === 0 ? child : { ...child, ...common }));
  });
}

function supplyPoints({ accounts }: AccountRecords): JsonObject[] {
  return inEach(accounts, 'supply_addresses').flatMap((address, index) =>
    inEach([address], 'supply_points').map((point) => ({ ...point, supply_address_index: index })),
  );
}

function ledgerTransactions({ accounts }: AccountRecords, name: string): JsonObject[] {
  return inEach(inEach(accounts, 'ledgers'), name, { ledger_code: 'ledger_code' });
}

const ledgerReference = { ledger_code: 'ledger_code', ledger_number: 'ledger_number' };

function billingDocuments(records: AccountRecords): JsonObject[] {
  return inEach(records.historical_billing_documents, 'historical_billing_documents', ledgerReference);
}

function documentTransactions(records: AccountRecords): JsonObject[] {
  return inEach(billingDocuments(records), 'transactions', {
    billing_document_identifier: 'billing_document_identifier',
  });
}

function additionalTransactions(records: AccountRecords): JsonObject[] {
  const payloads = records.historical_billing_documents;
  return inEach(payloads, 'additional_historical_transactions', ledgerReference);
}

function allTransactions(records: AccountRecords): JsonObject[] {
  return [
    ...ledgerTransactions(records, 'current_statement_transactions'),
    ...ledgerTransactions(records, 'historical_statement_transactions'),
    ...inEach(records.transactions, 'transactions'),
    ...documentTransactions(records),
    ...additionalTransactions(records),
  ];
}
