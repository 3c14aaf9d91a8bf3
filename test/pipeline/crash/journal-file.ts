import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open-journal.ts';
import { journalSpec } from '../../../src/journal/sqlite/schema.ts';
import { openDatabase } from '../../../src/sqlite/open-database.ts';

/** Where files are in memory, if the system has such a place. */
const memory = '/dev/shm';

/** A journal in a file of its own, with its mark, that can be copied, put back and deleted at any moment. */
export class JournalFile {
  readonly #directory = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'crash-'));
  readonly #file = join(this.#directory, 'journal.db');
  readonly #mark = `${this.#file}-mark`;
  readonly #opened: Journal[] = [];
  readonly #copies: string[] = [];

  /** As a process does that starts. What a killed process had open stays open until the end. */
  open(): Journal {
    const journal = openJournal(this.#file, { synchronous: 'NORMAL', create: true });
    this.#opened.push(journal);
    return journal;
  }

  get hasMark(): boolean {
    return existsSync(this.#mark);
  }

  get hasCopy(): boolean {
    return this.#copies.length > 0;
  }

  /** Copies the file and its log, as they are at this moment; false where there is none. */
  copy(): boolean {
    if (!existsSync(this.#file)) return false;
    const copy = join(this.#directory, `copy-${this.#copies.length}.db`);
    copyFiles(this.#file, copy);
    if (this.hasMark) copyFileSync(this.#mark, `${copy}-mark`);
    this.#copies.push(copy);
    return true;
  }

  /**
   * Puts one of the copies in the journal's place, counted from the last one. Says which one, and whether the journal had
   * anything that the copy has not.
   */
  putBack(countedBack: number): { readonly copy: number; readonly found: 'older' | 'same' } {
    const number = this.#numberOf(countedBack);
    const copy = this.#copies[number];
    if (copy === undefined) throw new Error('no copy was made');
    const isSame = existsSync(this.#file) && this.#stampOf(this.#file) === this.#stampOf(copy);
    this.delete();
    copyFiles(copy, this.#file);
    return { copy: number, found: isSame ? 'same' : 'older' };
  }

  /** Whether that copy was made with its mark. */
  isMarked(countedBack: number): boolean {
    const copy = this.#copies[this.#numberOf(countedBack)];
    return copy !== undefined && existsSync(`${copy}-mark`);
  }

  /** As `putBack`, with the mark that the journal had then: as a whole folder is put back. Says which copy. */
  putBackWhole(countedBack: number): number {
    const { copy } = this.putBack(countedBack);
    copyFileSync(`${this.#copies[copy] ?? ''}-mark`, this.#mark);
    return copy;
  }

  #numberOf(countedBack: number): number {
    return this.#copies.length - 1 - (countedBack % this.#copies.length);
  }

  /** Puts a file that a run saved in the journal's place, as its message says. */
  putSaved(path: string): void {
    this.delete();
    renameSync(path, this.#file);
  }

  delete(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.#file}${end}`, { force: true });
  }

  deleteMark(): void {
    rmSync(this.#mark, { force: true });
  }

  async remove(): Promise<void> {
    for (const journal of this.#opened) await journal.close().catch(() => undefined);
    rmSync(this.#directory, { recursive: true });
  }

  /** Looks at a copy: what is looked at has to be left as it is. */
  #stampOf(file: string): string | undefined {
    const looked = join(this.#directory, 'looked-at.db');
    copyFiles(file, looked);
    const db = openDatabase(looked, { ...journalSpec, synchronous: 'NORMAL' });
    const stamp = db.prepare<[], string>('SELECT text FROM stamp').pluck().get();
    db.close();
    rmSync(looked);
    return stamp;
  }
}

function copyFiles(from: string, to: string): void {
  copyFileSync(from, to);
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`);
}
