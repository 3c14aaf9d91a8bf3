import { isComposed, type AccountKey } from '../../domain/account-key.ts';
import { accountStates as allStates, type AccountState } from '../../domain/account-state.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import type { AccountChange, AccountEntry, BookEntry, RowsAsked, RowsFound, RowsNote } from '../journal.ts';
import { findRows, writtenRows, type RowsOfAccount } from '../core/row-print.ts';
import { changedAccount, type ChangeContext } from '../core/account-change.ts';
import { accountStates, unpackSteps } from '../core/codes.ts';
import { entryOf, type AccountRow } from '../core/rows.ts';
import type { Tally } from '../core/tally.ts';
import type { Parts } from './parts.ts';
import type { Readings } from './readings.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Interventions } from './interventions.ts';
import type { Sources } from './sources.ts';
import type { Suppliers } from './suppliers.ts';
import type { RecentFailures } from './recent-failures.ts';

const columns = [
  ...[
    'id',
    'supplier',
    'number',
    'state',
    'steps',
    'code',
    'kraken_account_number',
    'staged_hash',
    'plan_hash',
  ],
  ...['restore', 'source', 'absent', 'data', 'changed', 'row_print'],
]
  .map((column) => `account.${column}`)
  .concat('EXISTS (SELECT 1 FROM problem WHERE problem.account = account.id) AS problems')
  .join(', ');
const pageSize = 200;
const mostHolders = 10;
const bookPageSize = 5_000;

export type Accounts = ReturnType<typeof accountsOf>;

export function accountsOf(
  db: Sqlite,
  {
    suppliers,
    sources,
    readings,
    parts,
    tally,
    restores,
    troubles,
    interventions,
  }: {
    suppliers: Suppliers;
    sources: Sources;
    readings: Readings;
    parts: Parts;
    tally: Tally;
    restores: RestoreMarks;
    troubles: RecentFailures;
    interventions: Interventions;
  },
) {
  const select = db.prepare<[number, string], StoredRow>(
    `SELECT ${columns} FROM account WHERE supplier = ? AND number = ?`,
  );
  const selectSpelling = db
    .prepare<[number, string], string>(
      'SELECT number FROM account WHERE id = (SELECT account FROM spelling WHERE supplier = ? AND composed = ?)',
    )
    .pluck();
  const selectById = db.prepare<[number], StoredRow>(`SELECT ${columns} FROM account WHERE id = ?`);
  const selectPage = db.prepare<[number, string, number], StoredRow>(`
    SELECT ${columns} FROM account WHERE supplier = ? AND number >= ? AND (1 << state) & ? <> 0
    ORDER BY number LIMIT ${pageSize}`);
  const selectHolders = db.prepare<[string, string], StoredRow & { readonly code_of_supplier: string }>(`
    SELECT supplier.code AS code_of_supplier, ${columns}
    FROM account INDEXED BY account_of_number CROSS JOIN supplier ON supplier.id = account.supplier
    WHERE account.kraken_account_number = ?
      AND supplier.platform = (SELECT id FROM platform WHERE identity = ?)
    ORDER BY account.id LIMIT ${mostHolders}`);
  const hasHolder = db
    .prepare<[string], number>(
      'SELECT 1 FROM account INDEXED BY account_of_number WHERE kraken_account_number = ? LIMIT 1',
    )
    .pluck();
  const insert = db.prepare<[number, string, number | null]>(
    `INSERT INTO account (supplier, number, state, steps, code, source)
    VALUES (?, ?, ${accountStates.of.pending}, 0, '', ?)`,
  );
  const selectStanding = db.prepare<[number, string], StandingRow>(
    'SELECT id, state, source, absent FROM account WHERE supplier = ? AND number = ?',
  );
  const updatePlace = db.prepare<[number, number]>('UPDATE account SET source = ?, absent = 0 WHERE id = ?');
  const countFrom = db
    .prepare<[number], number>('SELECT count(*) FROM account WHERE source = ? AND absent = 0')
    .pluck();
  const selectFrom = db.prepare<[number, number], BookRow>(`
    SELECT account.id, account.number, account.state, account.absent, supplier.code AS supplier
    FROM account JOIN supplier ON supplier.id = account.supplier
    WHERE account.id > ? AND account.source = ? ORDER BY account.id LIMIT ${bookPageSize}`);
  const selectRows = db
    .prepare<[number, string], RowsRow>(
      `SELECT number, id, state, source, absent, row_print FROM account
      WHERE supplier = ? AND number IN (SELECT value FROM json_each(?)) AND row_print IS NOT NULL`,
    )
    .raw();
  const updateRows = db.prepare<[string, number, string | null]>(
    `UPDATE account SET row_print = ? WHERE id = ? AND (state <> ${accountStates.of.completed} OR plan_hash = coalesce(?, plan_hash))`,
  );
  const updateChanged = db.prepare<[number, number]>('UPDATE account SET changed = ? WHERE id = ?');
  const selectChanged = db.prepare<[number, number, string], StoredRow>(`
    SELECT ${columns} FROM account WHERE supplier = ? AND changed = ? AND number >= ?
    ORDER BY number LIMIT ${pageSize}`);
  const markAbsent = db.prepare<[number]>('UPDATE account SET absent = 1 WHERE id = ?');
  const update = db.prepare<
    [
      number,
      number,
      string,
      string | null,
      string | null,
      string | null,
      number,
      number | null,
      number,
      number,
    ]
  >(`UPDATE account SET state = ?, steps = ?, code = ?, kraken_account_number = ?, staged_hash = ?, plan_hash = ?,
      restore = ?, data = ?, row_print = iif(?, row_print, NULL) WHERE id = ?`);

  const context: ChangeContext = {
    get restore() {
      return restores.last();
    },
    source: (platform, from) => sources.findOrAdd(platform, from),
  };

  function entryIn(row: StoredRow, supplier: string): AccountEntry {
    return entryOf({
      row: {
        ...row,
        supplier_code: supplier,
        from_place: row.source === null ? null : sources.place(row.source),
        data_place: row.data === null ? null : sources.place(row.data),
      },
      parts: parts.of(row.id),
      latest: restores.latest(),
    });
  }

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

  function pageOf(rows: readonly StoredRow[], code: string): AccountPage {
    const accounts = rows.map((row) => entryIn(row, code));
    const last = accounts.length === pageSize ? accounts.at(-1) : undefined;
    // No text is between this one and the last account's.
    return last === undefined ? { accounts } : { accounts, next: `${last.key.account}\0` };
  }

  function find(platform: string, key: AccountKey): AccountEntry | undefined {
    const supplier = suppliers.find(platform, key.supplier);
    const row = supplier === undefined ? undefined : select.get(supplier, key.account);
    return row && entryIn(row, key.supplier);
  }

  return {
    find,

    /** The same, by any spelling of its number. */
    findSpelled(platform: string, key: AccountKey): AccountEntry | undefined {
      const found = find(platform, key);
      if (found !== undefined || isComposed(key.account)) return found;
      const composed = key.account.normalize('NFC');
      const supplier = suppliers.find(platform, key.supplier);
      const number = supplier === undefined ? undefined : selectSpelling.get(supplier, composed);
      return find(platform, { ...key, account: number ?? composed });
    },

    /** `from`: the export that has it, if it was read from one. */
    findOrAdd(platform: string, key: AccountKey, from?: string): AccountEntry {
      const source = from === undefined ? null : sources.findOrAdd(platform, from);
      const known = find(platform, key);
      if (known !== undefined) {
        if (source === null || isIn(known, from)) return known;
        place(suppliers.findOrAdd(platform, key.supplier), source, known.id);
        return { ...known, from, isAbsent: undefined };
      }
      const id = add(suppliers.findOrAdd(platform, key.supplier), key.account, source);
      return {
        id,
        key,
        state: 'pending',
        code: '',
        steps: unpackSteps(0),
        parts: [],
        inDoubtSince: restores.latest()?.at,
        from,
      };
    },

    /** The previous entry of each, in their order; `pending` if there was none. */
    enter(platform: string, from: string, keys: readonly AccountKey[]): Pick<AccountEntry, 'id' | 'state'>[] {
      const source = sources.findOrAdd(platform, from);
      return keys.map((key) => {
        const supplier = suppliers.findOrAdd(platform, key.supplier);
        const known = selectStanding.get(supplier, key.account);
        if (known === undefined) return { id: add(supplier, key.account, source), state: 'pending' };
        if (known.source !== source || known.absent === 1) place(supplier, source, known.id);
        return { id: known.id, state: accountStates.name(known.state) };
      });
    },

    countFrom(platform: string, places: readonly string[]): number {
      const known = [...new Set(places)].map((from) => sources.find(platform, from));
      return known.reduce<number>(
        (sum, source) => sum + (source === undefined ? 0 : (countFrom.get(source) ?? 0)),
        0,
      );
    },

    /** The next accounts of an export whose own number is greater than `after`; fewer than a page only at the end. */
    pageFrom(platform: string, from: string, after: number): { accounts: BookEntry[]; next?: number } {
      const source = sources.find(platform, from);
      if (source === undefined) return { accounts: [] };
      const accounts = selectFrom.all(after, source).map(bookEntryOf);
      const last = accounts.length === bookPageSize ? accounts.at(-1) : undefined;
      return last === undefined ? { accounts } : { accounts, next: last.id };
    },

    /** In their order. */
    recognise(platform: string, from: string, asked: readonly RowsAsked[]): RowsFound[] {
      const source = sources.find(platform, from);
      const numbers = JSON.stringify(asked.map(({ account }) => account));
      // One statement for all: a run without changes spends most of its time here.
      const known = suppliers.codes(platform).flatMap((supplier) =>
        selectRows
          .all(suppliers.findOrAdd(platform, supplier), numbers)
          .map(([number, id, state, placed, absent, written]): RowsOfAccount => {
            const isIn = placed === source && absent !== 1;
            return { id, number, supplier, written, isIn, isCompleted: state === accountStates.of.completed };
          }),
      );
      return findRows(asked, known);
    },

    noteRows(notes: readonly RowsNote[]): void {
      for (const { accountId, rows, changedIn } of notes) {
        if (changedIn !== undefined) updateChanged.run(changedIn, accountId);
        if (rows !== undefined) updateRows.run(writtenRows(rows), accountId, rows.planHash ?? null);
      }
    },

    /** As `page`, of the accounts that a run found changed. */
    pageChanged(platform: string, code: string, run: number, from: string): AccountPage {
      const supplier = suppliers.find(platform, code);
      return supplier === undefined ? { accounts: [] } : pageOf(selectChanged.all(supplier, run, from), code);
    },

    markAbsent(accountIds: readonly number[]): void {
      for (const id of accountIds) markAbsent.run(id);
    },

    change(accountId: number, change: AccountChange): void {
      const stored = selectById.get(accountId);
      const changed = changedAccount(accountId, stored, change, context, tally);
      update.run(
        changed.state,
        changed.steps,
        changed.code,
        changed.kraken_account_number,
        changed.staged_hash,
        changed.plan_hash,
        changed.restore,
        changed.data,
        Number(change.keepsRows === true),
        accountId,
      );
      if (change.state !== undefined) troubles.note(accountId, changed.state);
      if (change.intervention !== undefined) interventions.note(accountId, change.intervention);
    },

    /** The accounts of a platform with this number, oldest first: the first ten. */
    holders: (platform: string, number: string): AccountEntry[] =>
      // Usually no account has it, and this query is much faster.
      hasHolder.get(number) === undefined
        ? []
        : selectHolders.all(number, platform).map((row) => entryIn(row, row.code_of_supplier)),

    /** The next accounts of a supplier whose number is `from` or greater; fewer than a page only at the end. */
    page(
      platform: string,
      code: string,
      from: string,
      states: readonly AccountState[] = allStates,
    ): AccountPage {
      const supplier = suppliers.find(platform, code);
      if (supplier === undefined) return { accounts: [] };
      const wanted = states.reduce((mask, state) => mask | (1 << accountStates.of[state]), 0);
      return pageOf(selectPage.all(supplier, from, wanted), code);
    },
  };
}

export interface AccountPage {
  readonly accounts: readonly AccountEntry[];
  /** Where the next page begins; absent after the last. */
  readonly next?: string;
}

type StoredRow = Omit<AccountRow, 'supplier_code' | 'from_place' | 'data_place'>;

type RowsRow = [
  number: string,
  id: number,
  state: number,
  source: number | null,
  absent: number,
  written: string,
];

type StandingRow = Pick<AccountRow, 'id' | 'state' | 'source' | 'absent'>;

type BookRow = Pick<AccountRow, 'id' | 'number' | 'state' | 'absent'> & { readonly supplier: string };

function bookEntryOf({ id, supplier, number, state, absent }: BookRow): BookEntry {
  return { id, key: { supplier, account: number }, state: accountStates.name(state), isAbsent: absent === 1 };
}

/** Whether the journal already has the account from this export. */
export function isIn(entry: Pick<AccountEntry, 'from' | 'isAbsent'>, from: string | undefined): boolean {
  return from === undefined || (entry.from === from && entry.isAbsent !== true);
}
