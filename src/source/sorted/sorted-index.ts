import { join } from 'node:path';
import { removeLeftover } from '../../domain/remove-file.ts';
import type { ExportCounts } from '../../domain/run-facts.ts';
import type { ExportFault } from '../export.ts';
import { fingerprintOf, KeptFiles } from '../kept-files.ts';
import type { OpenedFile } from '../table.ts';
import type { RowStart } from './row-starts.ts';

/** What the first reading of files that are sorted by account number found. */
export interface SortedIndex {
  /** The position of their order in `orders`. */
  readonly order: number;
  readonly accounts: number;
  readonly ignoredRows: number;
  readonly faults: readonly ExportFault[];
  readonly counts: ExportCounts;
  /** Where rows of each file begin; none of a file that can only be read from its beginning on. */
  readonly starts: readonly (readonly RowStart[])[];
}

/** Exports with more faults are read again. */
const mostFaults = 1_000;
/** Exports whose index is kept. */
const most = 8;

/**
 * The indexes of the latest sorted exports, so that a later command reads unchanged files only once, and what reads one account goes
 * straight to it. Kept by the identity, size and times of the files; no rows and no values are in them.
 */
export class SortedIndexes {
  readonly #files: KeptFiles;
  readonly #directory: string;
  readonly #version: string;

  /**
   * `version`: that of the program; another one reads the files again. `makesDirectory`: the directory is made if the one above
   * exists.
   */
  constructor(directory: string, version: string, { makesDirectory = false } = {}) {
    this.#files = new KeptFiles(directory, 'index-', { most, makesDirectory });
    this.#directory = directory;
    this.#version = version;
  }

  /** That of these files; undefined if one of them has changed since. */
  find(files: readonly OpenedFile[]): SortedIndex | undefined {
    const lines = this.#files.lines([this.#nameOf(files)]);
    if (lines === undefined) return undefined;
    try {
      const [header, index] = [lines.next().value, lines.next().value];
      const isTheirs = header === this.#headerOf(files) && typeof index === 'string';
      return isTheirs ? (JSON.parse(index) as SortedIndex) : undefined;
    } finally {
      lines.return(undefined);
    }
  }

  /**
   * Whether it is kept, or is not to be. If it cannot be written, or its directory does not exist yet, the next reading only takes
   * longer.
   */
  keep(files: readonly OpenedFile[], index: SortedIndex): boolean {
    const { order, accounts, ignoredRows, faults, counts, starts } = index;
    // A value of a cell is never recorded.
    if (faults.length > mostFaults || faults.some(({ value }) => value !== undefined)) return true;
    const file = this.#files.write(this.#nameOf(files));
    file?.line(this.#headerOf(files));
    file?.line(JSON.stringify({ order, accounts, ignoredRows, faults, counts, starts }));
    // Versions before 0.13.0 kept all of them in it.
    removeLeftover(join(this.#directory, 'readings.json'));
    return file?.finish() ?? false;
  }

  /** Call this if the files turn out to be different. */
  forget(files: readonly OpenedFile[]): void {
    this.#files.remove(this.#nameOf(files));
  }

  #nameOf(files: readonly OpenedFile[]): string {
    const read = files.map(({ stored, table }) => [stored.path, table]);
    // Stryker disable next-line MethodExpression: a longer name does as well
    return fingerprintOf([this.#version, read]).slice(0, 16);
  }

  #headerOf(files: readonly OpenedFile[]): string {
    const marks = files.map(({ stored }) => stored.state.fullMark);
    return fingerprintOf([this.#nameOf(files), marks]);
  }
}
