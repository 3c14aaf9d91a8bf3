import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import { accountStates, partStates } from '../core/codes.ts';
import { pageSizes } from '../core/pages.ts';
import type { AccountColumns, StoredEntry } from '../core/rows.ts';
import type { AccountReads, BookRow } from '../core/statements.ts';
import type { Unanswered } from '../journal.ts';
import type { Counters } from './counters.ts';
import type { Parts } from './parts.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Sources } from './sources.ts';
import type { Suppliers } from './suppliers.ts';

const columns = [
  ...['id', 'supplier', 'number', 'state', 'steps', 'code', 'kraken_account_number', 'staged_hash'],
  ...['plan_hash', 'restore', 'source', 'absent', 'data', 'changed', 'row_print'],
]
  .map((column) => `account.${column}`)
  .concat('EXISTS (SELECT 1 FROM problem WHERE problem.account = account.id) AS problems')
  .join(', ');
const mostHolders = 10;

export interface AccountReadsOf extends AccountReads {
  find(platform: string, key: AccountKey): StoredEntry | undefined;
  /** As `Journal.holders`. */
  holders(platform: string, krakenAccountNumber: string): readonly StoredEntry[];
}

/** The accounts, each with its parts. */
export function accountReads(
  db: Sqlite,
  {
    suppliers,
    sources,
    parts,
    restores,
    counters,
    troubles,
  }: {
    readonly suppliers: Suppliers;
    readonly sources: Sources;
    readonly parts: Parts;
    readonly restores: RestoreMarks;
    readonly counters: Counters;
    readonly troubles: RecentFailures;
  },
): AccountReadsOf {
  const select = db.prepare<[number, string], AccountColumns>(
    `SELECT ${columns} FROM account WHERE supplier = ? AND number = ?`,
  );
  const selectSpelling = db
    .prepare<[number, string], string>(
      'SELECT number FROM account WHERE id = (SELECT account FROM spelling WHERE supplier = ? AND composed = ?)',
    )
    .pluck();
  const selectPage = db.prepare<[number, string, number], AccountColumns>(`
    SELECT ${columns} FROM account WHERE supplier = ? AND number >= ? AND (1 << state) & ? <> 0
    ORDER BY number LIMIT ${pageSizes.accounts}`);
  const selectChanged = db.prepare<[number, number, string], AccountColumns>(`
    SELECT ${columns} FROM account WHERE supplier = ? AND changed = ? AND number >= ?
    ORDER BY number LIMIT ${pageSizes.accounts}`);
  const selectFrom = db.prepare<[number, number], BookRow>(`
    SELECT account.id, account.number, account.state, account.absent, supplier.code AS supplier
    FROM account JOIN supplier ON supplier.id = account.supplier
    WHERE account.id > ? AND account.source = ? ORDER BY account.id LIMIT ${pageSizes.book}`);
  const countFrom = db
    .prepare<[number], number>('SELECT count(*) FROM account WHERE source = ? AND absent = 0')
    .pluck();
  const countUnanswered = db.prepare<[number], Unanswered>(
    `SELECT count(*) AS requests, count(*) FILTER (WHERE account.absent <> 0) AS gone
      FROM account CROSS JOIN part ON part.account = account.id
      WHERE account.supplier = ?
        AND account.state NOT IN (${accountStates.of.completed}, ${accountStates.of.skipped}, ${accountStates.of.uncertain})
        AND part.state = ${partStates.of.sent} AND part.outcome IS NOT 'scheduled'`,
  );
  const selectRows = db
    .prepare<[number, string], RowsRow>(
      `SELECT number, id, state, source, absent, row_print FROM account
      WHERE supplier = ? AND number IN (SELECT value FROM json_each(?)) AND row_print IS NOT NULL`,
    )
    .raw();
  // Their index includes each account's supplier: no account's row is read.
  const selectShared = db
    .prepare<[string, string], string>(
      `SELECT account.kraken_account_number
      FROM account INDEXED BY account_of_number CROSS JOIN supplier ON supplier.id = account.supplier
      WHERE account.kraken_account_number > ? AND supplier.platform = (SELECT id FROM platform WHERE identity = ?)
      GROUP BY account.kraken_account_number HAVING count(*) > 1 LIMIT ${pageSizes.accounts}`,
    )
    .pluck();
  const hasHolder = db
    .prepare<[string], number>(
      'SELECT 1 FROM account INDEXED BY account_of_number WHERE kraken_account_number = ? LIMIT 1',
    )
    .pluck();
  const selectHolders = db.prepare<[string, string], AccountColumns & { readonly code_of_supplier: string }>(`
    SELECT supplier.code AS code_of_supplier, ${columns}
    FROM account INDEXED BY account_of_number CROSS JOIN supplier ON supplier.id = account.supplier
    WHERE account.kraken_account_number = ?
      AND supplier.platform = (SELECT id FROM platform WHERE identity = ?)
    ORDER BY account.id LIMIT ${mostHolders}`);

  function stored(row: AccountColumns, supplier: string): StoredEntry {
    return {
      row: {
        ...row,
        supplier_code: supplier,
        from_place: row.source === null ? null : sources.place(row.source),
        data_place: row.data === null ? null : sources.place(row.data),
      },
      parts: parts.of(row.id),
      latest: restores.latest(),
    };
  }

  function ofSupplier(
    platform: string,
    code: string,
    rows: (supplier: number) => readonly AccountColumns[],
  ): readonly StoredEntry[] {
    const supplier = suppliers.find(platform, code);
    return supplier === undefined ? [] : rows(supplier).map((row) => stored(row, code));
  }

  function find(platform: string, key: AccountKey): StoredEntry | undefined {
    const supplier = suppliers.find(platform, key.supplier);
    const row = supplier === undefined ? undefined : select.get(supplier, key.account);
    return row && stored(row, key.supplier);
  }

  return {
    find,

    findSpelled(platform, key) {
      const supplier = suppliers.find(platform, key.supplier);
      const number = supplier === undefined ? undefined : selectSpelling.get(supplier, key.account);
      return find(platform, { ...key, account: number ?? key.account });
    },

    page(platform, code, after, states) {
      const wanted = states.reduce((mask, state) => mask | (1 << state), 0);
      return ofSupplier(platform, code, (supplier) => selectPage.all(supplier, next(after), wanted));
    },

    pageChanged: (platform, code, run, after) =>
      ofSupplier(platform, code, (supplier) => selectChanged.all(supplier, run, next(after))),

    pageFrom(platform, from, after) {
      const source = sources.find(platform, from);
      return source === undefined ? [] : selectFrom.all(after, source);
    },

    countFrom(platform, places) {
      let sum = 0;
      for (const from of new Set(places)) {
        const source = sources.find(platform, from);
        if (source !== undefined) sum += countFrom.get(source) ?? 0;
      }
      return sum;
    },

    unanswered(platform, code) {
      const supplier = suppliers.find(platform, code);
      return (supplier === undefined ? undefined : countUnanswered.get(supplier)) ?? { requests: 0, gone: 0 };
    },

    pageShared: (platform, after) => selectShared.all(after, platform),

    holders: (platform, number) =>
      // Usually no account has it, and this query is much faster.
      hasHolder.get(number) === undefined
        ? []
        : selectHolders.all(number, platform).map((row) => stored(row, row.code_of_supplier)),

    rowsOf(platform, from, numbers) {
      const source = sources.find(platform, from);
      const listed = JSON.stringify(numbers);
      // One statement for all: a run without changes spends most of its time here.
      return suppliers.codes(platform).flatMap((supplier) =>
        selectRows
          .all(suppliers.findOrAdd(platform, supplier), listed)
          .map(([number, id, state, placed, absent, written]) => {
            const isIn = placed === source && absent !== 1;
            return { id, number, supplier, written, isIn, isCompleted: state === accountStates.of.completed };
          }),
      );
    },

    counts: (platform) => counters.all(platform),
    lastTroubles: (platform, supplier) => troubles.last(platform, supplier),
  };
}

type RowsRow = [
  number: string,
  id: number,
  state: number,
  source: number | null,
  absent: number,
  written: string,
];

/** The first number after this one: no text is between the two. */
function next(after: string | undefined): string {
  return after === undefined ? '' : `${after}\0`;
}
