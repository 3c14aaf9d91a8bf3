import type { Sqlite } from '../../sqlite/open-database.ts';

/** The account's payment instruction, as it was stored. */
export function findPaymentInstruction(db: Sqlite) {
  const find = db.prepare<[number], string>('SELECT data FROM payment_instruction WHERE account = ?').pluck();
  return (id: number): string | undefined => find.get(id);
}

export function addPaymentInstruction(db: Sqlite) {
  const add = db.prepare('INSERT INTO payment_instruction (account, data) VALUES (?, ?)');
  return (id: number, data: string): void => {
    add.run(id, data);
  };
}
