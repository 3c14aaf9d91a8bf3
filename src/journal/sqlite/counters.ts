import type { AccountState } from '../../domain/account-state.ts';
import { zeroCounts } from '../../domain/account-state.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import type { PartlyRead, StepCounts, SupplierOverview } from '../journal.ts';
import { accountStates, stepStateIn, steps, stepStates } from './codes.ts';
import type { Readings } from './readings.ts';

/** The step under which accounts are counted by their own state. */
export const ownState = 0;

export type Counters = ReturnType<typeof countersOf>;

/**
 * Counts of accounts by state, kept beside the rows so that an overview reads no account. Changes are gathered and
 * written once for each transaction.
 */
export function countersOf(db: Sqlite, readings: Readings) {
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
  const selectAbsent = db.prepare<[], { supplier: number; state: number; accounts: number }>(`
    SELECT supplier, state, count(*) AS accounts FROM account
    WHERE absent = 1 AND kraken_account_number IS NULL AND state <> ${accountStates.of.uncertain}
    GROUP BY supplier, state`);
  const selectStaged = db.prepare<[], { supplier: number; accounts: number }>(`
    SELECT supplier, count(*) AS accounts FROM account
    WHERE state = ${accountStates.of.pending} AND staged_hash IS NOT NULL AND absent = 0 GROUP BY supplier`);
  /** Keys hold supplier, step (four bits) and state (three bits). */
  const changes = new Map<number, number>();

  function count(supplier: number, step: number, state: number, by: number): void {
    const key = (supplier * 16 + step) * 8 + state;
    changes.set(key, (changes.get(key) ?? 0) + by);
  }

  return {
    opened(supplier: number, state: AccountState): void {
      count(supplier, ownState, accountStates.of[state], 1);
    },

    /** An account went from one state to another; `from` and `to` are codes. */
    moved(supplier: number, from: number, to: number): void {
      if (from === to) return;
      count(supplier, ownState, from, -1);
      count(supplier, ownState, to, 1);
    },

    /** An account's packed step states changed. */
    stepsMoved(supplier: number, from: number, to: number): void {
      if (from === to) return;
      for (const step of stepNames) {
        const before = stepStateIn(from, step);
        const after = stepStateIn(to, step);
        if (before === after) continue;
        if (before !== stepStates.of.none) count(supplier, steps.of[step], before, -1);
        if (after !== stepStates.of.none) count(supplier, steps.of[step], after, 1);
      }
    },

    /** Writes what was counted since the last time, within the caller's transaction. */
    write(): void {
      for (const [key, by] of changes) {
        if (by === 0) continue;
        const state = key % 8;
        const step = Math.floor(key / 8) % 16;
        const supplier = Math.floor(key / 128);
        if (add.run(by, supplier, step, state).changes === 0) insert.run(by, supplier, step, state);
      }
      changes.clear();
    },

    overview(platform: string | undefined): SupplierOverview[] {
      const suppliers = new Map<number, Counted>();
      for (const row of select.all(platform ?? null)) {
        let overview = suppliers.get(row.id);
        if (overview === undefined) {
          overview = {
            platform: row.platform,
            platformLabel: row.label,
            supplier: row.supplier,
            accounts: zeroCounts(),
            absent: 0,
            stagedByDryRun: 0,
            partlyRead: [],
            steps: zeroSteps(),
          };
          suppliers.set(row.id, overview);
        }
        if (row.step === ownState) overview.accounts[accountStates.name(row.state)] = row.accounts;
        else overview.steps[steps.name(row.step)][stepCountOf(row.state)] += row.accounts;
      }
      for (const { supplier, state, accounts } of selectAbsent.all()) {
        const overview = suppliers.get(supplier);
        if (overview === undefined) continue;
        overview.accounts[accountStates.name(state)] -= accounts;
        overview.absent += accounts;
      }
      for (const { supplier, accounts } of selectStaged.all()) {
        const overview = suppliers.get(supplier);
        if (overview !== undefined) overview.stagedByDryRun = accounts;
      }
      for (const [supplier, partlyRead] of readings.partly()) {
        const overview = suppliers.get(supplier);
        if (overview !== undefined) overview.partlyRead = partlyRead;
      }
      return [...suppliers.values()];
    },
  };
}

type Counted = SupplierOverview & {
  absent: number;
  stagedByDryRun: number;
  partlyRead: readonly PartlyRead[];
};

interface TallyRow {
  id: number;
  platform: string;
  label: string;
  supplier: string;
  step: number;
  state: number;
  accounts: number;
}

function zeroSteps(): Record<StepName, StepCounts> {
  const counts = stepNames.map((step) => [step, { done: 0, failed: 0, uncertain: 0, pending: 0 }]);
  return Object.fromEntries(counts) as Record<StepName, StepCounts>;
}

function stepCountOf(code: number): keyof StepCounts {
  const state = stepStates.name(code);
  if (state === 'none') throw new Error('The journal counts steps that no plan has.');
  return state === 'refused' ? 'failed' : state;
}
