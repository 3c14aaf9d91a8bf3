import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileIdentity, identityAt } from '../../domain/file-identity.ts';
import { sync } from '../../sqlite/copy-database.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import { readStamp, writeStamp, type Stamp } from './stamp.ts';

/**
 * The mark: the stamp of the newest known commit of a journal, kept beside the journal. It is written after the
 * commit, so it is never ahead of a journal that nobody replaced.
 */
export interface Mark {
  /** Undefined if there is none. */
  read(): Stamp | undefined;
  /** When it was last written, in ms since the epoch; undefined if there is none. */
  writtenAt(): number | undefined;
  /** Writes another journal's stamp, or the first; on disk when this returns. */
  put(stamp: Stamp): void;
  /** Advances to this commit of the same journal; leaves a mark that is further, or another journal's. False if there is none. */
  advance(stamp: Stamp): boolean;
  /** Marks this journal as having lost records, so that it counts as one that went back in time. */
  accuse(stamp: Stamp): void;
  close(): void;
}

export function markPath(file: string): string {
  return `${file}-mark`;
}

/** A number of commits that no journal reaches, within the range of a stamp. */
const farAhead = 9_007_199_254_740_991;
const length = writeStamp({ identity: '0'.repeat(32), commits: 0 }).length;

/**
 * The mark beside a journal's file, readable by its owner only. It is as durable as an SQLite commit without a sync:
 * it survives a crash of the program, and after a power loss it may be older. Throws DatabaseRefused.
 */
export class MarkFile implements Mark {
  readonly #path: string;
  #handle: number | undefined;
  // Stryker disable next-line BooleanLiteral: only a power loss shows what was not synced
  #isAdvanced = false;

  /** `file`: the journal's. */
  constructor(file: string) {
    this.#path = markPath(file);
  }

  read(): Stamp | undefined {
    return this.#refusing(() => {
      const handle = this.#open();
      return handle === undefined ? undefined : stampIn(handle);
    });
  }

  writtenAt(): number | undefined {
    return this.#refusing(() => {
      const handle = this.#open();
      return handle === undefined ? undefined : Math.floor(fstatSync(handle).mtimeMs);
    });
  }

  put(stamp: Stamp): void {
    this.#refusing(() => {
      // Stryker disable next-line ConditionalExpression: what is there is not made anew, and opened once more
      const isNew = this.#open() === undefined;
      // Append mode would not write in place.
      // Stryker disable next-line ConditionalExpression: the same
      if (isNew) closeSync(openSync(this.#path, 'a+', 0o600));
      this.#handle ??= openSync(this.#path, 'r+');
      writeSync(this.#handle, writeStamp(stamp), 0);
      fsyncSync(this.#handle);
      // Stryker disable next-line ConditionalExpression: only a power loss shows what was not synced
      if (isNew) sync(dirname(this.#path));
    });
  }

  advance(stamp: Stamp): boolean {
    return this.#refusing(() => {
      const handle = this.#open();
      if (handle === undefined) return false;
      // Another process may have advanced it in the meantime.
      const found = stampIn(handle);
      if (found?.identity !== stamp.identity || found.commits >= stamp.commits) return true;
      writeSync(handle, writeStamp(stamp), 0);
      // Stryker disable next-line BooleanLiteral: only a power loss shows what was not synced
      this.#isAdvanced = true;
      return true;
    });
  }

  accuse({ identity }: Stamp): void {
    this.put({ identity, commits: farAhead });
  }

  close(): void {
    if (this.#handle === undefined) return;
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      // Stryker disable next-line ConditionalExpression,ArrowFunction: only a power loss shows what was not synced
      if (this.#isAdvanced) this.#refusing(() => fsyncSync(handle));
    } finally {
      closeSync(handle);
    }
  }

  /**
   * Opens the current mark: the one opened before may have been deleted since, and created again by another
   * process. Undefined if there is none.
   */
  #open(): number | undefined {
    if (this.#handle !== undefined && !isAt(this.#path, this.#handle)) {
      closeSync(this.#handle);
      this.#handle = undefined;
    }
    return (this.#handle ??= openIfThere(this.#path));
  }

  #refusing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw refusalOf(error, this.#path, { what: "journal's mark" });
    }
  }
}

// Stryker disable BlockStatement,ConditionalExpression,EqualityOperator: what is taken for another file is opened once more
/** Whether a path leads to this open file. */
function isAt(path: string, handle: number): boolean {
  return identityAt(path) === fileIdentity(fstatSync(handle, { bigint: true }));
}
// Stryker restore BlockStatement,ConditionalExpression,EqualityOperator

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    // Stryker disable next-line ConditionalExpression,LogicalOperator: what a file refuses with has a code
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function stampIn(handle: number): Stamp | undefined {
  const buffer = Buffer.alloc(length);
  const read = readSync(handle, buffer, 0, length, 0);
  return readStamp(buffer.toString('latin1', 0, read));
}
