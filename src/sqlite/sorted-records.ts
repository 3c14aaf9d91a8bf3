import { openTemporary } from './temporary.ts';

/**
 * Records by key, in any number and any order, to be read back in the order of their keys: that of their UTF-8 bytes,
 * in which the journal gives its accounts. They lie as JSON in a temporary file on disk, so memory stays flat.
 */
export class SortedRecords<Value> implements Iterable<readonly [key: string, value: Value]> {
  private readonly db = openTemporary();
  private readonly insert;
  private readonly select;

  constructor() {
    this.db.exec('CREATE TABLE record (key TEXT, value TEXT); BEGIN');
    this.insert = this.db.prepare<[string, string]>('INSERT INTO record VALUES (?, ?)');
    this.select = this.db.prepare<[], { key: string; value: string }>(
      'SELECT * FROM record ORDER BY key, rowid',
    );
  }

  add(key: string, value: Value): void {
    this.insert.run(key, JSON.stringify(value));
  }

  /** All of them; those of one key in the order in which they were added. */
  *[Symbol.iterator](): Generator<readonly [key: string, value: Value]> {
    for (const { key, value } of this.select.iterate()) yield [key, JSON.parse(value) as Value];
  }

  /** Forgets them, to begin anew. */
  clear(): void {
    this.db.exec('DELETE FROM record');
  }

  /** Frees the disk. */
  close(): void {
    this.db.close();
  }
}
