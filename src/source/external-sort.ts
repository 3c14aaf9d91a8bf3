import { constants } from 'node:buffer';
import { temporaryVariable } from '../domain/temporary-variable.ts';
import { refusalOf } from '../sqlite/refusal.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import { AccountRows, type RowLimit } from './account-rows.ts';
import { Links } from './links.ts';
import type { AccountText } from './packed-rows.ts';
import type { Orphan, Unlinked } from './row-faults.ts';
import { isLeftOut, isSuspect, type AccountRow, type PlacedRow } from './row.ts';
import { cellMark, rowMark, rowOfText, rowText } from './row-text.ts';
import type { FileTable } from './table.ts';

/** `own`: the row is an account. `row`: file, line, kind and body, separated by marks. */
type Columns = [account: string, own: 0 | 1, sound: 0 | 1, row: string];

/** Before a row that belongs to several accounts: the places that name them follow. */
const severalMark = '?';

/** The most characters of a text in memory. */
const longestText = constants.MAX_STRING_LENGTH;

/** One statement for several rows is faster than one for each. */
const rowsAtOnce = 50;

/**
 * Keeps the rows of an export on disk and returns them by account. They are appended to a table without an index and
 * sorted once at the end, because inserting them in order is many times slower. Rows that find their account through
 * another table are kept apart until all rows are known.
 */
export class ExternalSort {
  readonly #db = openTemporary();
  readonly #insert: (rows: readonly AccountRow[], file: number, isPlaced: boolean) => void;
  readonly #insertLinks: (rows: readonly AccountRow[], file: number) => void;
  readonly #links: Links;
  readonly #limit: RowLimit | undefined;
  #accountRows = 0;

  /** `limit`: absent if an account may be of any size. */
  constructor(files: readonly FileTable[], limit?: RowLimit) {
    this.#limit = limit;
    const makesAccounts = files.map(({ role }) => role === 'accounts');
    this.#links = new Links(this.#db, files);
    this.#db.exec('CREATE TABLE staged (account TEXT, own INTEGER, sound INTEGER, row TEXT)');
    this.#db.exec('CREATE TABLE ignored (account TEXT PRIMARY KEY) WITHOUT ROWID');
    const insertIgnored = this.#db.prepare<[string]>('INSERT OR IGNORE INTO ignored VALUES (?)');
    const insertion = (table: string, count: number) =>
      this.#db.prepare(`INSERT INTO ${table} VALUES ${Array<string>(count).fill('(?, ?, ?, ?)').join(', ')}`);
    const into = (table: string) => ({ one: insertion(table, 1), many: insertion(table, rowsAtOnce) });
    const placed = into('staged');
    const waiting = this.#links.all.map((link) => {
      // The key of a waiting row takes the place of its account.
      this.#db.exec(`CREATE TABLE waiting_${link} (account TEXT, own INTEGER, sound INTEGER, row TEXT)`);
      return into(`waiting_${link}`);
    });
    this.#insertLinks = this.#db.transaction((rows: readonly AccountRow[], file: number) => {
      for (const row of rows) if ('body' in row) this.#links.add(row, file);
    });
    this.#insert = this.#db.transaction((rows: readonly AccountRow[], file: number, isPlaced: boolean) => {
      const link = isPlaced ? undefined : this.#links.of(file);
      const { one, many } = (link === undefined ? undefined : waiting[link]) ?? placed;
      const isOwn = makesAccounts[file] === true;
      const used = rows.filter((row) => !isLeftOut(row));
      if (used.length < rows.length)
        for (const row of rows) if (isLeftOut(row)) insertIgnored.run(row.account);
      const rest = used.length % rowsAtOnce;
      let values: Columns[number][] = [];
      for (const [at, row] of used.entries()) {
        const own = isOwn && !isSuspect(row) ? 1 : 0;
        this.#accountRows += own;
        values.push(row.account, own, 'body' in row ? 1 : 0, rowText(row, file));
        if (at >= rest && (at + 1 - rest) % rowsAtOnce !== 0) continue;
        (at < rest ? one : many).run(values);
        values = [];
      }
    });
  }

  /**
   * Adds rows of one file, in its order. Files come one after another, in the order of their indexes. `isPlaced`: the
   * rows have their accounts, and no other row is needed to find them.
   */
  add(rows: readonly AccountRow[], file: number, isPlaced = false): void {
    this.#insert(rows, file, isPlaced);
    if (!isPlaced && this.#links.isTarget(file)) this.#insertLinks(rows, file);
  }

  /**
   * Call once, after all rows: returns the number of accounts. `only`: keeps just the rows of this account.
   */
  settle(only?: string): number {
    this.#place();
    if (only !== undefined) {
      this.#db.prepare('DELETE FROM staged WHERE account <> ?').run(only);
      this.#accountRows = Number(this.#db.prepare('SELECT total(own) FROM staged').pluck().get());
    }
    // Nearly every account has one row in the accounts table; only the others are recorded.
    this.#db.exec('CREATE TABLE odd (account TEXT PRIMARY KEY, own INTEGER, sound INTEGER) WITHOUT ROWID');
    this.#db.exec(
      `INSERT INTO odd SELECT account, sum(own) AS own, sum(sound) FROM staged GROUP BY account HAVING sum(own) <> 1`,
    );
    const surplus = this.#db.prepare('SELECT total(own - 1) FROM odd WHERE own > 1').pluck().get();
    return this.#accountRows - Number(surplus);
  }

  /** The number of rows of accounts that are left out; after `settle`. */
  ofIgnoredAccounts(): number {
    const found = this.#db
      .prepare(
        'SELECT count(*) FROM staged WHERE account IN (SELECT account FROM odd JOIN ignored USING (account) WHERE own = 0)',
      )
      .pluck();
    return Number(found.get());
  }

  /** Whether the account has a row that is left out, and no other one in the accounts table. */
  isIgnored(account: string): boolean {
    const own = this.#db.prepare('SELECT 1 FROM staged WHERE account = ? AND own = 1').get(account);
    return (
      own === undefined &&
      this.#db.prepare('SELECT 1 FROM ignored WHERE account = ?').get(account) !== undefined
    );
  }

  /** The rows whose account is not in the accounts table, by file and in file order. */
  *strays(): IterableIterator<Orphan> {
    if (this.#db.prepare('SELECT 1 FROM odd WHERE own = 0').get() === undefined) return;
    const rows = this.#db
      .prepare<[], [account: string, row: string, sound: number]>(
        // A cross join keeps the rows in the order in which they were added.
        `SELECT account, row, odd.sound FROM staged CROSS JOIN odd USING (account) WHERE odd.own = 0 AND account NOT IN (SELECT account FROM ignored)`,
      )
      .raw();
    for (const [account, row, sound] of rows.iterate())
      yield { ...this.#read(account, row), isConfirmed: sound > 0 };
  }

  /** The rows whose key is in no row of the table that their accounts are found through, or in one without account. */
  *unlinked(): IterableIterator<Unlinked> {
    for (const link of this.#links.all) {
      const rows = this.#db
        .prepare<[], [key: string, row: string, account: string | null]>(
          `SELECT row.account, row.row, placed.account FROM placed_${link} AS placed
           CROSS JOIN waiting_${link} AS row ON row.rowid = placed.at
           WHERE placed.account IS NULL OR placed.account = ''`,
        )
        .raw();
      for (const [key, row, account] of rows.iterate())
        yield { ...rowOfText(key, row), isPartnerFound: account !== null };
    }
  }

  /** Gives the waiting rows their accounts, in file order. */
  #place(): void {
    this.#links.resolve();
    for (const link of this.#links.all) {
      const several = this.#links.allowsSeveral(link) ? 'NULL' : 'several.one';
      this.#db.exec(
        `CREATE TABLE placed_${link} (at INTEGER, account TEXT, one INTEGER, other INTEGER);
         INSERT INTO placed_${link}
           SELECT row.at, map.account, ${several}, several.other
           FROM (SELECT rowid AS at, account AS id FROM waiting_${link} ORDER BY id LIMIT -1) AS row
           LEFT JOIN map_${link} AS map USING (id) LEFT JOIN several_${link} AS several USING (id)
           ORDER BY row.at;
         INSERT INTO staged
           SELECT placed.account, 0, row.sound AND placed.one IS NULL,
             CASE WHEN placed.one IS NULL THEN row.row
             ELSE '${severalMark}' || placed.one || '${cellMark}' || placed.other || '${cellMark}' || row.row END
           FROM placed_${link} AS placed CROSS JOIN waiting_${link} AS row ON row.rowid = placed.at
           WHERE placed.account <> ''`,
      );
    }
  }

  /** The rows by account number (by code point), then file, then position in the file. */
  *byAccount(): Generator<readonly PlacedRow[], void, undefined> {
    for (const [account, rows] of this.#groups())
      yield rows === null
        ? this.#rowsBelowLimit(account)
        : rows.split(rowMark).map((row) => this.#read(account, row));
  }

  /** The same, each row as `rowText` writes it. */
  *textsByAccount(): Generator<AccountText, void, undefined> {
    for (const [account, rows] of this.#groups()) {
      const isPlain = rows !== null && !rows.startsWith(severalMark) && !rows.includes(rowMark + severalMark);
      if (isPlain) yield { account, text: rows };
      else {
        const read = rows === null ? this.#rowsBelowLimit(account) : rows.split(rowMark).map((row) => this.#read(account, row)); // prettier-ignore
        yield {
          account,
          text: read.map(({ file, row }) => rowText({ ...row, account }, file)).join(rowMark),
        };
      }
    }
  }

  /** The texts of each account's rows; null where they take more memory than they may. */
  *#groups(): Generator<[account: string, rows: string | null], void, undefined> {
    const groups = this.#db
      .prepare<[{ mark: string; most: number }], [account: string, rows: string | null]>(
        // One account at a time: reading single rows from the database is slower.
        `SELECT account, CASE WHEN length(group_concat(row, @mark ORDER BY rowid)) <= @most
           THEN group_concat(row, @mark ORDER BY rowid) END FROM staged GROUP BY account ORDER BY account`,
      )
      .raw();
    yield* groups.iterate({ mark: rowMark, most: this.#limit?.mostBytes ?? longestText });
  }

  /** Of an account that takes too much memory, those that it may have in memory. */
  #rowsBelowLimit(account: string): readonly PlacedRow[] {
    const found = new AccountRows(this.#limit);
    const rows = this.#db
      .prepare<[string], string>('SELECT row FROM staged WHERE account = ? ORDER BY rowid')
      .pluck();
    for (const row of rows.iterate(account)) found.add(this.#read(account, row));
    return found.rows;
  }

  #read(account: string, text: string): PlacedRow {
    if (!text.startsWith(severalMark)) return rowOfText(account, text);
    const [one = '', other = ''] = text.slice(severalMark.length).split(cellMark, 2);
    const placed = rowOfText(account, text.slice(one.length + other.length + 3));
    const { file, row } = placed;
    if (!('body' in row)) return placed;
    const places = { one: Number(one), other: Number(other) };
    return { account, file, row: this.#links.refused(row.line, account, file, places) };
  }

  /** Frees the disk; end a reading that is under way first. */
  close(): void {
    this.#db.close();
  }
}

/** The refusal for an error of the temporary database; any other error unchanged. */
export function externalSortRefusal(error: unknown): unknown {
  return refusalOf(error, `in the temporary directory (${temporaryVariable})`, {
    what: 'staging of the export',
  });
}
