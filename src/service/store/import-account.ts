import type { Sqlite } from '../../sqlite/open-database.ts';

/** Creates the account of a staged import process under the next number, which it gives. */
export function importAccount(db: Sqlite) {
  const next = db
    .prepare<[], number>('SELECT coalesce(max(number), 0) + 1 FROM account WHERE number IS NOT NULL')
    .pluck();
  const set = db.prepare('UPDATE account SET number = ?, created_at = ?, team = ? WHERE id = ?');
  return (id: number, createdAt: string, team: string): number => {
    const number = next.get() ?? 1;
    set.run(number, createdAt, team, id);
    return number;
  };
}
