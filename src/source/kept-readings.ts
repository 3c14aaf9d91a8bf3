import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ExportFault } from './export.ts';
import type { ExportCounts } from '../domain/run-facts.ts';
import type { RowStart } from './row-starts.ts';
import type { OpenedFile } from './table.ts';
import { renameOver } from '../domain/rename-over.ts';

/** What the first reading of files that are sorted by account number found. */
export interface KeptReading {
  /** The position of their order in `orders`. */
  readonly order: number;
  readonly accounts: number;
  readonly ignoredRows: number;
  readonly faults: readonly ExportFault[];
  readonly counts: ExportCounts;
  /** Where rows of each file begin; none of a file that can only be read from its beginning on. */
  readonly starts: readonly (readonly RowStart[])[];
}

interface Entry extends KeptReading {
  /** Identifies the files by their states, and how they were read. */
  readonly key: string;
}

/** Exports with more faults are read again. */
const mostFaults = 1_000;
const mostEntries = 8;

/**
 * What the first readings of the latest sorted exports found, so that a later command reads unchanged files only once. Kept in
 * a file, by the identity, size and times of the files; no rows and no values are in it. It is the index of such an export: what
 * reads one account goes straight to it.
 */
export class KeptReadings {
  readonly #path: string;
  readonly #version: string;
  readonly #makesDirectory: boolean;

  /**
   * `version`: that of the program; another one reads the files again. `makesDirectory`: the file's directory is made if the one
   * above exists.
   */
  constructor(path: string, version: string, { makesDirectory = false } = {}) {
    this.#path = path;
    this.#version = version;
    this.#makesDirectory = makesDirectory;
  }

  /** What is known of these files; undefined if one of them has changed since. */
  async find(files: readonly OpenedFile[]): Promise<KeptReading | undefined> {
    const key = this.#keyOf(files);
    return (await this.#entries()).find((entry) => entry.key === key);
  }

  /** If it cannot be written, or its directory does not exist yet, the next reading only takes longer. */
  async keep(
    files: readonly OpenedFile[],
    { order, accounts, ignoredRows, faults, counts, starts }: KeptReading,
  ): Promise<void> {
    // A value of a cell is never recorded.
    if (faults.length > mostFaults || faults.some(({ value }) => value !== undefined)) return;
    const key = this.#keyOf(files);
    const others = (await this.#entries()).filter((entry) => entry.key !== key);
    await this.#write([
      { key, order, accounts, ignoredRows, faults, counts, starts },
      ...others.slice(0, mostEntries - 1),
    ]);
  }

  /** Call this if the files turn out to be different. */
  async forget(files: readonly OpenedFile[]): Promise<void> {
    const key = this.#keyOf(files);
    await this.#write((await this.#entries()).filter((entry) => entry.key !== key));
  }

  async #entries(): Promise<readonly Entry[]> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      return Array.isArray(kept) ? kept.filter(isEntry) : [];
    } catch {
      return [];
    }
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    // Two runs may write at once; each renames a file of its own.
    const own = `${this.#path}.${randomUUID()}`;
    try {
      if (this.#makesDirectory) await mkdir(dirname(this.#path), { mode: 0o700 }).catch(() => undefined);
      await writeFile(own, JSON.stringify(entries), { mode: 0o600 });
      renameOver(own, this.#path);
    } catch (error) {
      await rm(own, { force: true }).catch(() => undefined);
      if (!(error instanceof Error && 'syscall' in error)) throw error;
    }
  }

  #keyOf(files: readonly OpenedFile[]): string {
    const read = files.map(({ stored, table }) => [stored.path, stored.state.fullMark, table]);
    return createHash('sha256')
      .update(JSON.stringify([this.#version, read]))
      .digest('base64url');
  }
}

/** The file may be damaged, or of another kind. */
function isEntry(kept: unknown): kept is Entry {
  const { key, order, accounts, ignoredRows, faults, counts, starts } = (kept ?? {}) as Partial<Entry>;
  return (
    typeof key === 'string' &&
    Number.isInteger(order) &&
    Number.isInteger(accounts) &&
    Number.isInteger(ignoredRows) &&
    Array.isArray(faults) &&
    Array.isArray(counts?.files) &&
    Array.isArray(counts.sample) &&
    Array.isArray(starts)
  );
}
