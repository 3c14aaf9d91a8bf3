import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Sqlite } from '../../sqlite/open-database.ts';
import { DatabaseRefused } from '../../sqlite/refusal.ts';

/** How long another process may take to put its log into the database, in looks of 10 ms. */
const mostLooks = 500;

/**
 * Tells a database that was written over in place (by `cp`, which keeps the file) from one that SQLite wrote to. SQLite
 * writes there only when it puts the log into it, and then says so in the log's index.
 */
export class Overwriting {
  readonly #select;
  readonly #file: string;
  readonly #log: number;
  #isOpen = true;
  #written: string;
  readonly #header = Buffer.alloc(32);
  /** Which log it is: a log that is in the database begins anew, under another header. */
  #begun: Buffer;
  /** Pages of it that are in the database. */
  #moved: number;

  /** `file`: where the database really lies, as its log is beside it. */
  constructor(db: Sqlite, file: string) {
    this.#select = db.prepare<[], { readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
    this.#file = file;
    this.#log = openSync(`${file}-wal`, 'r');
    this.#begun = Buffer.from(this.#readHeader());
    this.#moved = this.#movedNow();
    this.#written = this.#writtenNow();
  }

  /** Whether it was, since the last look. Outside of any transaction; costs some microseconds. */
  look(): boolean {
    const written = this.#writtenNow();
    if (written === this.#written) {
      // To begin the log anew writes nothing to the database.
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

  /** When the file was written last, and its size; '' where it is gone. */
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
    `The journal ${file} was written over by another program while the run used it. No further request was sent, and its last records cannot be trusted. Restore a journal with \`migrate journal restore FILE\`: the next run finds out what was sent.`,
  );
}
