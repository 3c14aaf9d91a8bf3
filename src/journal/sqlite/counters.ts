import type { Sqlite } from '../../sqlite/open-database.ts';
import { alreadyHeldCodes, changedAfterImport } from '../../domain/shared-codes.ts';
import { accountStates } from '../core/codes.ts';
import type { Readings } from './readings.ts';
import type { RestoreMarks } from './restore-marks.ts';
import { Tally, type Apart, type Counts, type TallyRow } from '../core/tally.ts';

export type Counters = ReturnType<typeof countersOf>;

const held = alreadyHeldCodes.map((code) => `'${code}'`).join(', ');

/** Stores counts of accounts by state. Changes are gathered and written once for each transaction. */
export function countersOf(db: Sqlite, readings: Readings, restores: Pick<RestoreMarks, 'last'>) {
  const add = db.prepare<[number, number, number, number]>(
    'UPDATE tally SET accounts = accounts + ? WHERE supplier = ? AND step = ? AND state = ?',
  );
  const insert = db.prepare<[number, number, number, number]>(
    'INSERT INTO tally (accounts, supplier, step, state) VALUES (?, ?, ?, ?)',
  );
  const select = db.prepare<[string | null], TallyRow>(`
    SELECT supplier.id, platform.identity AS platform, platform.label, supplier.code AS supplier,
      tally.step, tally.state, tally.accounts
    FROM supplier JOIN platform ON platform.id = supplier.platform JOIN tally ON tally.supplier = supplier.id
    WHERE platform.identity = ifnull(?, platform.identity)
    ORDER BY platform.identity, supplier.code`);
  const selectAbsent = db.prepare<[], Apart & { state: number }>(`
    SELECT supplier, state, count(*) AS accounts FROM account
    WHERE absent = 1 AND kraken_account_number IS NULL AND state <> ${accountStates.of.uncertain}
    GROUP BY supplier, state`);
  const selectStaged = db.prepare<[], Apart>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE state = ${accountStates.of.pending} AND staged_hash IS NOT NULL AND absent = 0 GROUP BY supplier`);
  const selectChanged = db.prepare<[], Apart>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE state = ${accountStates.of.rejected} AND code = '${changedAfterImport}' GROUP BY supplier`);
  const selectHeld = db.prepare<[], Apart>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE state = ${accountStates.of.rejected} AND code IN (${held}) GROUP BY supplier`);
  const selectRefused = db.prepare<[], Apart>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE state = ${accountStates.of.completed} AND code <> '' GROUP BY supplier`);
  const selectDoubted = db.prepare<[number], Apart>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE restore < ? AND absent = 0 AND state <> ${accountStates.of.completed} GROUP BY supplier`);
  const changes = new Tally();

  return {
    changes,

    /** Writes what was counted since the last time, within the caller's transaction. */
    write(): void {
      for (const { supplier, step, state, by } of changes.take())
        if (add.run(by, supplier, step, state).changes === 0) insert.run(by, supplier, step, state);
    },

    all(platform: string | undefined): Counts {
      const tally = select.all(platform ?? null);
      const restore = restores.last();
      const partly = readings.partly();
      return {
        tally,
        absent: selectAbsent.all(),
        staged: selectStaged.all(),
        changed: selectChanged.all(),
        held: selectHeld.all(),
        refused: selectRefused.all(),
        doubted: restore === 0 ? [] : selectDoubted.all(restore),
        readings: partly,
        read: partly.length === 0 ? [] : readings.read(),
      };
    },
  };
}
