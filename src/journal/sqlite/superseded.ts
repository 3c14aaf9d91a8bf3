import { restoredIfAny, storedOrNulls, type Cell } from '../../domain/cell.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Superseded } from '../journal.ts';

/** Refused data that was replaced by data of another export. */
export function supersededOf(db: Sqlite) {
  const put = db.prepare<[number, string, string | null, number | null, string | null]>(
    'INSERT OR REPLACE INTO superseded (account, hash, file, line, column) VALUES (?, ?, ?, ?, ?)',
  );
  const select = db.prepare<[number, string], SupersededRow>(
    'SELECT file, line, column, told FROM superseded WHERE account = ? AND hash = ?',
  );
  const tell = db.prepare<[number, string]>('UPDATE superseded SET told = 1 WHERE account = ? AND hash = ?');

  return {
    put(accountId: number, hash: string, fix: Cell | undefined): void {
      const { file, line, column } = storedOrNulls(fix);
      put.run(accountId, hash, file, line, column);
    },

    find(accountId: number, hash: string): Superseded | undefined {
      const row = select.get(accountId, hash);
      if (row === undefined) return undefined;
      return { isTold: row.told === 1, fix: restoredIfAny(row) };
    },

    tell(accountId: number, hash: string): void {
      tell.run(accountId, hash);
    },
  };
}

interface SupersededRow {
  file: string | null;
  line: number | null;
  column: string | null;
  told: number;
}
