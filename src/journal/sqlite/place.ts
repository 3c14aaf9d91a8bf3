import { existsSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { JournalGone } from '../journal.ts';

/** A file that SQLite has open, and the path that it was opened by. */
interface OpenFile {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/**
 * Watches that the files which were opened are still the ones at a journal's path: the database, its log and its index.
 * A program goes on writing to a file that was deleted or moved, and nobody who opens the path finds any of it.
 */
export class Place {
  readonly #files: readonly OpenFile[];
  #isLost = false;

  /** `file`: a journal that is open in WAL mode at this moment. Throws where it is gone already. */
  constructor(file: string) {
    // SQLite has its log beside the file that a link leads to.
    const target = realpathSync(file);
    this.#files = [file, `${target}-wal`, `${target}-shm`].map((path) => {
      const { dev: device, ino: inode } = statSync(path);
      return { path, device, inode };
    });
  }

  /** Looks again at all files. Once lost, it stays lost: what was written meanwhile is elsewhere. */
  look(): void {
    this.#isLost ||= !this.#files.every(isStillThere);
  }

  /** Looks at the database's file alone, which is cheaper. */
  glance(): void {
    this.#isLost ||= !isStillThere(this.#journal);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Throws JournalGone where the last look found a file gone. */
  check(): void {
    if (this.#isLost) throw new JournalGone(this.#journal.path);
  }

  /** Where the journal's file is now; undefined where it was deleted or is as it was, and where the system (not Linux) cannot tell. */
  movedTo(): string | undefined {
    const { device, inode } = this.#journal;
    const handles = '/proc/self/fd';
    if (!existsSync(handles)) return undefined;
    for (const name of readdirSync(handles)) {
      const handle = `${handles}/${name}`;
      const found = statOf(handle);
      if (found?.ino !== inode || found.dev !== device) continue;
      const path = readlinkSync(handle);
      const isAsItWas = isStillThere(this.#journal);
      return !isAsItWas && isStillThere({ path, device, inode }) ? path : undefined;
    }
    return undefined;
  }

  get #journal(): OpenFile {
    const [journal] = this.#files;
    if (journal === undefined) throw new Error('a journal without a file');
    return journal;
  }
}

function isStillThere({ path, device, inode }: OpenFile): boolean {
  const found = statOf(path);
  return found?.ino === inode && found.dev === device;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Part of the path is no directory any more, or may not be looked into.
    return undefined;
  }
}
