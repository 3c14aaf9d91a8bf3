import { isUtf8 } from 'node:buffer';
import { FileUnreadable } from '../../file-bytes.ts';
import { UnnamedFile } from '../../places/unnamed-file.ts';
import type { Cells } from '../../row.ts';
import type { ParquetColumn, StoredValue } from './columns.ts';
import type { UnreadableText } from './unreadable.ts';

/** Rows that are given at once; a column's values are written and read in blocks of so many. */
const batchRows = 1000;

/** The most bytes of the values in a block: with more, its JSON might be longer than a text can be. */
const mostOfBlock = 64 * 1024 * 1024;

/** Values of a column; '' where there is none. */
type ColumnValues = readonly (string | UnreadableText)[];

/** Where a block is in the file. */
interface Block {
  readonly at: number;
  readonly length: number;
  /** Its texts are not separated, but written as JSON. */
  readonly isJson?: true;
}

/** Rows that follow one another, column by column. */
export interface RowBatch {
  /** The number of the first one, from 1. */
  readonly first: number;
  /** How many. */
  readonly rows: number;
  readonly columns: readonly ColumnBlock[];
}

/** Values of one column. */
export class ColumnBlock {
  /** Whether a value may be unreadable. */
  readonly isDoubtful: boolean;
  readonly #read: () => string;
  #written: string | undefined;
  #known: ColumnValues | undefined;

  constructor(read: () => string, isDoubtful: boolean) {
    this.#read = read;
    this.isDoubtful = isDoubtful;
  }

  /** Makes the values independent of the spool, which may be cleared or closed after that. */
  load(): void {
    if (this.#known === undefined) this.#written ??= this.#read();
  }

  get values(): ColumnValues {
    return (this.#known ??= this.#parsed(this.#written ?? this.#read()));
  }

  text(row: number): string {
    const value = this.values[row] ?? '';
    return typeof value === 'string' ? value : value[0];
  }

  #parsed(text: string): ColumnValues {
    this.#written = undefined;
    return this.isDoubtful ? (JSON.parse(text) as ColumnValues) : text.split(separator);
  }
}

/** The texts of a row. */
export class RowTexts implements Cells {
  readonly length: number;
  readonly #columns: readonly ColumnBlock[];
  readonly #place: number;

  constructor(columns: readonly ColumnBlock[], place: number) {
    this.#columns = columns;
    this.#place = place;
    this.length = columns.length;
  }

  at(index: number): string | undefined {
    return index < 0 ? undefined : this.#columns[index]?.text(this.#place);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (const column of this.#columns) yield column.text(this.#place);
  }

  toJSON(): readonly string[] {
    return [...this];
  }
}

/** Rows of a file that are stored together. */
interface Group {
  /** The number of the first one, from 1. */
  readonly first: number;
  /** How many. */
  readonly rows: number;
}

export interface SpooledGroup extends Group {
  /** The block that lists the blocks of each column. */
  readonly index: Block;
}

/**
 * The columns of groups of rows, as texts in a temporary file without a name: written one after another, and read row by row, so
 * that memory does not grow with the rows of a group. Throws FileUnreadable if it cannot be written.
 */
export class ColumnSpool {
  readonly #file = UnnamedFile.empty();

  /** Writes a group of rows; `valuesOf` gives all values of a column. */
  async add(
    group: Group,
    columns: readonly ParquetColumn[],
    valuesOf: (column: ParquetColumn) => Promise<ArrayLike<StoredValue>>,
  ): Promise<SpooledGroup> {
    const blocks: (readonly Block[])[] = [];
    for (const column of columns) blocks.push(this.#write(column, await valuesOf(column)));
    return { ...group, index: this.#append(Buffer.from(JSON.stringify(blocks))) };
  }

  /** The rows of a group. */
  *batches({ first, rows, index }: SpooledGroup): Generator<RowBatch, void, undefined> {
    const columns = JSON.parse(this.#text(index)) as readonly (readonly Block[])[];
    for (let batch = 0; batch * batchRows < rows; batch += 1)
      yield {
        first: first + batch * batchRows,
        rows: Math.min(batchRows, rows - batch * batchRows),
        columns: columns.flatMap((blocks) => blocks[batch] ?? []).map((block) => this.#block(block)),
      };
  }

  /** Frees the disk for other groups. */
  clear(): void {
    this.#file.clear();
  }

  close(): void {
    this.#file.close();
  }

  #write(column: ParquetColumn, values: ArrayLike<StoredValue>): readonly Block[] {
    const blocks: Block[] = [];
    for (let first = 0; first < values.length; first += batchRows) {
      const length = Math.min(batchRows, values.length - first);
      // A column without empty values may be an array of numbers, which can hold no texts.
      const some = Array.from({ length }, (_, at) => values[first + at]);
      const bytes = separated(column, some);
      const isPlain = bytes !== undefined && isUtf8(bytes) && separators(bytes) === length - 1;
      blocks.push(isPlain ? this.#append(bytes) : { ...this.#append(inJson(column, some)), isJson: true });
    }
    return blocks;
  }

  #append(bytes: Buffer): Block {
    return { at: this.#file.append(bytes), length: bytes.length };
  }

  #block(block: Block): ColumnBlock {
    return new ColumnBlock(() => this.#text(block), block.isJson === true);
  }

  #text({ at, length }: Block): string {
    const bytes = Buffer.allocUnsafe(length);
    this.#file.readAt(bytes, 0, at);
    return bytes.toString();
  }
}

/** Stands between the texts of a block. */
const separator = '\0';

/**
 * The bytes of the texts; undefined if a value is known to be unreadable. A text may contain a separator, or be no UTF-8: to look at
 * all of them at once takes less time.
 */
function separated(column: ParquetColumn, values: readonly StoredValue[]): Buffer | undefined {
  if (column.kind !== 'text') {
    const known = values.map((value) => textOf(column, value));
    return known.every((text) => typeof text === 'string') ? Buffer.from(known.join(separator)) : undefined;
  }
  const texts = values as readonly (Uint8Array | null | undefined)[];
  const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), texts.length - 1);
  // A long value that many rows share is stored once.
  if (length > mostOfBlock)
    throw new FileUnreadable(
      'row_group_too_large',
      `has more than 64 MiB of the column ${column.name} in ${texts.length} rows. Shorten its values, or leave the column out.`,
    );
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const text of texts) {
    if (text != null) bytes.set(text, at);
    at += (text?.length ?? 0) + 1;
  }
  return bytes;
}

function inJson(column: ParquetColumn, values: readonly StoredValue[]): Buffer {
  return Buffer.from(JSON.stringify(values.map((value) => textOf(column, value))));
}

function separators(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.length; at > 0; at -= 1) if (bytes[at - 1] === 0) count += 1;
  return count;
}

/** What the decoder puts in the place of bytes that are no text; the text may have had it before. */
const replaced = '\uFFFD';

function textOf(column: ParquetColumn, value: StoredValue): string | UnreadableText {
  if (value === null || value === undefined) return '';
  const found = column.text(value);
  if (!(found instanceof Uint8Array)) return found;
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const text = bytes.toString();
  return text.includes(replaced) && !isUtf8(bytes) ? [text, 'invalid_encoding'] : text;
}
