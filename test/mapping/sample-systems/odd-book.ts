import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../../../src/generate/seeded-random.ts';

/**
 * The export of an imaginary Italian utility that sells electricity and gas. Each file writes the customer's number in
 * its own way (`0002856321`, `2-856321`, `2.856.321`); meters and postings name a contract, reports of the field service
 * a meter; amounts have their sign behind them; the rows are in no order.
 */
export interface OddBook {
  readonly directory: string;
  readonly mapping: string;
  /** The customer numbers as the platform gets them. */
  readonly accounts: readonly string[];
  readonly rows: number;
}

type Row = readonly string[];

const surnames = ['Rossi', 'Bianchi', 'Nicolò', 'Esposito', "D'Angelo", 'Lo Bue', 'Forlì'] as const;
const names = ['Ada', 'Mosè', 'Chiara', 'Noè', 'Zoë', 'Ugo'] as const;
const streets = ['Via Roma', 'Corso Libertà', 'Piazza dei Mille', 'Vicolo Stretto'] as const;
const towns: readonly [Row, ...Row[]] = [
  ['Roma', '184'],
  ['Forlì', '47121'],
  ['Milano', '20121'],
  ['Acqui Terme', '15011'],
];

/** Writes the export and its mapping into a directory; the same for the same number of accounts. */
export function writeOddBook(directory: string, accounts: number): OddBook {
  const tables = {
    'CLIENTI.TXT.csv': [] as Row[],
    'FORNITURE.csv': [] as Row[],
    'PUNTI.csv': [] as Row[],
    'MOVIMENTI.csv': [] as Row[],
    'SEGNALAZIONI.csv': [] as Row[],
    'REFERENTI.csv': [] as Row[],
  };
  const numbers: string[] = [];
  for (let at = 0; at < accounts; at += 1) {
    const random = new SeededRandom(19, at);
    // Numbers of different lengths: the zeros in front matter.
    const number = at % 7 === 0 ? 1000 + at : 2_000_000 + at * 37;
    numbers.push(String(number).padStart(10, '0'));
    account(tables, random, at, number);
  }
  mkdirSync(join(directory, 'export'), { recursive: true });
  let rows = 0;
  for (const [file, content] of Object.entries(tables)) {
    const header = headers[file as keyof typeof headers];
    rows += content.length;
    const lines = [header, ...shuffled(content)].map((row) => row.map(quoted).join('|'));
    writeFileSync(join(directory, 'export', file), Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'));
  }
  writeFileSync(join(directory, 'mapping.yaml'), mapping);
  writeFileSync(join(directory, 'mapping.cases.yaml'), cases);
  return { directory, mapping, accounts: numbers.sort(), rows };
}

const headers = {
  'CLIENTI.TXT.csv': [
    'CODICE',
    'NOMINATIVO',
    'TIPO',
    'INDIRIZZO',
    'CAP',
    'COMUNE',
    'MAIL',
    'TEL1',
    'TEL2',
    'LUCE',
    'GAS',
    'SALDO',
    'SALDO_LUCE',
    'SALDO_GAS',
    'REFERENTE',
  ],
  'FORNITURE.csv': ['CLIENTE', 'CONTRATTO', 'SERVIZIO', 'VIA', 'CAP', 'COMUNE', 'DAL'],
  'PUNTI.csv': ['CONTRATTO', 'CODICE_PUNTO', 'SERVIZIO', 'MATRICOLA', 'ATTIVO_DAL'],
  'MOVIMENTI.csv': ['CONTRATTO', 'NUMERO', 'DATA', 'IMPORTO', 'CAUSALE', 'PROVA'],
  'SEGNALAZIONI.csv': ['MATRICOLA', 'QUANDO', 'TESTO'],
  'REFERENTI.csv': ['NUMERO', 'EMAIL'],
} as const;

function account(
  tables: Record<keyof typeof headers, Row[]>,
  random: SeededRandom,
  at: number,
  number: number,
): void {
  const [town = '', postcode = ''] = random.pick(towns);
  const services = at % 3 === 0 ? ['L', 'G'] : [at % 3 === 1 ? 'L' : 'G'];
  const business = at % 5 === 0;
  const balances = new Map(services.map((service) => [service, random.between(-50_000, 50_000)]));
  const total = [...balances.values()].reduce((sum, balance) => sum + balance, 0);
  const street = `${random.pick(streets)} ${random.between(1, 99)}`;
  tables['CLIENTI.TXT.csv'].push([
    String(number).padStart(10, '0'),
    `*${random.pick(surnames).toUpperCase()},  ${random.pick(names).toUpperCase()}*`,
    business ? 'A' : 'D',
    ...[street, postcode, town.toUpperCase()],
    at % 11 === 0 ? 'non comunicata' : `cliente${at}@example.com`,
    at % 4 === 0 ? 'non risponde' : '',
    `02 3212 ${random.digits(4)}`,
    ...['L', 'G'].map((service) => (services.includes(service) ? 'SI' : 'NO')),
    italian(total),
    ...['L', 'G'].map((service) => (balances.has(service) ? italian(balances.get(service) ?? 0) : '')),
    `R${at % 40}`,
  ]);
  if (at < 40) tables['REFERENTI.csv'].push([`r-${at}`, `referente${at}@example.com`]);
  for (const [index, service] of services.entries()) {
    const contract = at * 2 + index + 1;
    tables['FORNITURE.csv'].push([
      index === 0 ? dashed(number) : dotted(number),
      String(contract).padStart(6, '0'),
      service === 'L' ? 'LUCE' : 'GAS',
      ...[street, postcode, town],
      '01/02/2019',
    ]);
    const meter = `M${String(contract).padStart(7, '0')}`;
    tables['PUNTI.csv'].push([
      `${contract}/${service}`,
      service === 'L' ? `IT001E${String(contract).padStart(8, '0')}` : String(contract).padStart(14, '0'),
      service,
      meter,
      '01/02/2019',
    ]);
    for (let posting = 0; posting < 7; posting += 1) {
      const isPayment = posting % 2 === 1;
      tables['MOVIMENTI.csv'].push([
        String(contract),
        `${contract}-${posting}`,
        `${String(random.between(1, 28)).padStart(2, '0')}/0${posting + 1}/2024`,
        `${italian((isPayment ? -1 : 1) * random.between(100, 200_000))}${posting === 2 ? ' EUR' : ''}`,
        isPayment ? 'PAG' : 'ADD',
        posting === 6 ? 'X' : '',
      ]);
    }
    if (at % 2 === 0)
      tables['SEGNALAZIONI.csv'].push([
        meter.toLowerCase(),
        `1${random.between(0, 9)}/03/2024 0${random.between(0, 9)}:30`,
        `Lettura "stimata" del contatore|${contract}`,
      ]);
  }
}

/** An amount in cents: `1.234,56`, with its minus sign behind it. */
function italian(cents: number): string {
  const whole = String(Math.floor(Math.abs(cents) / 100)).replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${whole},${String(Math.abs(cents) % 100).padStart(2, '0')}${cents < 0 ? '-' : ''}`;
}

function dashed(number: number): string {
  const text = String(number);
  return `${text.slice(0, 1)}-${text.slice(1)}`;
}

function dotted(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, '.');
}

function quoted(text: string): string {
  return /["|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** In an order that follows from nothing in the rows. */
function shuffled(rows: readonly Row[]): readonly Row[] {
  const random = new SeededRandom(7, rows.length);
  const order = rows.map((row) => ({ row, at: random.between(0, 1_000_000_000) }));
  return order.sort((one, other) => one.at - other.at).map(({ row }) => row);
}

const mapping = `version: 1

format:
  encoding: windows-1252
  delimiter: '|'
  dates: dd/mm/yyyy
  datetimes: dd/mm/yyyy HH:MM
  zone: Europe/Rome
  decimal_mark: ','
  thousands_mark: '.'
  sign: trailing

tables:
  accounts: { file: CLIENTI.TXT.csv, key: CODICE }
  contracts: { file: FORNITURE.csv, key: { of: CLIENTE, digits: true, pad: 10 } }
  points:
    file: PUNTI.csv
    key: { of: CONTRATTO, match: '^\\d+', pad: 6 }
    via: contracts
  postings:
    file: MOVIMENTI.csv
    key: { of: CONTRATTO, pad: 6 }
    via: contracts
    ignore: { PROVA: X }
  reports:
    file: SEGNALAZIONI.csv
    key: { of: MATRICOLA, case: upper }
    via: points
  agents:
    file: REFERENTI.csv
    key: { of: NUMERO, case: upper, replace: { pattern: '-', with: '' } }
    via: { table: accounts, column: REFERENTE, several: true }

account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: TIPO, codes: { D: DOMESTIC, A: BUSINESS } }
  billing_address: &address
    street_address: INDIRIZZO
    locality: { column: COMUNE, case: title }
    postal_code: { column: CAP, pad: 5 }
    country: { constant: IT }
  transfer_balance: SALDO
  customers:
    - family_name: { column: NOMINATIVO, trim: '*', split: ',', take: first, case: title }
      given_name: { column: NOMINATIVO, trim: '*', split: ',', take: but_first, case: title }
      email: { column: MAIL, match: '^\\S+@\\S+$', on_invalid: omit }
      landline: { column: [TEL1, TEL2], phone: IT, on_invalid: next }
  metadata:
    - key: { constant: agent }
      value: { email: { from: agents, take: only, each: EMAIL } }
  supply_addresses:
    from: contracts
    distinct: [VIA, CAP, COMUNE] # both services at one address
    each:
      customer_at_supply_address_from_date: DAL
      supply_address:
        street_address: VIA
        locality: COMUNE
        postal_code: { column: CAP, pad: 5 }
        country: { constant: IT }
      supply_points:
        from: points
        each:
          identifier: CODICE_PUNTO
          supply_type: { column: SERVIZIO, codes: { L: ELECTRICITY, G: GAS } }
          supply_start_date: ATTIVO_DAL
  ledgers:
    - when: { LUCE: SI }
      each: { ledger_code: { constant: ELECTRICITY }, ledger_balance: SALDO_LUCE }
    - when: { GAS: SI }
      each: { ledger_code: { constant: GAS }, ledger_balance: SALDO_GAS }

notes:
  from: reports
  each: { body: TESTO, created_at: QUANDO }

transactions:
  from: postings
  each:
    transaction_id: NUMERO
    transaction_date: DATA
    amount: { column: IMPORTO, replace: [{ pattern: ' EUR$', with: '' }, { pattern: '-$', with: '' }], may_lose: ['EUR', '-'] }
    type: { column: CAUSALE, codes: { ADD: CHARGE, PAG: PAYMENT } }
    reason: { cases: [{ when: { CAUSALE: ADD }, then: { constant: IMPORTED_CHARGE } }, { then: { constant: ACCOUNT_CHARGE_PAYMENT } }] }
`;

const cases = `- name: a contract that each file writes in its own way
  rows:
    accounts: [{ CODICE: 0002856321, LUCE: SI, SALDO: '1.234,50-', SALDO_LUCE: '0,00', NOMINATIVO: '*ROSSI,  ADA*' }]
    contracts: [{ CLIENTE: 2-856321, CONTRATTO: 000771, VIA: Via Roma 1 }]
    points: [{ CONTRATTO: 771/L, CODICE_PUNTO: IT001E00000771, SERVIZIO: L, MATRICOLA: M1 }]
    reports: [{ MATRICOLA: m1, TESTO: ciao }]
  fields:
    account.transfer_balance: '-1234.50'
    account.customers.0: { family_name: Rossi, given_name: Ada }
    account.supply_addresses.0.supply_points.0.identifier: IT001E00000771
    account.ledgers.0.ledger_code: ELECTRICITY
    account.ledgers.1: null
    notes.0.body: ciao
`;
