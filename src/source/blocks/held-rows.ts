import type { MergeOptions } from '../merge.ts';
import type { Row } from '../row.ts';
import type { RowPlace } from './block.ts';
import { isSoundRow } from './open-block.ts';

/** The latest rows of files that are merged, of which those behind a certain place are not used. */
export class HeldRows {
  readonly #pass: MergeOptions['onBatch'];
  /** For each file: all batches before were merged. */
  readonly #latest: (readonly Row[])[];
  /** For each file: the lines of rows that are told of. */
  readonly #faulty: number[][];

  constructor(files: number, pass: MergeOptions['onBatch']) {
    this.#pass = pass;
    this.#latest = Array.from({ length: files }, () => []);
    this.#faulty = Array.from({ length: files }, () => []);
  }

  take(rows: readonly Row[], file: number): void {
    this.#passOn(this.#latest[file] ?? [], file);
    this.#latest[file] = rows;
    for (const row of rows) if (!isSoundRow(row)) this.#faulty[file]?.push(row.line);
  }

  /** Whether no row before these places is told of; such rows are forgotten. */
  forgetFaults(ends: readonly RowPlace[]): boolean {
    let isSound = true;
    for (const [file, faulty] of this.#faulty.entries()) {
      const { line = 0 } = ends[file] ?? {};
      const left = faulty.filter((one) => one >= line);
      if (left.length === faulty.length) continue;
      this.#faulty[file] = left;
      isSound = false;
    }
    return isSound;
  }

  /** Passes on what is before these places, and no more. */
  flush(ends: readonly RowPlace[]): void {
    for (const [file, rows] of this.#latest.entries()) {
      const { line = 0 } = ends[file] ?? {};
      const isBehind = (rows.at(-1)?.line ?? 0) >= line;
      this.#passOn(isBehind ? rows.filter((row) => row.line < line) : rows, file);
      this.#latest[file] = [];
    }
  }

  #passOn(rows: readonly Row[], file: number): void {
    if (rows.length > 0) this.#pass?.(rows, file);
  }
}
