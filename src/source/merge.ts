import type { RowOptions } from './formats/format.ts';
import type { OpenedFile } from './table.ts';
import { readRows } from './read-rows.ts';
import { AccountRows, type RowLimit } from './account-rows.ts';
import { noAccount } from './ignored-rows.ts';
import { isLeftOut, rowsOfAccounts, type AccountRow, type PlacedRow, type Row } from './row.ts';

/** Whether one account number comes before another. */
export type Order = (one: string, other: string) => boolean;

/** The possible orders of files: by code point, as the external sort uses; and shorter numbers first. */
export const orders: readonly Order[] = [
  precedes,
  (one, other) => (one.length === other.length ? one < other : one.length < other.length),
];

/** By code point. A comparison of strings goes by units, of which those of a surrogate pair precede some others. */
function precedes(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [unit, its] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (unit !== its) return placeOf(unit) < placeOf(its);
  }
  return one.length < other.length;
}

function placeOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}

/** The most files that are merged: a block of each is in memory. */
export const mostMerged = 32;

/** A row came after one that it should precede. */
export class Disorder extends Error {
  override readonly name = 'Disorder';
}

export interface MergeOptions extends RowOptions {
  /** Called with each batch of a file's rows as it is read. */
  readonly onBatch?: (rows: readonly Row[], file: number) => void;
  /** Reads the rows of a file; readRows if absent. */
  readonly read?: typeof readRows;
  /** Called before each account with the next row of each file: whether merging ends here. */
  readonly endsBefore?: (
    account: string,
    files: readonly { readonly row: AccountRow | undefined }[],
  ) => boolean;
  /** Absent: an account may be of any size. */
  readonly limit?: RowLimit | undefined;
}

/**
 * Merges files that are sorted by account number: all rows of one account at a time, by file and then by position.
 * Throws Disorder at the first row that is out of order, what readRows throws, and the signal's reason.
 */
export async function* mergeByAccount(
  files: readonly OpenedFile[],
  order: Order,
  options: MergeOptions,
): AsyncGenerator<readonly PlacedRow[], void, undefined> {
  const cursors = files.map((file, position) => new Cursor(accountRows(file, position, options), order));
  try {
    for (const cursor of cursors) await cursor.fill();
    for (let least = first(cursors, order); least !== undefined; least = first(cursors, order)) {
      if (options.endsBefore?.(least, cursors) === true) return;
      const found = new AccountRows(options.limit);
      for (const [file, cursor] of cursors.entries())
        for (let row = cursor.row; row?.account === least; row = cursor.row) {
          found.add({ account: least, file, row });
          if (!cursor.next()) await cursor.fill();
        }
      yield found.rows;
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

function first(cursors: readonly Cursor[], order: Order): string | undefined {
  let least: string | undefined;
  for (const { row } of cursors)
    if (row !== undefined && row.account !== least && (least === undefined || order(row.account, least)))
      least = row.account;
  return least;
}

async function* accountRows(
  file: OpenedFile,
  position: number,
  options: MergeOptions,
): AsyncGenerator<readonly AccountRow[], void, undefined> {
  const { read = readRows } = options;
  for await (const batch of read(file, options)) {
    options.onBatch?.(batch, position);
    yield rowsOfAccounts(batch.filter((row) => !isLeftOut(row) || row.account !== noAccount));
  }
}

/** Reads a file's rows, and checks their order. */
class Cursor {
  /** The current row; undefined at the end. */
  row: AccountRow | undefined;
  readonly #batches: AsyncGenerator<readonly AccountRow[], void, undefined>;
  readonly #order: Order;
  #batch: readonly AccountRow[] = [];
  #at = 0;

  constructor(batches: AsyncGenerator<readonly AccountRow[], void, undefined>, order: Order) {
    this.#batches = batches;
    this.#order = order;
  }

  /** Moves to the next row; false if that is in the next batch. */
  next(): boolean {
    this.#at += 1;
    return this.#take();
  }

  /** Moves to the first row of the next batch that has one. */
  async fill(): Promise<void> {
    do {
      const read = await this.#batches.next();
      if (read.done === true) {
        this.row = undefined;
        return;
      }
      this.#batch = read.value;
      this.#at = 0;
    } while (!this.#take());
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }

  #take(): boolean {
    const row = this.#batch[this.#at];
    if (row === undefined) return false;
    if (
      this.row !== undefined &&
      row.account !== this.row.account &&
      this.#order(row.account, this.row.account)
    )
      throw new Disorder();
    this.row = row;
    return true;
  }
}
