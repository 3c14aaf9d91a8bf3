import { openDatabase, type Sqlite } from '../sqlite/open-database.ts';
import { parseJson } from '../domain/json.ts';
import { canonicalJson } from './http/json-body.ts';
import { accountNumber } from './store/accounts.ts';
import { stateSpec } from './store/schema.ts';

/** What the platform holds for one account; two platforms with the same contents hold the same texts. */
export interface DumpedAccount {
  readonly supplier: string;
  readonly account: string;
  /** null while the account is only staged. */
  readonly krakenAccountNumber: string | null;
  readonly createdAt: string | null;
  readonly team: string | null;
  /** JSON with sorted keys. */
  readonly payload: string;
  /** Each entry JSON with sorted keys, the entries sorted. */
  readonly notes: readonly string[];
  readonly transactions: readonly string[];
  readonly agreements: readonly string[];
  readonly billingDocuments: readonly string[];
  readonly statements: readonly string[];
  readonly paymentInstructions: readonly string[];
  /** Automated e-mails that a real platform would have sent. */
  readonly emails: readonly string[];
}

/** How often an endpoint answered for an account with this status. */
export interface DumpedRequests {
  /** The endpoint's name in the contract's table. */
  readonly endpoint: string;
  readonly supplier: string;
  readonly account: string;
  /** HTTP status; 0 if no answer was given. */
  readonly status: number;
  readonly times: number;
}

interface Row {
  readonly id: number;
  readonly supplier: string;
  readonly external: string;
  readonly number: number | null;
  readonly created_at: string | null;
  readonly team: string | null;
}

/** Reads every account of a platform's state, by supplier and account; the platform may be running. */
export function* dumpAccounts(stateFile: string): Generator<DumpedAccount> {
  const db = openDatabase(stateFile, stateSpec, { create: false });
  try {
    const entriesOf = (table: string) => {
      const read = db.prepare<[number], string>(`SELECT data FROM ${table} WHERE account = ?`).pluck();
      return (account: number | null) => (account === null ? [] : read.all(account).map(canonical).sort());
    };
    const payload = db.prepare<[number], string>('SELECT data FROM payload WHERE process_id = ?').pluck();
    const notes = entriesOf('note');
    const transactions = entriesOf('posted_transaction');
    const agreements = entriesOf('agreement');
    const billingDocuments = entriesOf('billing_import');
    const statements = entriesOf('statement');
    const paymentInstructions = entriesOf('payment_instruction');
    const emails = entriesOf('email');
    for (const { id, ...row } of accountRows(db))
      yield {
        supplier: row.supplier,
        account: row.external,
        krakenAccountNumber: row.number === null ? null : accountNumber(row.number),
        createdAt: row.created_at,
        team: row.team,
        payload: canonical(payload.get(id) ?? ''),
        notes: notes(row.number),
        transactions: transactions(row.number),
        agreements: agreements(row.number),
        billingDocuments: billingDocuments(row.number),
        statements: statements(row.number),
        paymentInstructions: paymentInstructions(row.number),
        emails: emails(row.number),
      };
  } finally {
    db.close();
  }
}

/** Reads how often every account was asked about; the platform may be running. */
export function dumpRequests(stateFile: string): DumpedRequests[] {
  const db = openDatabase(stateFile, stateSpec, { create: false });
  try {
    return db
      .prepare<[], DumpedRequests>(
        'SELECT endpoint, supplier, account, status, count(*) AS times FROM request GROUP BY 2, 3, 1, 4',
      )
      .all();
  } finally {
    db.close();
  }
}

function accountRows(db: Sqlite): IterableIterator<Row> {
  return db
    .prepare<[], Row>(
      'SELECT id, supplier, external, number, created_at, team FROM import_process LEFT JOIN account ON process_id = id ORDER BY supplier, external',
    )
    .iterate();
}

function canonical(text: string): string {
  return canonicalJson(parseJson(text));
}
