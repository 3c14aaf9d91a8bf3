import type { Sqlite } from '../../sqlite/open-database.ts';
import {
  changedAccount,
  isSameSource,
  type ChangeContext,
  type ChangedColumns,
} from '../core/account-change.ts';
import { accountStates } from '../core/codes.ts';
import type { AccountWrites } from '../core/driver.ts';
import { entryOf, pendingRow, type JournalAccountRow } from '../core/rows.ts';
import type { Tally } from '../core/tally.ts';
import type { Journal } from '../journal.ts';
import type { AccountReadsOf } from './account-reads.ts';
import type { Interventions } from './interventions.ts';
import type { Readings } from './readings.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Sources } from './sources.ts';
import type { Suppliers } from './suppliers.ts';

type Entered = Awaited<ReturnType<Journal['enter']>>;

/** The writes of an account's own row. */
export function accountWrites(
  db: Sqlite,
  {
    reads,
    suppliers,
    sources,
    readings,
    tally,
    restores,
    troubles,
    interventions,
  }: {
    readonly reads: AccountReadsOf;
    readonly suppliers: Suppliers;
    readonly sources: Sources;
    readonly readings: Readings;
    readonly tally: Tally;
    readonly restores: RestoreMarks;
    readonly troubles: RecentFailures;
    readonly interventions: Interventions;
  },
): Pick<AccountWrites, 'open' | 'change'> & {
  /** As `Journal.enter`. */
  readonly enter: (...of: Parameters<Journal['enter']>) => Entered;
} {
  const insert = db.prepare<[number, string, number | null]>(
    `INSERT INTO account (supplier, number, state, steps, code, source)
    VALUES (?, ?, ${accountStates.of.pending}, 0, '', ?)`,
  );
  const selectStanding = db.prepare<[number, string], StandingRow>(
    'SELECT id, state, source, absent FROM account WHERE supplier = ? AND number = ?',
  );
  const updatePlace = db.prepare<[number, number]>('UPDATE account SET source = ?, absent = 0 WHERE id = ?');
  const selectColumns = db.prepare<[number], ChangedColumns>(
    `SELECT supplier, state, steps, code, kraken_account_number, staged_hash, plan_hash, restore, data
    FROM account WHERE id = ?`,
  );
  // Values by position: by name, they would take longer to bind than the statement runs.
  const update = db.prepare<
    [
      ...[state: number, steps: number, code: string, number: string | null, stagedHash: string | null],
      ...[planHash: string | null, restore: number, data: number | null, keepsRows: number, id: number],
    ]
  >(
    `UPDATE account SET state = ?, steps = ?, code = ?, kraken_account_number = ?, staged_hash = ?, plan_hash = ?,
      restore = ?, data = ?, row_print = iif(?, row_print, NULL)
    WHERE id = ?`,
  );

  const context: ChangeContext = {
    get restore() {
      return restores.last();
    },
    source: (platform, from) => sources.findOrAdd(platform, from),
  };

  function add(supplier: number, number: string, source: number | null): number {
    if (source !== null) readings.note(supplier, source);
    tally.opened(supplier, 'pending');
    return Number(insert.run(supplier, number, source).lastInsertRowid);
  }

  /** The account was read from another export than before, or again. */
  function place(supplier: number, source: number, id: number): void {
    readings.note(supplier, source);
    updatePlace.run(source, id);
  }

  return {
    open(platform, key, from) {
      const source = from === undefined ? null : sources.findOrAdd(platform, from);
      const supplier = suppliers.findOrAdd(platform, key.supplier);
      const known = reads.find(platform, key);
      if (known === undefined) {
        const id = add(supplier, key.account, source);
        const row = pendingRow({ id, supplier, key, source, from });
        const entry = entryOf({ row, parts: [], latest: restores.latest() });
        return () => entry;
      }
      if (source === null || isSameSource(known.row, source)) return () => entryOf(known);
      place(supplier, source, known.row.id);
      const row: JournalAccountRow = { ...known.row, source, from_place: from ?? null, absent: 0 };
      return () => entryOf({ ...known, row });
    },

    enter(platform, from, keys) {
      const source = sources.findOrAdd(platform, from);
      return keys.map((key) => {
        const supplier = suppliers.findOrAdd(platform, key.supplier);
        const known = selectStanding.get(supplier, key.account);
        if (known === undefined) return { id: add(supplier, key.account, source), state: 'pending' };
        if (!isSameSource(known, source)) place(supplier, source, known.id);
        return { id: known.id, state: accountStates.name(known.state) };
      });
    },

    change(accountId, change) {
      const stored = selectColumns.get(accountId);
      const { state, steps, code, kraken_account_number, staged_hash, plan_hash, restore, data } =
        changedAccount(accountId, stored, change, context, tally);
      const numbers = [kraken_account_number, staged_hash, plan_hash] as const;
      const keepsRows = Number(change.keepsRows === true);
      update.run(state, steps, code, ...numbers, restore, data, keepsRows, accountId);
      if (change.state !== undefined) troubles.note(accountId, state);
      if (change.intervention !== undefined) interventions.note(accountId, change.intervention);
    },
  };
}

type StandingRow = Pick<JournalAccountRow, 'id' | 'state' | 'source' | 'absent'>;
