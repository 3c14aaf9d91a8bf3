import { refusalOf } from '../sqlite/refusal.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Orphan } from './row-faults.ts';
import type { AccountRow, GoodRow, PlacedRow, Row } from './row.ts';

/** `own`: it makes an account. `row`: file, line, kind and body, marks between them. */
type Columns = [account: string, own: 0 | 1, sound: 0 | 1, row: string];

/** What the body is: a text, cells, either of them as JSON, or the whole of a bad row as JSON. */
const kinds = { text: 't', cells: 'c', json: 'j', bad: 'b' } as const;

/** Marks between cells, and between rows: hardly any row has one in it, and what is written as JSON never. */
const cellMark = '\u001f';
const rowMark = '\u001e';
const marks = new RegExp(`[${cellMark}${rowMark}]`);

/** A statement for so many rows takes half as long as one for each. */
const rowsAtOnce = 50;

/**
 * Keeps the rows of an export on disk, and gives them back by account. They are appended to a table without an
 * index and sorted once, at the end: to insert them in order would cost many times as much.
 */
export class ExternalSort {
  private readonly db = openTemporary();
  private readonly insert: (rows: readonly AccountRow[], file: number) => void;
  /** For each file, whether its rows make accounts. */
  private readonly makesAccounts: readonly boolean[];
  private accountRows = 0;

  constructor(makesAccounts: readonly boolean[]) {
    this.makesAccounts = makesAccounts;
    this.db.exec('CREATE TABLE staged (account TEXT, own INTEGER, sound INTEGER, row TEXT)');
    const insertion = (count: number) =>
      this.db.prepare(`INSERT INTO staged VALUES ${Array<string>(count).fill('(?, ?, ?, ?)').join(', ')}`);
    const [one, many] = [insertion(1), insertion(rowsAtOnce)];
    this.insert = this.db.transaction((rows: readonly AccountRow[], file: number) => {
      const own = makesAccounts[file] === true ? 1 : 0;
      const rest = rows.length % rowsAtOnce;
      let values: Columns[number][] = [];
      for (const [at, row] of rows.entries()) {
        values.push(row.account, own, 'body' in row ? 1 : 0, written(row, file));
        if (at >= rest && (at + 1 - rest) % rowsAtOnce !== 0) continue;
        (at < rest ? one : many).run(values);
        values = [];
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
    this.db.exec(
      `INSERT INTO odd SELECT account, sum(own) AS own, sum(sound) FROM staged GROUP BY account HAVING sum(own) <> 1`,
    );
    const surplus = this.db.prepare('SELECT total(own - 1) FROM odd WHERE own > 1').pluck().get();
    return this.accountRows - Number(surplus);
  }

  /** The rows whose account is not in the accounts table, file by file in their order. */
  *strays(): IterableIterator<Orphan> {
    if (this.db.prepare('SELECT 1 FROM odd WHERE own = 0').get() === undefined) return;
    const rows = this.db
      .prepare<[], [account: string, row: string, sound: number]>(
        // A cross join keeps the rows in the order in which they were added.
        `SELECT account, row, odd.sound FROM staged CROSS JOIN odd USING (account) WHERE odd.own = 0`,
      )
      .raw();
    for (const [account, row, sound] of rows.iterate())
      yield { ...staged(account, row), isConfirmed: sound > 0 };
  }

  /** The rows of one account after the other, by account number (by code point), then file, then place in the file. */
  *byAccount(): Generator<readonly PlacedRow[], void, undefined> {
    const groups = this.db
      .prepare<[string], [account: string, rows: string]>(
        // An account at a time: to take each row out of the database by itself takes half as long again.
        'SELECT account, group_concat(row, ? ORDER BY rowid) FROM staged GROUP BY account ORDER BY account',
      )
      .raw();
    for (const [account, rows] of groups.iterate(rowMark))
      yield rows.split(rowMark).map((row) => staged(account, row));
  }

  /** Frees the disk; a reading that is under way must have been ended. */
  close(): void {
    this.db.close();
  }
}

function written(row: AccountRow, file: number): string {
  const place = `${file}${cellMark}${row.line}${cellMark}`;
  if (!('body' in row)) return `${place}${kinds.bad}${cellMark}${JSON.stringify(row)}`;
  const { body } = row;
  return (
    marked(body, place) ??
    `${place}${kinds.json}${cellMark}${JSON.stringify(typeof body === 'string' ? body : [...body])}`
  );
}

/** Without JSON, which costs several times as much; undefined where a mark is in it already. */
function marked(body: GoodRow['body'], place: string): string | undefined {
  if (typeof body === 'string')
    return marks.test(body) ? undefined : `${place}${kinds.text}${cellMark}${body}`;
  let text = place + kinds.cells;
  for (let at = 0; at < body.length; at += 1) {
    const cell = body.at(at) ?? '';
    if (marks.test(cell)) return undefined;
    text += cellMark + cell;
  }
  return text;
}

function staged(account: string, text: string): PlacedRow {
  const fields = text.split(cellMark);
  const [file, line, kind, body = ''] = fields;
  const row = (read: GoodRow['body']): Row => ({ line: Number(line), account, body: read });
  const placed = (found: Row): PlacedRow => ({ account, file: Number(file), row: found });
  if (kind === kinds.cells) return placed(row(fields.slice(3)));
  if (kind === kinds.text) return placed(row(body));
  return placed(kind === kinds.bad ? (JSON.parse(body) as Row) : row(JSON.parse(body) as GoodRow['body']));
}

/** The refusal that an error of the staging's database stands for; any other error as it is. */
export function externalSortRefusal(error: unknown): unknown {
  return refusalOf(error, 'in the temporary directory (TMPDIR)', { what: 'staging of the export' });
}
