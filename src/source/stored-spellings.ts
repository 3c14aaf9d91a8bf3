import { isComposed, type Spelling, type Spellings } from '../domain/account-key.ts';
import { openTemporary } from '../sqlite/temporary.ts';

/** The spellings of a journal's accounts, kept on disk, so that memory does not grow with their number. */
export class StoredSpellings {
  readonly #db = openTemporary();
  readonly #insert;
  readonly #find;

  constructor() {
    this.#db.exec('CREATE TABLE spelling (composed TEXT PRIMARY KEY, number TEXT) WITHOUT ROWID');
    const insert = this.#db.prepare<[string, string]>('INSERT OR IGNORE INTO spelling VALUES (?, ?)');
    this.#insert = this.#db.transaction((page: readonly Spelling[]) => {
      for (const { composed, number } of page) insert.run(composed, number);
    });
    this.#find = this.#db.prepare<[string], string>('SELECT number FROM spelling WHERE composed = ?').pluck();
  }

  add(page: readonly Spelling[]): void {
    this.#insert(page);
  }

  readonly of: Spellings = (composed) => (isComposed(composed) ? undefined : this.#find.get(composed));

  /** Frees the disk. */
  close(): void {
    this.#db.close();
  }
}
