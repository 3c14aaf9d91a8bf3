import { stringify } from 'csv-stringify/sync';
import { gzipSync } from 'node:zlib';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { stringifyJson, type JsonObject } from '../../../src/domain/json.ts';
import { localTime, rowsOf, transactionFiles, type Row } from './the-accounts.ts';

type Record = Readonly<{ [column: string]: string }>;

const zone = 'Australia/Adelaide';
const none = String.raw`\N`;
const truth = { true: 't', false: 'f' };

const ledgerTypes = { ENERGY: '1', ELECTRICITY: '2' };
const transactionTypes = { PAYMENT: '1', SUPPLY_CHARGE: '2', CREDIT: '3', CHARGE: '4', REPAYMENT: '5' };
const reasons = {
  ACCOUNT_CHARGE_PAYMENT: '1',
  IMPORTED_CREDIT: '2',
  GENERAL_CREDIT: '3',
  IMPORTED_CHARGE: '4',
  FULL_CREDIT_REFUND: '5',
};
const paymentTypes = {
  DD_REGULAR_COLLECTION: '1',
  DD_FINAL_COLLECTION: '2',
  DIRECT_CREDIT: '3',
  CHEQUE: '4',
  CREDIT_CARD: '5',
  DEBIT_CARD: '6',
};

/** The files of fixtures/dump: the accounts as the tables of a database would have them, and its code tables. */
export function dumpExport(): Map<string, Buffer> {
  const ids = new Ids();
  const addresses: Record[] = [];
  const homeOf = (row: Row, path: string): string => {
    addresses.push(address(row, path, ids.of('address', row.account, path, row.text(path))));
    return addresses.at(-1)?.['address_id'] ?? '';
  };
  const accounts = rowsOf('accounts').map((row) => account(row, homeOf(row, 'billing_address')));
  const sites = rowsOf('supply_addresses').map((row, at) =>
    site(row, String(at + 1), homeOf(row, 'supply_address')),
  );
  const transactions = transactionFiles.flatMap((file) =>
    rowsOf(file).map((row) => transaction(row, file, ids)),
  );
  const tables: [string, readonly Record[]][] = [
    ['accounts', accounts],
    ['people', rowsOf('customers').map(person)],
    ['addresses', addresses],
    ['sites', sites],
    ['supply_points', rowsOf('supply_points').map((row) => supplyPoint(row, sites, ids))],
    ['tariffs', rowsOf('agreements').map((row) => tariff(row, ids))],
    ['ledgers', rowsOf('ledgers').map((row) => ledger(row, ids))],
    ...thirds(heap(transactions, 'transaction_id')).map((part, at): [string, readonly Record[]] => [
      `transactions-${at + 1}`,
      part,
    ]),
    ['line_items', rowsOf('line_items').map((row) => lineItem(row, ids))],
    ['taxes', rowsOf('tax_items').map((row) => tax(row, ids))],
    ['old_tariffs', rowsOf('historical_agreements').map(oldTariff)],
    ['documents', rowsOf('historical_billing_documents').map((row) => document(row, ids))],
    ['statements', rowsOf('historical_statements').map(statement)],
    ['payment_setups', rowsOf('payment_instructions').map(paymentSetup)],
  ];
  const notes = rowsOf('notes').map((row) => `${stringifyJson(note(row))}\n`);
  return new Map([
    ...tables.map(([name, records]): [string, Buffer] => [
      `export/${name}.tsv`,
      tabs(name === 'people' ? heap(records, 'person_id') : records),
    ]),
    ['export/notes.ndjson.gz', gzipSync(notes.join(''))],
    ['codes/transaction_types.tsv', codeTable(transactionTypes)],
    ['codes/reasons.tsv', codeTable(reasons)],
    ['codes/payment_types.tsv', codeTable(paymentTypes)],
  ]);
}

/** The numbers by which a database's tables name one another's rows. */
class Ids {
  readonly #known = new Map<string, Map<string, string>>();

  of(table: string, ...named: readonly string[]): string {
    const ids = this.#known.get(table) ?? new Map<string, string>();
    this.#known.set(table, ids);
    const name = named.join(' ');
    const id = ids.get(name) ?? String(ids.size + 1);
    ids.set(name, id);
    return id;
  }
}

/** A database gives rows in any order. */
function heap(records: readonly Record[], id: string): readonly Record[] {
  const place = (record: Record): number => (Number(record[id]) * 7919) % 1009;
  return [...records].sort((one, other) => place(one) - place(other));
}

function thirds(records: readonly Record[]): (readonly Record[])[] {
  const size = Math.ceil(records.length / 3);
  return [0, 1, 2].map((at) => records.slice(at * size, (at + 1) * size));
}

function account(row: Row, home: string): Record {
  const [old, meter] = row.rows('metadata');
  return {
    account_no: row.account,
    company_id: row.code('import_supplier', { TENTACLE_ENERGY: '7' }),
    kind: row.code('account_type', { DOMESTIC: 'D', BUSINESS: 'B' }),
    industry_billing: row.code('account_billing_options.use_industry_billing', truth),
    billing_address_id: home,
    paper: row.code('communication_preference', { ONLINE: 'f', PRINT: 't' }),
    channel: row.text('sales_channel').toLowerCase(),
    occupier_known: row.code('unknown_occupier', { true: 'f', false: 't' }),
    balance: pence(row.text('transfer_balance')),
    origin: old?.text('value.id') ?? '',
    colour: old?.text('value.tags.1') ?? '',
    meter_note: meter?.text('value') ?? '',
  };
}

function person(row: Row, at: number): Record {
  return {
    account_no: row.account,
    person_id: String(at + 1),
    name: `${row.text('given_name')}|${row.text('family_name')}`,
    title: row.text('title').toUpperCase(),
    email: row.text('email'),
    phone: row.text('landline'),
    admin: row.code('portfolio_roles.0', { ADMIN: 't' }) || 'f',
    needs_reader: row.code('unable_to_read_meters', truth),
  };
}

function address(row: Row, path: string, id: string): Record {
  return {
    account_no: row.account,
    address_id: id,
    street: row.text(`${path}.street_address`),
    town: row.text(`${path}.locality`),
    region: row.text(`${path}.administrative_area`),
    postcode: row.text(`${path}.postal_code`),
    country: row.text(`${path}.country`),
  };
}

function site(row: Row, id: string, addressId: string): Record {
  return {
    account_no: row.account,
    site_id: id,
    address_id: addressId,
    since: midnight(row.text('customer_at_supply_address_from_date')),
  };
}

function supplyPoint(row: Row, sites: readonly Record[], ids: Ids): Record {
  const own = sites.filter((candidate) => candidate['account_no'] === row.account);
  return {
    account_no: row.account,
    point_id: ids.of('point', row.account, row.text('identifier')),
    site_id: own[Number(row.text('supply_address_index'))]?.['site_id'] ?? '',
    identifier: row.text('identifier'),
    fuel: row.code('supply_type', { ELECTRICITY: 'E' }),
    zone: row.text('load_zone'),
    started: midnight(row.text('supply_start_date')),
    billed_to: midnight(row.text('last_billed_to_date')),
  };
}

function tariff(row: Row, ids: Ids): Record {
  return {
    account_no: row.account,
    point_id: ids.of('point', row.account, row.text('supply_point_identifier')),
    since: midnight(row.text('effective_from')),
    tariff: row.text('tariff_code'),
  };
}

function ledger(row: Row, ids: Ids): Record {
  return {
    account_no: row.account,
    ledger_id: ids.of('ledger', row.account, row.text('ledger_code')),
    type: row.code('ledger_code', ledgerTypes),
    balance: pence(row.text('ledger_balance')),
    billed_balance: pence(row.text('last_statement_balance')),
    billed_at: midnight(row.text('last_statement_closing_date')),
  };
}

function transaction(row: Row, file: (typeof transactionFiles)[number], ids: Ids): Record {
  const isOfLedger =
    file === 'historical_statement_transactions' || file === 'current_statement_transactions';
  const document = row.text('billing_document_identifier');
  return {
    account_no: row.account,
    transaction_id: ids.of('transaction', row.account, row.text('transaction_id')),
    ledger_id: isOfLedger ? ids.of('ledger', row.account, row.text('ledger_code')) : '',
    billed: isOfLedger ? truth[file === 'historical_statement_transactions' ? 'true' : 'false'] : '',
    document_id: document === '' ? '' : ids.of('document', row.account, document),
    book_id:
      file === 'additional_historical_transactions'
        ? ids.of('book', row.account, row.text('ledger_code'), row.text('ledger_number'))
        : '',
    code: row.text('transaction_id'),
    booked_at: midnight(row.text('transaction_date')),
    amount: pence(row.text('amount')),
    type_id: row.code('type', transactionTypes),
    reason_id: row.code('reason', reasons),
    reference: row.text('reference'),
    payment_type_id: row.code('payment_type', paymentTypes),
    shown: row.text('display_note'),
    hidden: row.text('note'),
    product: row.text('product_code'),
  };
}

function lineItem(row: Row, ids: Ids): Record {
  return {
    account_no: row.account,
    transaction_id: ids.of('transaction', row.account, row.text('transaction_id')),
    band: row.text('rate_band'),
    first_day: midnight(row.text('start_date')),
    last_day: midnight(row.text('end_date')),
    units: row.text('number_of_units'),
    net: pence(row.text('net_amount')),
    unit_price: pence(row.text('price_per_unit')),
    reading_before: row.text('units.0'),
    reading_after: row.text('units.1'),
  };
}

function tax(row: Row, ids: Ids): Record {
  return {
    account_no: row.account,
    transaction_id: ids.of('transaction', row.account, row.text('transaction_id')),
    kind: row.text('tax_type'),
    amount: pence(row.text('amount')),
    base: pence(row.text('value_taxed')),
    rate: row.text('rate'),
    unit: row.text('unit_type'),
  };
}

function note(row: Row): JsonObject {
  const files = row.list('document_paths', '|');
  const pinned = row.value('is_pinned');
  return {
    account_no: row.account,
    entered: { at: stamp(row.text('created_at')) || null, text: row.text('body') },
    ...(pinned === undefined ? {} : { pinned: { on: pinned, until: stamp(row.text('unpin_at')) || null } }),
    files: files === '' ? [] : files.split('|'),
  };
}

function oldTariff(row: Row): Record {
  return {
    account_no: row.account,
    point: row.text('supply_point_identifier'),
    since: midnight(row.text('agreement.effective_from')),
    until: midnight(row.text('agreement.effective_to')),
    tariff: row.text('agreement.tariff_code'),
  };
}

function document(row: Row, ids: Ids): Record {
  return {
    account_no: row.account,
    document_id: ids.of('document', row.account, row.text('billing_document_identifier')),
    book_id: ids.of('book', row.account, row.text('ledger_code'), row.text('ledger_number')),
    ledger_type: row.code('ledger_code', ledgerTypes),
    ledger_number: row.text('ledger_number'),
    number: row.text('billing_document_identifier'),
    period: row.code('billing_document_type', { PERIOD_BASED: 't', ITEM_BASED: 'f' }),
    issued: midnight(row.text('issued_date')),
    first_day: midnight(row.text('bill_period_from_date')),
    last_day: midnight(row.text('bill_period_to_date')),
  };
}

function statement(row: Row): Record {
  return {
    account_no: row.account,
    statement: row.text('statement_id'),
    number: row.text('number'),
    first_day: midnight(row.text('bill_period_from_date')),
    last_day: midnight(row.text('bill_period_to_date')),
    issued: midnight(row.text('issued_date')),
    gross: pence(row.text('gross_amount')),
    file: row.text('statement_path'),
  };
}

function paymentSetup(row: Row): Record {
  return {
    account_no: row.account,
    vendor: row.text('vendor'),
    reference: row.text('reference'),
    type: row.text('type'),
  };
}

/** Pence of pounds, exactly. */
function pence(plain: string): string {
  return parseDecimal(plain)?.times(100).toFixed() ?? '';
}

function midnight(date: string): string {
  return date === '' ? '' : `${date}T00:00:00`;
}

/** What the clocks of the database's place showed. */
function stamp(utc: string): string {
  const local = localTime(utc, zone);
  return local === undefined ? '' : `${local.date}T${local.time}`;
}

function codeTable(codes: Readonly<{ [code: string]: string }>): Buffer {
  return tabs(Object.entries(codes).map(([code, id]) => ({ id, code })));
}

function tabs(records: readonly Record[]): Buffer {
  const filled = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([column, text]) => [column, text === '' ? none : text])),
  );
  const text = stringify(filled, { header: true, delimiter: '\t' });
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}
