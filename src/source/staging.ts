import { refusalOf } from '../sqlite/refusal.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Stray } from './findings.ts';
import type { AccountRow, GoodRow, PlacedRow, Row } from './row.ts';

/** Account, file, line, kind, body. */
type Columns = [account: string, part: number, line: number, kind: number, body: string];

/** What the body is: the row's text, its cells between separators or as JSON, or the whole of a bad row as JSON. */
const kinds = { text: 0, cells: 1, jsonCells: 2, bad: 3 } as const;

/** Hardly any cell has it. */
const separator = '\u001f';

/**
 * Keeps the rows of an export on disk, and gives them back by account. They are appended to a table without an
 * index and sorted once, at the end: to insert them in order would cost many times as much.
 */
export class Staging {
  private readonly db = openTemporary();
  private readonly insert: (rows: readonly AccountRow[], file: number) => void;
  /** For each file, whether its rows make accounts. */
  private readonly makesAccounts: readonly boolean[];
  private accountRows = 0;

  constructor(makesAccounts: readonly boolean[]) {
    this.makesAccounts = makesAccounts;
    this.db.exec('CREATE TABLE staged (account TEXT, part INTEGER, line INTEGER, kind INTEGER, body TEXT)');
    const insert = this.db.prepare<Columns>('INSERT INTO staged VALUES (?, ?, ?, ?, ?)');
    this.insert = this.db.transaction((rows: readonly AccountRow[], file: number) => {
      for (const row of rows) {
        const { kind, body } = written(row);
        insert.run(row.account, file, row.line, kind, body);
      }
    });
  }

  /** Adds rows of one file, in its order; files one after the other, in the order of their positions. */
  add(rows: readonly AccountRow[], file: number): void {
    this.insert(rows, file);
    if (this.makesAccounts[file] === true) this.accountRows += rows.length;
  }

  /** Call once, when all rows are there: gives the number of accounts. */
  settle(): number {
    // Accounts with one row in the accounts table are the rule; only the others are written down.
    this.db.exec('CREATE TABLE odd (account TEXT PRIMARY KEY, own INTEGER, sound INTEGER) WITHOUT ROWID');
    this.db
      .prepare(
        `INSERT INTO odd SELECT account, sum(part BETWEEN ? AND ?) AS own, sum(kind <> ${kinds.bad}) FROM staged
         GROUP BY account HAVING own <> 1`,
      )
      .run(this.makesAccounts.indexOf(true), this.makesAccounts.lastIndexOf(true));
    const surplus = this.db.prepare('SELECT total(own - 1) FROM odd WHERE own > 1').pluck().get();
    return this.accountRows - Number(surplus);
  }

  /** The rows whose account is not in the accounts table, file by file in their order. */
  *strays(): IterableIterator<Stray> {
    if (this.db.prepare('SELECT 1 FROM odd WHERE own = 0').get() === undefined) return;
    const rows = this.db
      .prepare<[], [...Columns, sound: number]>(
        // A cross join keeps the rows in the order in which they were added.
        `SELECT account, part, line, kind, body, sound FROM staged CROSS JOIN odd USING (account)
         WHERE own = 0`,
      )
      .raw();
    for (const [account, file, line, kind, body, sound] of rows.iterate())
      yield { ...staged([account, file, line, kind, body]), isConfirmed: sound > 0 };
  }

  /** The rows of one account after the other, by account number (by code point), then file, then place in the file. */
  *byAccount(): Generator<readonly PlacedRow[], void, undefined> {
    const rows = this.db
      .prepare<[], Columns>('SELECT account, part, line, kind, body FROM staged ORDER BY account, rowid')
      .raw();
    let group: PlacedRow[] = [];
    for (const columns of rows.iterate()) {
      const row = staged(columns);
      if (group[0] !== undefined && group[0].account !== row.account) {
        yield group;
        group = [];
      }
      group.push(row);
    }
    if (group.length > 0) yield group;
  }

  /** Frees the disk; a reading that is under way must have been ended. */
  close(): void {
    this.db.close();
  }
}

function written(row: AccountRow): { readonly kind: number; readonly body: string } {
  if (!('body' in row)) return { kind: kinds.bad, body: JSON.stringify(row) };
  if (typeof row.body === 'string') return { kind: kinds.text, body: row.body };
  const body = [...row.body];
  // A fraction of what JSON costs.
  return body.some((cell) => cell.includes(separator))
    ? { kind: kinds.jsonCells, body: JSON.stringify(body) }
    : { kind: kinds.cells, body: body.join(separator) };
}

function staged([account, file, line, kind, body]: Columns): PlacedRow {
  if (kind === kinds.bad) return { account, file, row: JSON.parse(body) as Row };
  return { account, file, row: { line, account, body: bodyOf(kind, body) } };
}

function bodyOf(kind: number, body: string): GoodRow['body'] {
  if (kind === kinds.text) return body;
  return kind === kinds.cells ? body.split(separator) : (JSON.parse(body) as string[]);
}

/** The refusal that an error of the staging's database stands for; any other error as it is. */
export function stagingRefusal(error: unknown): unknown {
  return refusalOf(error, 'in the temporary directory (TMPDIR)', { what: 'staging of the export' });
}
