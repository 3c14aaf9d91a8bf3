import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/** Counts a request about an account, for those who compare what was asked with what was allowed. */
export function recordRequest(db: Sqlite) {
  const add = db.prepare('INSERT INTO request (endpoint, supplier, account, status) VALUES (?, ?, ?, ?)');
  return (endpoint: string, key: AccountKey, status: number): void => {
    add.run(endpoint, key.supplier, key.account, status);
  };
}
