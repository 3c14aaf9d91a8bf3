import type { Sqlite } from '../../sqlite/open-database.ts';

/** Puts an automated e-mail on record; none is ever sent. */
export function addEmail(db: Sqlite) {
  const add = db.prepare('INSERT INTO email (account, data) VALUES (?, ?)');
  return (id: number, address: string): void => {
    add.run(id, JSON.stringify(address));
  };
}
