import type { Problem } from '../../domain/problem.ts';
import { openTemporary } from '../../sqlite/temporary.ts';

/**
 * The problems that a run of a shared book has told: accounts that another run had in the meantime are read again when they come
 * back. On disk, so that memory does not grow with their number.
 */
export class ToldProblems {
  readonly #db = openTemporary();
  readonly #insert;

  constructor() {
    this.#db.exec('CREATE TABLE told (problem TEXT PRIMARY KEY) WITHOUT ROWID');
    this.#insert = this.#db.prepare<[string]>('INSERT OR IGNORE INTO told VALUES (?)');
  }

  /** Whether this is the first time that it is told. */
  isNew({ account, step, code, path, detail, cell }: Problem): boolean {
    return this.#insert.run(JSON.stringify([account, step, code, path, detail, cell])).changes > 0;
  }

  /** Frees the disk. */
  close(): void {
    this.#db.close();
  }
}
