import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Sqlite } from '../../sqlite/open-database.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';

/** How long another process may take to checkpoint its log, in checks of 10 ms. */
const mostLooks = 500;

/**
 * Distinguishes a database that was written over in place (by `cp`, which keeps the file) from one that SQLite wrote
 * to. SQLite writes to it only when it checkpoints the log, and then records that in the log's index.
 */
export class Overwriting {
  readonly #select;
  readonly #file: string;
  readonly #log: number;
  #isOpen = true;
  #written: string;
  readonly #header = Buffer.alloc(32);
  /** Identifies the log: after a complete checkpoint, the log starts again with another header. */
  #begun: Buffer;
  /** The number of its pages that are in the database. */
  #moved: number;

  /** `file`: the database's real path, because its log is beside it. */
  constructor(db: Sqlite, file: string) {
    this.#select = db.prepare<[], { readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
    this.#file = file;
    this.#log = openSync(`${file}-wal`, 'r');
    this.#begun = Buffer.from(this.#readHeader());
    this.#moved = this.#movedNow();
    this.#written = this.#writtenNow();
  }

  /** Whether it was written over since the last check. Call outside of any transaction; costs some microseconds. */
  look(): boolean {
    const written = this.#writtenNow();
    if (written === this.#written) {
      // Restarting the log writes nothing to the database.
      if (!this.#readHeader().equals(this.#begun)) this.#keep(written);
      return false;
    }
    for (let looks = 0; looks < mostLooks; looks += 1) {
      if (this.#movedNow() !== this.#moved || !this.#readHeader().equals(this.#begun)) {
        this.#keep(written);
        return false;
      }
      // Another process may be in the middle of it, and nothing may be sent before that is known.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
    return true;
  }

  #keep(written: string): void {
    this.#written = written;
    this.#moved = this.#movedNow();
    this.#begun = Buffer.from(this.#readHeader());
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#log);
    this.#isOpen = false;
  }

  /** When the file was last written, and its size; '' if it is gone. */
  #writtenNow(): string {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.mtimeMs} ${found.size}`;
  }

  #movedNow(): number {
    return this.#select.get()?.checkpointed ?? 0;
  }

  #readHeader(): Buffer {
    readSync(this.#log, this.#header, 0, this.#header.length, 0);
    return this.#header;
  }
}

export function overwritten(file: string): DatabaseRefused {
  return new DatabaseRefused(
    'damaged',
    `The journal ${file} was overwritten by another program while the run used it. No further request was sent, and its last records cannot be trusted. Restore a journal with \`migrate journal restore FILE\`: the next run finds out what was sent.`,
  );
}
