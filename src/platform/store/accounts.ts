import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/** A payload as it was sent, and the version of the rules under which it passed. */
export interface StagedPayload {
  readonly text: string;
  readonly rules: string;
}

/** Stores the payload of an import process, which is created if there is none with this id. */
export function stageAccount(db: Sqlite) {
  const insert = db.prepare('INSERT INTO import_process (supplier, external, rules) VALUES (?, ?, ?)');
  const keep = db.prepare('INSERT INTO payload (process_id, data) VALUES (?, ?)');
  const update = db.prepare('UPDATE import_process SET rules = ? WHERE id = ?');
  const replace = db.prepare('UPDATE payload SET data = ? WHERE process_id = ?');
  return (key: AccountKey, processId: number | undefined, { text, rules }: StagedPayload): void => {
    if (processId === undefined) keep.run(insert.run(key.supplier, key.account, rules).lastInsertRowid, text);
    else {
      update.run(rules, processId);
      replace.run(text, processId);
    }
  };
}

/** The payload last staged for an account, as it was sent. */
export function readPayload(db: Sqlite) {
  const read = db.prepare<[number], string>('SELECT data FROM payload WHERE process_id = ?').pluck();
  return (processId: number): string => read.get(processId) ?? '{}';
}

/** Creates the account of an import process under the next number, which it gives. */
export function importAccount(db: Sqlite) {
  const add = db.prepare('INSERT INTO account (process_id, created_at, team) VALUES (?, ?, ?)');
  return (processId: number, createdAt: string, team: string): number =>
    Number(add.run(processId, createdAt, team).lastInsertRowid);
}

/** Counts a request about an account, for those who compare what was asked with what was allowed. */
export function recordRequest(db: Sqlite) {
  const add = db.prepare('INSERT INTO request (endpoint, supplier, account, status) VALUES (?, ?, ?, ?)');
  return (endpoint: string, key: AccountKey, status: number): void => {
    add.run(endpoint, key.supplier, key.account, status);
  };
}

/** An import process, and the account once there is one. */
export interface StoredAccount {
  readonly processId: number;
  /** Position among the platform's accounts; null while no account exists. */
  readonly number: number | null;
  /** The version of the rules under which its payload passed. */
  readonly rules: string;
}

export function findAccount(db: Sqlite) {
  const find = db.prepare<[string, string], StoredAccount>(
    `SELECT id AS processId, number, rules
       FROM import_process LEFT JOIN account ON process_id = id WHERE supplier = ? AND external = ?`,
  );
  return (key: AccountKey): StoredAccount | undefined => find.get(key.supplier, key.account);
}

/** Platform account number, such as A-00000001. */
export function accountNumber(number: number): string {
  return `A-${String(number).padStart(8, '0')}`;
}

export interface StoredListing {
  readonly external: string;
  readonly number: number | null;
  readonly created_at: string | null;
}

const pageSize = 2000;

/** One page of a supplier's import processes in the order of their external numbers, after the one named. */
export function listAccounts(db: Sqlite) {
  const page = db.prepare<[string, string], StoredListing>(
    `SELECT external, number, created_at FROM import_process LEFT JOIN account ON process_id = id
      WHERE supplier = ? AND external > ? ORDER BY external LIMIT ${pageSize}`,
  );
  return (supplier: string, after: string): StoredListing[] => page.all(supplier, after);
}
