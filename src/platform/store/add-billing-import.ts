import type { Sqlite } from '../../sqlite/open-database.ts';

export interface LedgerName {
  readonly code: string;
  /** '' if the request names none. */
  readonly number: string;
}

/** Whether the ledger has a finalized billing document (section 4, rule 7). */
export function isFinalized(db: Sqlite) {
  const find = db
    .prepare<[number, string, string], number>(
      'SELECT 1 FROM billing_import WHERE account = ? AND ledger_code = ? AND ledger_number = ? AND documents > 0',
    )
    .pluck();
  return (id: number, ledger: LedgerName): boolean => find.get(id, ledger.code, ledger.number) === 1;
}

export function addBillingImport(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO billing_import (account, ledger_code, ledger_number, documents, data) VALUES (?, ?, ?, ?, ?)',
  );
  return (id: number, ledger: LedgerName, documents: number, data: string): void => {
    add.run(id, ledger.code, ledger.number, documents, data);
  };
}
