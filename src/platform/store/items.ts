import type { Sqlite } from '../../sqlite/open-database.ts';

/** The items of steps that a profile adds; JSON, as they were sent. */
export function itemOperations(db: Sqlite) {
  const find = db
    .prepare<[string, string], string>('SELECT data FROM added_item WHERE step = ? AND item = ?')
    .pluck();
  const add = db.prepare<[string, string, string]>(
    'INSERT INTO added_item (step, item, data) VALUES (?, ?, ?)',
  );
  return {
    findItem: (step: string, item: string): string | undefined => find.get(step, item),
    addItem: (step: string, item: string, data: string): void => void add.run(step, item, data),
  };
}
