import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { fileIdentity, identityAt } from '../../domain/file-identity.ts';
import { JournalGone } from '../journal.ts';

/** A file that SQLite has open, and the path that it was opened by. */
interface OpenFile {
  readonly path: string;
  readonly identity: string;
}

/**
 * Watches that the opened files are still the ones at a journal's path: the database, its log and its index.
 * A program can continue to write to a file that was deleted or moved, and nobody who opens the path finds
 * what it wrote.
 */
export class JournalFile {
  readonly #files: readonly OpenFile[];
  #isLost = false;

  /** `file`: a journal that is open in WAL mode now. Throws if it is already gone. */
  constructor(file: string) {
    // SQLite has its log beside the target of a link.
    const target = realpathSync(file);
    this.#files = [file, `${target}-wal`, `${target}-shm`].map((path) => {
      return { path, identity: fileIdentity(statSync(path, { bigint: true })) };
    });
  }

  /** Checks all files again. Once lost, it stays lost: later writes went elsewhere. */
  look(): void {
    this.#isLost ||= !this.#files.every(isStillThere);
  }

  /** Checks only the database's file, which is cheaper. */
  glance(): void {
    this.#isLost ||= !isStillThere(this.#journal);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Throws JournalGone if the last check found a file gone. */
  check(): void {
    if (this.#isLost) throw new JournalGone(this.#journal.path);
  }

  /**
   * The journal's new path; undefined if it was deleted or is unchanged, and if the system (other than Linux)
   * does not report it.
   */
  movedTo(): string | undefined {
    const { identity } = this.#journal;
    const handles = '/proc/self/fd';
    if (!existsSync(handles)) return undefined;
    for (const name of readdirSync(handles)) {
      const handle = `${handles}/${name}`;
      if (identityAt(handle) !== identity) continue;
      const path = readlinkSync(handle);
      const isAsItWas = isStillThere(this.#journal);
      return !isAsItWas && isStillThere({ path, identity }) ? path : undefined;
    }
    return undefined;
  }

  get #journal(): OpenFile {
    const [journal] = this.#files;
    if (journal === undefined) throw new Error('a journal without a file');
    return journal;
  }
}

function isStillThere({ path, identity }: OpenFile): boolean {
  try {
    return identityAt(path) === identity;
  } catch {
    // Part of the path is no longer a directory, or cannot be searched.
    return false;
  }
}
