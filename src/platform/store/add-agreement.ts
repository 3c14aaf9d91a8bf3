import type { Sqlite } from '../../sqlite/open-database.ts';

/** Stores an agreement payload; false where the account has the very same one already. */
export function addAgreement(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO agreement (account, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (id: number, hash: string, data: string): boolean => add.run(id, hash, data).changes === 1;
}
