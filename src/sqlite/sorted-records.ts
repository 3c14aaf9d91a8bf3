import { openTemporary } from './temporary.ts';

/**
 * Records in any number and any order, read back in the order of their keys: that of their UTF-8 bytes, in which the
 * journal lists its accounts. They are kept as JSON in a temporary file on disk, so memory does not grow.
 */
export class SortedRecords<Value> implements Iterable<readonly [key: string, value: Value]> {
  readonly #db = openTemporary();
  readonly #insert;
  readonly #select;
  #one: { get(key: string): { value: string } | undefined } | undefined;

  constructor() {
    this.#db.exec('CREATE TABLE record (key TEXT, value TEXT); BEGIN');
    this.#insert = this.#db.prepare<[string, string]>('INSERT INTO record VALUES (?, ?)');
    this.#select = this.#db.prepare<[], { key: string; value: string }>(
      'SELECT * FROM record ORDER BY key, rowid',
    );
  }

  add(key: string, value: Value): void {
    this.#insert.run(key, JSON.stringify(value));
  }

  /** All records; those with the same key in the order of adding. */
  *[Symbol.iterator](): Generator<readonly [key: string, value: Value]> {
    for (const { key, value } of this.#select.iterate()) yield [key, JSON.parse(value) as Value];
  }

  /** The last one of a key; undefined if there is none. */
  find(key: string): Value | undefined {
    this.#one ??= this.#indexed();
    const found = this.#one.get(key);
    return found === undefined ? undefined : (JSON.parse(found.value) as Value);
  }

  #indexed() {
    this.#db.exec('CREATE INDEX by_key ON record (key)');
    return this.#db.prepare<[string], { value: string }>(
      'SELECT value FROM record WHERE key = ? ORDER BY rowid DESC LIMIT 1',
    );
  }

  /** Removes all records, to start again. */
  clear(): void {
    this.#db.exec('DELETE FROM record');
  }

  /** Frees the disk. */
  close(): void {
    this.#db.close();
  }
}
