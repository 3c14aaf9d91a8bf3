import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/** Stores an account's payload; gives whether it is the account's first. */
export function stageAccount(db: Sqlite) {
  const insert = db.prepare('INSERT INTO account (supplier, external) VALUES (?, ?)');
  const keep = db.prepare('INSERT INTO payload (account_id, data) VALUES (?, ?)');
  const replace = db.prepare('UPDATE payload SET data = ? WHERE account_id = ?');
  return (key: AccountKey, id: number | undefined, payload: string): boolean => {
    if (id === undefined) keep.run(insert.run(key.supplier, key.account).lastInsertRowid, payload);
    else replace.run(payload, id);
    return id === undefined;
  };
}
