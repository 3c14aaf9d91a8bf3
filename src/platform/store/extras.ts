import type { Sqlite } from '../../sqlite/open-database.ts';

/** The tables with what an account got after it was created, by the name of their contents in a dump. */
export const extraTables = {
  notes: 'note',
  transactions: 'posted_transaction',
  agreements: 'agreement',
  billingDocuments: 'billing_import',
  statements: 'statement',
  paymentInstructions: 'payment_instruction',
  emails: 'email',
} as const;

/** Every operation on these tables, each one prepared once. */
export function extraOperations(db: Sqlite) {
  return {
    hasNote: hasNote(db),
    addNote: addNote(db),
    findTransaction: findTransaction(db),
    addTransaction: addTransaction(db),
    addAgreement: addAgreement(db),
    isFinalized: isFinalized(db),
    addBillingImport: addBillingImport(db),
    addStatement: addStatement(db),
    findPaymentInstruction: findPaymentInstruction(db),
    addPaymentInstruction: addPaymentInstruction(db),
    addEmail: addEmail(db),
  };
}

/** Whether the account has a note with this body, and with this created_at if one is given (section 4, rule 5). */
function hasNote(db: Sqlite) {
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

function addNote(db: Sqlite) {
  const add = db.prepare('INSERT INTO note (account, body, created_at, data) VALUES (?, ?, ?, ?)');
  return (id: number, body: string | undefined, createdAt: string, data: string): void => {
    add.run(id, body ?? null, createdAt, data);
  };
}

/** The account's transaction of this id that was added first, as it was stored. */
function findTransaction(db: Sqlite) {
  const find = db
    .prepare<[number, string], string>(
      'SELECT data FROM posted_transaction WHERE account = ? AND transaction_id = ? ORDER BY id LIMIT 1',
    )
    .pluck();
  return (id: number, transactionId: string): string | undefined => find.get(id, transactionId);
}

function addTransaction(db: Sqlite) {
  const add = db.prepare('INSERT INTO posted_transaction (account, transaction_id, data) VALUES (?, ?, ?)');
  return (id: number, transactionId: string, data: string): void => {
    add.run(id, transactionId, data);
  };
}

/** Stores an agreement payload; false if the account already has exactly this one. */
function addAgreement(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO agreement (account, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (id: number, hash: string, data: string): boolean => add.run(id, hash, data).changes === 1;
}

export interface LedgerName {
  readonly code: string;
  /** '' if the request names none. */
  readonly number: string;
}

/** Whether the ledger has a finalized billing document (section 4, rule 7). */
function isFinalized(db: Sqlite) {
  const find = db
    .prepare<[number, string, string], number>(
      'SELECT 1 FROM billing_import WHERE account = ? AND ledger_code = ? AND ledger_number = ? AND documents > 0',
    )
    .pluck();
  return (id: number, ledger: LedgerName): boolean => find.get(id, ledger.code, ledger.number) === 1;
}

function addBillingImport(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO billing_import (account, ledger_code, ledger_number, documents, data) VALUES (?, ?, ?, ?, ?)',
  );
  return (id: number, ledger: LedgerName, documents: number, data: string): void => {
    add.run(id, ledger.code, ledger.number, documents, data);
  };
}

/** Stores a statement; false if the account already has one with this id. */
function addStatement(db: Sqlite) {
  const add = db.prepare(
    'INSERT INTO statement (account, statement_id, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (id: number, statementId: string, data: string): boolean =>
    add.run(id, statementId, data).changes === 1;
}

/** The account's payment instruction, as it was stored. */
function findPaymentInstruction(db: Sqlite) {
  const find = db.prepare<[number], string>('SELECT data FROM payment_instruction WHERE account = ?').pluck();
  return (id: number): string | undefined => find.get(id);
}

function addPaymentInstruction(db: Sqlite) {
  const add = db.prepare('INSERT INTO payment_instruction (account, data) VALUES (?, ?)');
  return (id: number, data: string): void => {
    add.run(id, data);
  };
}

/** Records an automated e-mail; none is ever sent. */
function addEmail(db: Sqlite) {
  const add = db.prepare('INSERT INTO email (account, data) VALUES (?, ?)');
  return (id: number, address: string): void => {
    add.run(id, JSON.stringify(address));
  };
}
