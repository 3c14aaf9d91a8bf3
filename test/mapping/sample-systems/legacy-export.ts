import { stringify } from 'csv-stringify/sync';
import { localTime, Row, rowsOf, transactionFiles } from './the-accounts.ts';

type Record = Readonly<{ [column: string]: string }>;

const yesNo = { true: 'J', false: 'N' };
const countries = { GB: '826', DE: '276', FR: '250', AU: '036' };
const ledgers = { ENERGY: '1', ELECTRICITY: '2' };
const statusOf = {
  historical_statement_transactions: 'A',
  current_statement_transactions: 'O',
  historical_billing_document_transactions: 'B',
  additional_historical_transactions: 'F',
  transactions: 'N',
};

/** The files of fixtures/legacy/export: the accounts as an old system of 1994 would have them. */
export function legacyExport(): Map<string, Buffer> {
  const customers = rowsOf('customers');
  const isFirst = (row: Row): boolean => customers.find(({ account }) => account === row.account) === row;
  const files: [string, Record[]][] = [
    ['KUNDEN', rowsOf('accounts').map(customer)],
    ['MITBEWOHNER', customers.filter((row) => !isFirst(row)).map(housemate)],
    ['OBJEKTE', rowsOf('supply_addresses').map(premise)],
    ['ZAEHLPUNKTE', rowsOf('supply_points').map(meter)],
    ['VERTRAEGE', rowsOf('agreements').map(contract)],
    ['BUECHER', rowsOf('ledgers').map(ledger)],
    ['POSTEN', transactionFiles.flatMap((file) => rowsOf(file).map((row) => posting(row, statusOf[file])))],
    ['POSITIONEN', rowsOf('line_items').map(item)],
    ['STEUERN', rowsOf('tax_items').map(tax)],
    ['BEMERKUNGEN', rowsOf('notes').map(remark)],
    ['ALTVERTRAEGE', rowsOf('historical_agreements').map(oldContract)],
    ['BELEGE', rowsOf('historical_billing_documents').map(document)],
    ['RECHNUNGEN', rowsOf('historical_statements').map(invoice)],
    ['MANDATE', rowsOf('payment_instructions').map(mandate)],
  ];
  return new Map(
    files.map(([name, records]) => [`${name}.csv`, windows1252(semicolons(inOrder(name, records)))]),
  );
}

/** The old system wrote its postings day by day. */
function inOrder(name: string, records: readonly Record[]): readonly Record[] {
  if (name !== 'POSTEN') return records;
  const day = ({ BUCHUNGSTAG = '' }: Record): string => BUCHUNGSTAG.split('.').reverse().join('');
  return [...records].sort((one, other) => Number(day(one)) - Number(day(other)));
}

function customer(row: Row): Record {
  const [first = new Row(row.account, {})] = row.rows('customers');
  const [old, meter] = row.rows('metadata');
  return {
    KUNDENNR: row.account,
    MANDANT: row.code('import_supplier', { TENTACLE_ENERGY: '01' }),
    ART: row.code('account_type', { DOMESTIC: 'P', BUSINESS: 'G' }),
    ANREDE: title(first),
    VORNAME: oldCharacters(first.text('given_name')),
    NACHNAME: oldCharacters(first.text('family_name')),
    ...reachedBy(first),
    ROLLEN: first.code('portfolio_roles.0', { ADMIN: 'VW' }),
    SELBSTABLESUNG: readsMeters(first),
    ...address(row, 'billing_address'),
    KONTAKTART: row.code('communication_preference', { ONLINE: 'E', PRINT: 'P' }),
    VERTRIEBSWEG: row.code('sales_channel', { EVENTS: '' }),
    INDUSTRIE: row.code('account_billing_options.use_industry_billing', yesNo),
    BEWOHNER_UNBEKANNT: row.code('unknown_occupier', yesNo),
    SALDO: decimal(negated(row.text('transfer_balance'))),
    ALTNR: old?.text('value.id') ?? '',
    FARBE: old?.text('value.tags.1') ?? '',
    ZAEHLERBRIEF: meter?.text('value') ?? '',
  };
}

function housemate(row: Row): Record {
  return {
    KUNDENNR: row.account,
    ANREDE: title(row),
    NAME: oldCharacters(`${row.text('family_name')}, ${row.text('given_name')}`),
    ...reachedBy(row),
    SELBSTABLESUNG: readsMeters(row),
  };
}

function reachedBy(row: Row): Record {
  const [, area = '', number = ''] = /^(?!\+)(\S+) (.*)$/.exec(row.text('landline')) ?? [];
  return {
    EMAIL: row.text('email').toUpperCase(),
    VORWAHL: area,
    RUFNUMMER: area === '' ? row.text('landline') : number,
  };
}

function title(row: Row): string {
  return row.code('title', { Mx: '0', Mr: '1', Ms: '2', Dr: '3' });
}

function readsMeters(row: Row): string {
  return row.code('unable_to_read_meters', { true: 'N', false: 'J' });
}

function address(row: Row, path: string): Record {
  return {
    STRASSE: row.text(`${path}.street_address`),
    ORT: row.text(`${path}.locality`),
    BUNDESLAND: row.text(`${path}.administrative_area`),
    PLZ: row.text(`${path}.postal_code`),
    LAND: row.code(`${path}.country`, countries),
  };
}

const places = new Map<string, number>();

function premise(row: Row): Record {
  const number = places.get(row.account) ?? 0;
  places.set(row.account, number + 1);
  return {
    KUNDENNR: row.account,
    OBJEKT: `O${number}`,
    EINZUG: date(row.text('customer_at_supply_address_from_date')),
    ...address(row, 'supply_address'),
  };
}

function meter(row: Row): Record {
  return {
    KUNDENNR: row.account,
    OBJEKT: `O${row.text('supply_address_index')}`,
    MALO: row.text('identifier'),
    SPARTE: row.code('supply_type', { ELECTRICITY: 'S' }),
    LIEFERBEGINN: date(row.text('supply_start_date')),
    ABGERECHNET_BIS: date(row.text('last_billed_to_date')),
    NETZGEBIET: row.text('load_zone').replace('ZONE_', ''),
  };
}

function contract(row: Row): Record {
  return {
    KUNDENNR: row.account,
    MALO: row.text('supply_point_identifier'),
    AB: date(row.text('effective_from')),
    TARIF: row.text('tariff_code'),
  };
}

function ledger(row: Row): Record {
  return {
    KUNDENNR: row.account,
    BUCH: row.code('ledger_code', ledgers),
    STAND: decimal(negated(row.text('ledger_balance'))),
    RECHNUNGSSALDO: decimal(negated(row.text('last_statement_balance'))),
    RECHNUNGSDATUM: date(row.text('last_statement_closing_date')) || '00.00.0000',
  };
}

/** Debits are positive. */
function posting(row: Row, status: string): Record {
  const isCredit = ['PAYMENT', 'CREDIT'].includes(row.text('type'));
  return {
    KUNDENNR: row.account,
    POSTEN: row.text('transaction_id'),
    STATUS: status,
    BUCH: row.code('ledger_code', ledgers),
    BUCHNR: row.text('ledger_number'),
    BELEG: row.text('billing_document_identifier'),
    BUCHUNGSTAG: date(row.text('transaction_date')),
    BETRAG: decimal(isCredit ? negated(row.text('amount')) : row.text('amount')),
    ART: row.code('type', {
      SUPPLY_CHARGE: '10',
      CHARGE: '11',
      PAYMENT: '20',
      CREDIT: '21',
      REPAYMENT: '30',
    }),
    GRUND: row.code('reason', {
      IMPORTED_CHARGE: '1',
      IMPORTED_CREDIT: '2',
      ACCOUNT_CHARGE_PAYMENT: '3',
      FULL_CREDIT_REFUND: '4',
      GENERAL_CREDIT: '5',
    }),
    REFERENZ: row.text('reference'),
    ZAHLWEG: row.code('payment_type', {
      DD_REGULAR_COLLECTION: 'LS',
      DD_FINAL_COLLECTION: 'LE',
      DIRECT_CREDIT: 'UE',
      CHEQUE: 'SC',
      CREDIT_CARD: 'KK',
      DEBIT_CARD: 'EC',
    }),
    TEXT: row.text('display_note'),
    INTERN: row.text('note'),
    PRODUKT: row.text('product_code').replace('ELECTRICITY-', ''),
  };
}

function item(row: Row): Record {
  return {
    KUNDENNR: row.account,
    POSTEN: row.text('transaction_id'),
    ZONE: row.code('rate_band', { CONSUMPTION_STANDARD: 'ET', STANDING_CHARGE: 'GP' }),
    VON: date(row.text('start_date')),
    BIS: date(row.text('end_date')),
    MENGE: decimal(row.text('number_of_units')),
    PREIS: decimal(row.text('price_per_unit')),
    NETTO: decimal(row.text('net_amount')),
    STAENDE: row.list('units', '/'),
  };
}

function tax(row: Row): Record {
  return {
    KUNDENNR: row.account,
    POSTEN: row.text('transaction_id'),
    ART: row.code('tax_type', { VAT: 'MWST' }),
    BETRAG: decimal(row.text('amount')),
    BASIS: decimal(row.text('value_taxed')),
    PROZENT: row.code('rate', { '0.05': '5' }),
    EINHEIT: row.code('unit_type', { PROPORTION: 'A' }),
  };
}

function remark(row: Row): Record {
  const made = localTime(row.text('created_at'), 'Europe/Berlin');
  const until = localTime(row.text('unpin_at'), 'Europe/Berlin');
  return {
    KUNDENNR: row.account,
    TAG: date(made?.date ?? ''),
    ZEIT: made?.time ?? '',
    TEXT: row.text('body'),
    WICHTIG: row.code('is_pinned', yesNo),
    BIS_TAG: date(until?.date ?? ''),
    BIS_ZEIT: until?.time ?? '',
    ANLAGEN: row.list('document_paths', '|'),
  };
}

function oldContract(row: Row): Record {
  return {
    KUNDENNR: row.account,
    MALO: row.text('supply_point_identifier'),
    TARIF: row.text('agreement.tariff_code'),
    VON: date(row.text('agreement.effective_from')),
    BIS: date(row.text('agreement.effective_to')),
  };
}

function document(row: Row): Record {
  return {
    KUNDENNR: row.account,
    BELEG: row.text('billing_document_identifier'),
    BUCH: row.code('ledger_code', ledgers),
    BUCHNR: row.text('ledger_number'),
    BELEGART: row.code('billing_document_type', { ITEM_BASED: 'E', PERIOD_BASED: 'Z' }),
    BELEGDATUM: date(row.text('issued_date')),
    VON: date(row.text('bill_period_from_date')),
    BIS: date(row.text('bill_period_to_date')),
  };
}

function invoice(row: Row): Record {
  return {
    KUNDENNR: row.account,
    RECHNUNG: row.text('statement_id'),
    NUMMER: row.text('number'),
    VON: date(row.text('bill_period_from_date')),
    BIS: date(row.text('bill_period_to_date')),
    DATUM: date(row.text('issued_date')),
    BRUTTO: decimal(row.text('gross_amount')),
    PDF: row.text('statement_path'),
  };
}

function mandate(row: Row): Record {
  return {
    KUNDENNR: row.account,
    DIENST: row.text('vendor'),
    MANDATSREFERENZ: row.text('reference'),
    ART: row.code('type', { CARD: 'K', DIRECT_DEBIT: 'L' }),
  };
}

function date(iso: string): string {
  return iso.split('-').reverse().join('.');
}

function negated(plain: string): string {
  return plain.startsWith('-') ? plain.slice(1) : plain.replace(/^(?=\d)/, '-');
}

function decimal(plain: string): string {
  const [whole = '', fraction] = plain.split('.');
  const grouped = whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, '.');
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}

/** What Windows-1252 has beyond ISO-8859-1, in the order of its bytes from 0x80. */
const beyond = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80 || (code > 0x9f && code < 0x100)) return code;
  return beyond.includes(character) ? 0x80 + beyond.indexOf(character) : undefined;
}

/** Letters that the old system did not have are numbers in it, as `&#321;`. */
function oldCharacters(text: string): string {
  return Array.from(text)
    .map((character) => (byteOf(character) === undefined ? `&#${character.codePointAt(0)};` : character))
    .join('');
}

function windows1252(text: string): Buffer {
  return Buffer.from(
    Array.from(text).map((character) => {
      const byte = byteOf(character);
      if (byte === undefined) throw new Error(`Windows-1252 has no ${character}.`);
      return byte;
    }),
  );
}

function semicolons(records: readonly Record[]): string {
  return stringify([...records], {
    header: true,
    delimiter: ';',
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
  });
}
