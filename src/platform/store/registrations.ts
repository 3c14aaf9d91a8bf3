import type { Sqlite } from '../../sqlite/open-database.ts';

/** Which accounts are marked for registration; `account` is the number in the state. Times are in ms since the epoch. */
export function registrationOperations(db: Sqlite) {
  const find = db.prepare<[number], number>('SELECT marked_at FROM registration WHERE account = ?').pluck();
  const mark = db.prepare<[number, number]>(
    `INSERT INTO registration (account, marked_at, requests) VALUES (?, ?, 1)
    ON CONFLICT (account) DO UPDATE SET requests = requests + 1`,
  );
  return {
    markedAt: (account: number): number | undefined => find.get(account),
    markForRegistration: (account: number, at: number): void => void mark.run(account, at),
  };
}
