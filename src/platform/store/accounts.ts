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

/** Puts an automated e-mail on record; none is ever sent. */
export function addEmail(db: Sqlite) {
  const add = db.prepare('INSERT INTO email (account, data) VALUES (?, ?)');
  return (id: number, address: string): void => {
    add.run(id, JSON.stringify(address));
  };
}

/** Counts a request about an account, for those who compare what was asked with what was allowed. */
export function recordRequest(db: Sqlite) {
  const add = db.prepare('INSERT INTO request (endpoint, supplier, account, status) VALUES (?, ?, ?, ?)');
  return (endpoint: string, key: AccountKey, status: number): void => {
    add.run(endpoint, key.supplier, key.account, status);
  };
}
