import type { Sqlite } from '../../sqlite/open-database.ts';

/** Whether the account has a note with this body, and with this created_at if one is given (section 4, rule 5). */
export function hasNote(db: Sqlite) {
  const sameBody = db
    .prepare<[number, string], number>('SELECT 1 FROM note WHERE account = ? AND body = ? LIMIT 1')
    .pluck();
  const sameBodyAndTime = db
    .prepare<[number, string, string], number>(
      'SELECT 1 FROM note WHERE account = ? AND body = ? AND created_at = ? LIMIT 1',
    )
    .pluck();
  return (id: number, body: string, createdAt: string | undefined): boolean =>
    (createdAt === undefined ? sameBody.get(id, body) : sameBodyAndTime.get(id, body, createdAt)) === 1;
}

export function addNote(db: Sqlite) {
  const add = db.prepare('INSERT INTO note (account, body, created_at, data) VALUES (?, ?, ?, ?)');
  return (id: number, body: string | undefined, createdAt: string, data: string): void => {
    add.run(id, body ?? null, createdAt, data);
  };
}
