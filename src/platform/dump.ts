import { openDatabase, type Sqlite } from '../sqlite/open-database.ts';
import { parseJson } from '../domain/json.ts';
import { canonicalJson } from './http/json-body.ts';
import { accountNumber } from './store/accounts.ts';
import { extraTables } from './store/extras.ts';
import { stateSpec } from './store/schema.ts';

type DumpedExtras = Readonly<Record<keyof typeof extraTables, readonly string[]>>;

const extraNames = Object.keys(extraTables) as (keyof DumpedExtras)[];

/**
 * What the platform holds for one account; two platforms with the same contents hold the same texts. What the account
 * got after it was created (`emails`: those that a real platform would have sent) is JSON with sorted keys, the
 * entries sorted.
 */
export interface DumpedAccount extends DumpedExtras {
  readonly supplier: string;
  readonly account: string;
  /** null while the account is only staged. */
  readonly krakenAccountNumber: string | null;
  readonly createdAt: string | null;
  readonly team: string | null;
  /** JSON with sorted keys. */
  readonly payload: string;
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
    const extras = extraNames.map((name) => [name, entriesOf(extraTables[name])] as const);
    const extrasOf = (account: number | null): DumpedExtras => {
      const found: Partial<Record<keyof DumpedExtras, readonly string[]>> = {};
      for (const [name, entries] of extras) found[name] = entries(account);
      return found as DumpedExtras;
    };
    for (const { id, ...row } of accountRows(db))
      yield {
        supplier: row.supplier,
        account: row.external,
        krakenAccountNumber: row.number === null ? null : accountNumber(row.number),
        createdAt: row.created_at,
        team: row.team,
        payload: canonical(payload.get(id) ?? ''),
        ...extrasOf(row.number),
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

/** The tasks that imported an account (v2). */
export interface DumpedTask {
  readonly supplier: string;
  readonly account: string;
  readonly status: string;
  /** How often the account was submitted, dry runs apart. */
  readonly submissions: number;
  /** How often it was submitted again while a task could still create it. */
  readonly doubled: number;
}

/** Reads the latest task of every account; the platform may be running. */
export function dumpTasks(stateFile: string): DumpedTask[] {
  const db = openDatabase(stateFile, stateSpec, { create: false });
  try {
    return db
      .prepare<[], DumpedTask>(
        'SELECT supplier, external AS account, status, submissions, doubled FROM task ORDER BY supplier, external',
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
