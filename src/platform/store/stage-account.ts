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
