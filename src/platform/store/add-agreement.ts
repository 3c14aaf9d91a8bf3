import type { Sqlite } from '../../sqlite/open-database.ts';

/** Stores an agreement payload; false if the account already has exactly this one. */
export function addAgreement(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO agreement (account, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (id: number, hash: string, data: string): boolean => add.run(id, hash, data).changes === 1;
}
