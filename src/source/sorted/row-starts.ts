import { parseFileName } from '../file-name.ts';
import { formatOf } from '../formats/formats.ts';
import type { StoredFile } from '../places/place.ts';
import { isLeftOut, type Row } from '../row.ts';
import type { OpenedFile } from '../table.ts';
import { isCutAtBytes } from '../text-blocks.ts';

/** Where a row begins: the byte, the line and the account. From there on a file can be read. */
export type RowStart = readonly [byte: number, line: number, account: string];

/** At least so many bytes between them, and at most so many of them in a file. */
const apart = { least: 16 * 1024, most: 8 * 1024 };

/** The bytes between the starts in a file of this size; `least`: at least so many. */
export function farApart(size: number, least = apart.least): number {
  return Math.max(least, Math.ceil(size / apart.most));
}

const lineFeed = 10;
const carriageReturn = 13;

/** Finds where rows begin while a file is read to its end: every 16 KiB, or 8,192 in all. */
export class RowStarts {
  #found: RowStart[] = [];
  /** Beginnings of lines, each perhaps within a cell, until their rows are known. */
  #lines: { readonly byte: number; readonly line: number }[] = [];
  readonly #apart: number;
  #byte = 0;
  #line = 1;
  #last = 0;
  #endsInReturn = false;
  /** Lines end with CR alone: the lines of rows are not those that are counted here. */
  #isGivenUp = false;

  private constructor(size: number, least: number | undefined) {
    this.#apart = farApart(size, least);
  }

  /** undefined where rows of the file cannot be read from another one on. `least`: see farApart. */
  static of({ table, stored }: OpenedFile, least?: number): RowStarts | undefined {
    const isPlain = parseFileName(stored.path).compression === undefined && isCutAtBytes(table.encoding);
    return isPlain && formatOf(table).readsFromRows === true
      ? new RowStarts(stored.state.size, least)
      : undefined;
  }

  get found(): readonly RowStart[] {
    return this.#isGivenUp ? [] : this.#found;
  }

  /** The file, of which every byte that is read is seen. */
  watched(file: OpenedFile): OpenedFile {
    const { stored } = file;
    const see = this.#see.bind(this);
    const read: StoredFile['read'] = async function* (...asked) {
      for await (const block of stored.read(...asked)) {
        see(block);
        yield block;
      }
    };
    const { path, state } = stored;
    const random = () => stored.random();
    return { ...file, stored: { path, state, read, random, verify: () => stored.verify() } };
  }

  /** The next rows of the file. */
  take(rows: readonly Row[]): void {
    const [next] = this.#lines;
    // Stryker disable next-line ConditionalExpression: saves time alone
    if (next === undefined || (rows.at(-1)?.line ?? 0) < next.line) return;
    for (const row of rows)
      for (let [at] = this.#lines; at !== undefined && at.line <= row.line; [at] = this.#lines) {
        this.#lines.shift();
        if (at.line === row.line && 'body' in row && !isLeftOut(row))
          this.#found.push([at.byte, at.line, row.account]);
        // Any next line is far enough from the last row that was found.
        else this.#last = 0;
      }
  }

  #see(block: Buffer): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = this.#hasLoneReturn(block);
    for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) {
      this.#line += 1;
      const byte = this.#byte + at + 1;
      if (byte - this.#last < this.#apart) continue;
      this.#lines.push({ byte, line: this.#line });
      this.#last = byte;
    }
    this.#byte += block.length;
  }

  #hasLoneReturn(block: Buffer): boolean {
    if (this.#endsInReturn && block[0] !== lineFeed) return true;
    this.#endsInReturn = block.at(-1) === carriageReturn;
    for (let at = block.indexOf(carriageReturn); at >= 0; at = block.indexOf(carriageReturn, at + 1))
      if (at + 1 < block.length && block[at + 1] !== lineFeed) return true;
    return false;
  }
}
