// The book that the benchmarks drive: every account alike, with all nine steps, written in both shapes. Needs dist/.
import { mkdirSync } from 'node:fs';
import { flatTables } from '../../dist/generate/flat-tables.js';
import { recordFiles } from '../../dist/generate/account.js';
import { csv, csvRow, ndjson, RecordFile } from '../../dist/generate/record-file.js';
import { benchAccount } from './platform-account.js';

export const transactionsEach = 20;
export const notesEach = 3;
export const supplier = 'TENTACLE_ENERGY';

export const shapes = {
  ndjson: recordFiles.map((name) => ({
    name,
    frame: ndjson,
    texts: (records) => records[name].map((record) => JSON.stringify(record)),
  })),
  csv: flatTables.map(({ name, columns, rows }) => ({
    name,
    frame: csv(['external_account_number', ...columns]),
    texts: (records) => rows(records).map((row) => `${records.account},${csvRow(row, columns)}`),
  })),
};

/** Writes an export of so many accounts; `onlyAccounts` leaves out all but the account payloads. */
export async function writeBook(directory, accounts, shape, { onlyAccounts = false } = {}) {
  mkdirSync(directory, { recursive: true });
  const isWanted = ({ name }) => !onlyAccounts || name === 'accounts';
  const sinks = [];
  for (const { name, frame, texts } of shapes[shape].filter(isWanted))
    sinks.push({ texts, file: await RecordFile.create(directory, name, frame) });
  for (let at = 0; at < accounts; at += 1) {
    const records = recordsOf(numberOf(at));
    for (const { file, texts } of sinks) {
      for (const text of texts(records)) file.add(text);
      if (file.isFull) await file.write();
    }
  }
  for (const { file } of sinks) {
    await file.finish();
    await file.close();
  }
}

export function numberOf(position) {
  return `A${String(position).padStart(8, '0')}`;
}

function recordsOf(account) {
  const identity = { import_supplier: supplier, external_account_number: account };
  return {
    account,
    accounts: [benchAccount(account)],
    notes: [{ ...identity, notes: Array.from({ length: notesEach }, (_, at) => note(at)) }],
    transactions: [
      {
        ...identity,
        transactions: Array.from({ length: transactionsEach }, (_, at) =>
          transaction(`${account}-T${at}`, at),
        ),
      },
    ],
    historical_agreements: [
      {
        ...identity,
        supply_point_identifier: `120000002${account}`,
        agreement: { effective_from: '2018-01-01', effective_to: '2020-01-01', tariff_code: 'STANDARD-1' },
      },
    ],
    historical_billing_documents: [
      {
        ...identity,
        ledger_code: 'ENERGY',
        ledger_number: `L${account}`,
        billing_document_type: 'PERIOD_BASED',
        historical_billing_documents: [
          {
            billing_document_identifier: `${account}-B1`,
            billing_document_type: 'PERIOD_BASED',
            issued_date: '2023-02-05',
            bill_period_from_date: '2023-01-01',
            bill_period_to_date: '2023-01-31',
            transactions: [transaction(`${account}-B1T1`, 1)],
          },
        ],
      },
    ],
    historical_statements: [
      {
        ...identity,
        statements: [
          {
            bill_period_from_date: '2023-12-01',
            bill_period_to_date: '2023-12-31',
            statement_id: `${account}-S1`,
            issued_date: '2024-01-03',
            number: '1',
            gross_amount: 62.89,
          },
        ],
      },
    ],
    payment_instructions: [
      { ...identity, vendor: 'EXAMPLE_PAY', reference: `direct-debit-${account}`, type: 'DIRECT_DEBIT' },
    ],
  };
}

function note(at) {
  return {
    body: `Note ${at}: asked for large print, "if you please", and no calls before noon.`,
    created_at: `2023-0${1 + at}-05T10:00:00Z`,
  };
}

function transaction(id, at) {
  return {
    transaction_id: id,
    transaction_date: `2023-03-${String(1 + at).padStart(2, '0')}`,
    amount: `${10 + at}.25`,
    type: at % 2 === 0 ? 'CHARGE' : 'CREDIT',
    reason: at % 2 === 0 ? 'IMPORTED_CHARGE' : 'IMPORTED_CREDIT',
    reference: `REF-${at}`,
    display_note: 'Carried over from the system before',
  };
}
