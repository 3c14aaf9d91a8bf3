import type { Sqlite } from '../../sqlite/open-database.ts';

/** Stores a statement; false if the account already has one with this id. */
export function addStatement(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO statement (account, statement_id, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (id: number, statementId: string, data: string): boolean =>
    add.run(id, statementId, data).changes === 1;
}
