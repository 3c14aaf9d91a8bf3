import type { Sqlite } from '../../sqlite/open-database.ts';

export interface ListedAccount {
  readonly external: string;
  readonly number: number | null;
  readonly created_at: string | null;
}

const pageSize = 2000;

/** One page of a supplier's import processes in the order of their external numbers, after the one named. */
export function listAccounts(db: Sqlite) {
  const page = db.prepare<[string, string], ListedAccount>(
    `SELECT external, number, created_at FROM import_process LEFT JOIN account ON process_id = id
      WHERE supplier = ? AND external > ? ORDER BY external LIMIT ${pageSize}`,
  );
  return (supplier: string, after: string): ListedAccount[] => page.all(supplier, after);
}
