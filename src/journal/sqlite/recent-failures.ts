import type { Sqlite } from '../../sqlite/open-database.ts';
import { accountStates } from '../core/codes.ts';
import type { TroubleRow } from '../core/statements.ts';
import type { Suppliers } from './suppliers.ts';

const kept = 100;
const told = 20;
const { rejected, failed, uncertain } = accountStates.of;
const states: ReadonlySet<number> = new Set([rejected, failed, uncertain]);

export type RecentFailures = ReturnType<typeof recentFailuresOf>;

/** The accounts that failed last: a fixed number, however many there are in all. */
export function recentFailuresOf(db: Sqlite, suppliers: Suppliers) {
  const insert = db.prepare<[number]>('INSERT INTO trouble (account) VALUES (?)');
  const forget = db.prepare<[number | bigint]>(`DELETE FROM trouble WHERE id <= ? - ${kept}`);
  const select = db.prepare<[number], TroubleRow>(`
    SELECT account.number, account.state, account.code
    FROM trouble JOIN account ON account.id = trouble.account
    WHERE account.supplier = ? AND account.state IN (${[...states].join(', ')})
    GROUP BY account.id ORDER BY max(trouble.id) DESC LIMIT ${told}`);

  return {
    /** An account entered this state, or entered it again. */
    note(accountId: number, state: number): void {
      if (states.has(state)) forget.run(insert.run(accountId).lastInsertRowid);
    },

    last(platform: string, code: string): TroubleRow[] {
      const supplier = suppliers.find(platform, code);
      return supplier === undefined ? [] : select.all(supplier);
    },
  };
}
