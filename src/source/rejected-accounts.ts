import type { Cell } from '../domain/cell.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { CellMark } from './formats/format.ts';

/**
 * The rejected accounts, each with its reasons, by any spelling of its number; kept on disk, so that memory does not grow with
 * their number.
 */
export class RejectedAccounts {
  readonly #db = openTemporary();
  readonly #insert;
  readonly #find;
  readonly #insertMark;
  readonly #findMarks;
  #count = 0;

  constructor() {
    this.#db.exec('CREATE TABLE rejected (account TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID');
    this.#insert = this.#db.prepare<[string, string]>(
      `INSERT INTO rejected VALUES (?, ?)
       ON CONFLICT DO UPDATE SET reason = reason || ' + ' || excluded.reason
       WHERE instr(' + ' || reason || ' + ', ' + ' || excluded.reason || ' + ') = 0`,
    );
    this.#db.exec(
      'CREATE TABLE mark (file TEXT, sheet TEXT, line INTEGER, column TEXT, text TEXT, is_fault INTEGER, PRIMARY KEY (file, sheet, line, column, text)) WITHOUT ROWID',
    );
    this.#insertMark = this.#db.prepare<[string, string, number, string, string, number]>(
      'INSERT OR IGNORE INTO mark VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#findMarks = this.#db.prepare<
      [string, string, number],
      { column: string; text: string; isFault: number }
    >(
      'SELECT column, group_concat(text, char(10)) AS text, max(is_fault) AS isFault FROM mark WHERE file = ? AND sheet = ? AND line = ? GROUP BY column',
    );
    this.#find = this.#db.prepare<[string], string>('SELECT reason FROM rejected WHERE account = ?').pluck();
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The number of accounts with a reason. */
  get size(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM rejected').pluck().get() ?? 0;
  }

  /** A second call for an account adds a reason, if it is another one. */
  add(account: string, reason: string): void {
    this.#insert.run(account.normalize('NFC'), reason);
    this.#count += 1;
  }

  /** Notes what is wrong with a cell. */
  mark({ file, sheet = '', line, column }: Cell, { text, isFault }: CellMark): void {
    this.#insertMark.run(file, sheet, line, column, text, isFault ? 1 : 0);
  }

  /** What is wrong with the cells of a line, by their columns. */
  marksAt({ file, sheet = '', line }: Omit<Cell, 'column'>): ReadonlyMap<string, CellMark> {
    return new Map(
      this.#findMarks
        .all(file, sheet, line)
        .map(({ column, text, isFault }) => [column, { text, isFault: isFault === 1 }]),
    );
  }

  reasonOf(account: string): string | undefined {
    return this.#find.get(account.normalize('NFC'));
  }

  /** Frees the disk. */
  close(): void {
    this.#db.close();
  }
}
