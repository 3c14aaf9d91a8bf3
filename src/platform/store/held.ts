import type { Sqlite } from '../../sqlite/open-database.ts';

/** An account that exists, as it is read back. */
export interface HeldAccount {
  readonly processId: number;
  readonly supplier: string;
  /** External account number. */
  readonly external: string;
  readonly createdAt: string;
}

export function findHeld(db: Sqlite) {
  const find = db.prepare<[number], HeldAccount>(
    `SELECT process_id AS processId, supplier, external, created_at AS createdAt
       FROM account JOIN import_process ON id = process_id WHERE number = ?`,
  );
  return (number: number): HeldAccount | undefined => find.get(number);
}

/** The next account after this one, or the first: what a mistaken answer is about. */
export function findAnother(db: Sqlite) {
  const next = db
    .prepare<[number], number>('SELECT number FROM account WHERE number <> ? ORDER BY number DESC LIMIT 1')
    .pluck();
  return (number: number): number | undefined => next.get(number);
}

/** The tables whose rows can be read back. */
export type HeldTable =
  'note' | 'posted_transaction' | 'agreement' | 'billing_import' | 'statement' | 'payment_instruction';

interface HeldRow {
  /** JSON. */
  readonly data: string;
}

/** The rows of an account in the order in which they were added, as JSON. */
export function listHeld(db: Sqlite) {
  const read = (table: HeldTable) =>
    db.prepare<[number], HeldRow>(`SELECT data FROM ${table} WHERE account = ? ORDER BY rowid`);
  const tables = {
    note: read('note'),
    posted_transaction: read('posted_transaction'),
    agreement: read('agreement'),
    billing_import: read('billing_import'),
    statement: read('statement'),
    payment_instruction: read('payment_instruction'),
  };
  return (table: HeldTable, account: number): string[] => tables[table].all(account).map(({ data }) => data);
}

/** Records that the effects of a step's requests on an account are held twice. */
export function addDoubled(db: Sqlite) {
  const add = db.prepare('INSERT INTO doubled (account, step) VALUES (?, ?) ON CONFLICT DO NOTHING');
  return (account: number, step: string): void => {
    add.run(account, step);
  };
}

export function isDoubled(db: Sqlite) {
  const find = db
    .prepare<[number, string], number>('SELECT 1 FROM doubled WHERE account = ? AND step = ?')
    .pluck();
  return (account: number, step: string): boolean => find.get(account, step) === 1;
}
