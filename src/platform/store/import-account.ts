import type { Sqlite } from '../../sqlite/open-database.ts';

/** Creates the account of an import process under the next number, which it gives. */
export function importAccount(db: Sqlite) {
  const add = db.prepare('INSERT INTO account (process_id, created_at, team) VALUES (?, ?, ?)');
  return (processId: number, createdAt: string, team: string): number =>
    Number(add.run(processId, createdAt, team).lastInsertRowid);
}
