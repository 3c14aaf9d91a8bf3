import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Intent, PartRef, Settlement } from '../journal.ts';
import { partStates, steps } from '../core/codes.ts';
import { Misuse } from '../core/misuse.ts';
import type { PartRow } from '../core/rows.ts';

const columns = 'step, part, state, hash, attempt, run, sent_at, took, outcome, status, code, words';

export type Parts = ReturnType<typeof partsOf>;

/** The parts of steps: the last attempt at each, and the earlier ones. */
export function partsOf(db: Sqlite) {
  const thePart = 'account = ? AND step = ? AND part = ?';
  const insert = db.prepare<[...InsertValues, money: string | null]>(`
    INSERT INTO part (account, step, part, hash, run, sent_at, prints, money, state, attempt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${partStates.of.sent}, 1) ON CONFLICT DO NOTHING`);
  const insertSettled = db.prepare<[...InsertValues, ...SettledValues]>(`
    INSERT INTO part (account, step, part, hash, run, sent_at, prints, attempt, state, took, outcome, status, code, words, money)
    VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const archive = db.prepare<[number, number, number]>(`
    INSERT INTO attempt (account, ${columns}) SELECT account, ${columns} FROM part WHERE ${thePart}`);
  const sendAgain = db.prepare<[...SentAgain, account: number, step: number, part: number]>(`
    UPDATE part SET hash = ?, run = ?, sent_at = ?, prints = ?, money = ?, state = ${partStates.of.sent}, attempt = attempt + 1,
      took = NULL, outcome = NULL, status = NULL, code = NULL, words = NULL
    WHERE ${thePart}`);
  const update = `UPDATE part SET state = ?, took = ? - sent_at, outcome = ?, status = ?, code = ?, words = ?,
      money = ifnull(?, money)
    WHERE ${thePart}`;
  const settleFirst = db.prepare<SettlementValues>(`${update} AND took IS NULL`);
  const settleAgain = db.prepare<SettlementValues>(update);
  const select = db.prepare<[number], PartRow>(
    `SELECT ${columns}, money, prints FROM part WHERE account = ? ORDER BY step, part`,
  );
  // The attempts of one part stay in order even if the clock was set back between them.
  const selectAttempts = db.prepare<[number, number], PartRow>(`
    SELECT ${columns}, NULL AS money, NULL AS prints FROM (
      SELECT ${columns}, id AS archived FROM attempt WHERE account = ?
      UNION ALL SELECT ${columns}, NULL FROM part WHERE account = ?)
    ORDER BY max(sent_at) OVER (PARTITION BY step, part ORDER BY attempt), step, part, attempt,
      archived NULLS LAST`);

  function intend(ref: PartRef, intent: Intent): void {
    const { accountId, part } = ref;
    const step = steps.of[ref.step];
    const { hash, run, at, money = null, prints = null } = intent;
    if (insert.run(accountId, step, part, hash, run, at, prints, money).changes === 1) return;
    archive.run(accountId, step, part);
    sendAgain.run(hash, run, at, prints, money, accountId, step, part);
  }

  function settle(ref: PartRef, settlement: Settlement): void {
    const { accountId, part } = ref;
    const step = steps.of[ref.step];
    const values: SettlementValues = [...settledValues(settlement, settlement.at), accountId, step, part];
    if (settleFirst.run(...values).changes === 1) return;
    if (archive.run(accountId, step, part).changes === 0)
      throw new Misuse(`Part ${part} of ${ref.step} of account ${accountId} was settled but never intended.`);
    settleAgain.run(...values);
  }

  return {
    intend,
    settle,

    recordSent(ref: PartRef, intent: Intent, settlement: Settlement): void {
      const { accountId, part } = ref;
      const { hash, run, at, money, prints = null } = intent;
      const sent: InsertValues = [accountId, steps.of[ref.step], part, hash, run, at, prints];
      const settled = settledValues({ ...settlement, money: settlement.money ?? money }, settlement.at - at);
      if (insertSettled.run(...sent, ...settled).changes === 1) return;
      intend(ref, intent);
      settle(ref, settlement);
    },

    of(accountId: number): PartRow[] {
      return select.all(accountId);
    },

    /** Every attempt, oldest first. */
    attempts(accountId: number): PartRow[] {
      return selectAttempts.all(accountId, accountId);
    },
  };
}

type InsertValues = [
  ...[account: number, step: number, part: number, hash: string, run: number, sentAt: number],
  prints: string | null,
];
type SentAgain = [hash: string, run: number, sentAt: number, prints: string | null, money: string | null];
type SettledValues = [
  ...[state: number, time: number, outcome: string, status: number | null, code: string | null],
  words: string | null,
  money: string | null,
];
type SettlementValues = [...SettledValues, account: number, step: number, part: number];

function settledValues(
  { state, outcome, status, code, words, money }: Settlement,
  time: number,
): SettledValues {
  return [partStates.of[state], time, outcome, status ?? null, code ?? null, words ?? null, money ?? null];
}
