import type { Sqlite } from '../../sqlite/open-database.ts';

/** The account's transaction of this id that was added first, as it was stored. */
export function findTransaction(db: Sqlite) {
  const find = db
    .prepare<[number, string], string>(
      'SELECT data FROM posted_transaction WHERE account = ? AND transaction_id = ? ORDER BY id LIMIT 1',
    )
    .pluck();
  return (id: number, transactionId: string): string | undefined => find.get(id, transactionId);
}

export function addTransaction(db: Sqlite) {
  const add = db.prepare('INSERT INTO posted_transaction (account, transaction_id, data) VALUES (?, ?, ?)');
  return (id: number, transactionId: string, data: string): void => {
    add.run(id, transactionId, data);
  };
}
