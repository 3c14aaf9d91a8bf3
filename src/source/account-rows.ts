import { accountTooLarge, tooLargeDetail } from '../domain/account-too-large.ts';
import type { PlacedRow, Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/** A row of cells counts as so many bytes for each cell: its text is not read to measure it. */
const bytesPerCell = 8;

/** How large the rows of one account may be. */
export interface RowLimit {
  /** In bytes. */
  readonly mostBytes: number;
  /** Whether the rows of a file, by its index, are accounts: those are kept at any size. */
  readonly isOwn: (file: number) => boolean;
}

/**
 * Collects the rows of one account. One that takes more memory than all accounts may is not read to its end: a fault, at the
 * first row beyond the limit, stands for the rest of its rows.
 */
export class AccountRows {
  readonly rows: PlacedRow[] = [];
  readonly #limit: RowLimit | undefined;
  #bytes = 0;
  #isFull = false;

  constructor(limit: RowLimit | undefined) {
    this.#limit = limit;
  }

  add(placed: PlacedRow): void {
    const limit = this.#limit;
    if (limit !== undefined) {
      const isKept = limit.isOwn(placed.file);
      this.#bytes += bytesOf(placed.row);
      if (this.#bytes > limit.mostBytes && !isKept) {
        if (!this.#isFull) this.rows.push({ ...placed, row: beyond(placed, limit.mostBytes) });
        this.#isFull = true;
        return;
      }
    }
    this.rows.push(placed);
  }
}

/** About how much memory a row takes. */
export function bytesOf(row: Row): number {
  if (!('body' in row)) return row.text?.length ?? 0;
  return typeof row.body === 'string' ? row.body.length : row.body.length * bytesPerCell;
}

function beyond({ account, row: { line } }: PlacedRow, most: number): Row {
  return { line, column: '', code: accountTooLarge, detail: tooLargeDetail('rows', most), account };
}

/** The limit of the rows of these files; undefined: an account may be of any size. */
export function limitOf(files: readonly OpenedFile[], mostBytes: number | undefined): RowLimit | undefined {
  if (mostBytes === undefined) return undefined;
  const isOwn = files.map(({ table }) => table.role === 'accounts');
  return { mostBytes, isOwn: (file) => isOwn[file] === true };
}
