import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

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
