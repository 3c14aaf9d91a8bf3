import { isUtf8 } from 'node:buffer';
import { FileUnreadable } from '../../file-bytes.ts';
import { UnnamedFile } from '../../places/unnamed-file.ts';
import type { ParquetColumn, StoredValue } from './columns.ts';

/** Rows that are given at once; a column's values are written and read in blocks of so many. */
const batchRows = 1000;

/** The most bytes of the values in a block: with more, its JSON might be longer than a text can be. */
const mostOfBlock = 64 * 1024 * 1024;

/** A text that is not valid UTF-8, with what is readable of it. */
export type InvalidText = readonly [string];

/** The values of a row, in the order of the columns; '' where there is none. */
export type RowValues = readonly (string | InvalidText)[];

/** Where a block is in the file. */
interface Block {
  readonly at: number;
  readonly length: number;
  /** Its texts are not separated, but written as JSON. */
  readonly isJson?: true;
}

/** Rows of a file that are stored together. */
interface Group {
  /** The number of the first one, from 1. */
  readonly first: number;
  /** How many. */
  readonly rows: number;
}

export interface SpooledGroup extends Group {
  /** Where it says which blocks each column has. */
  readonly index: Block;
}

/**
 * The columns of groups of rows, as texts in a temporary file without a name: written one after another, and read row by row, so
 * that memory does not grow with the rows of a group. Throws FileUnreadable if it cannot be written.
 */
export class ColumnSpool {
  private readonly file = UnnamedFile.empty();

  /** Writes a group of rows; `valuesOf` gives all values of a column. */
  async add(
    group: Group,
    columns: readonly ParquetColumn[],
    valuesOf: (column: ParquetColumn) => Promise<readonly StoredValue[]>,
  ): Promise<SpooledGroup> {
    const blocks: (readonly Block[])[] = [];
    for (const column of columns) blocks.push(this.write(column, await valuesOf(column)));
    return { ...group, index: this.append(Buffer.from(JSON.stringify(blocks))) };
  }

  /** The rows of a group, batch by batch. */
  *rows({ rows, index }: SpooledGroup): Generator<readonly RowValues[], void, undefined> {
    const columns = JSON.parse(this.text(index)) as readonly (readonly Block[])[];
    for (let batch = 0; batch * batchRows < rows; batch += 1) {
      const texts = columns.map((blocks) => this.texts(blocks[batch]));
      const length = Math.min(batchRows, rows - batch * batchRows);
      yield Array.from({ length }, (_, row) => texts.map((ofColumn) => ofColumn[row] ?? ''));
    }
  }

  /** Frees the disk for other groups. */
  clear(): void {
    this.file.clear();
  }

  close(): void {
    this.file.close();
  }

  private write(column: ParquetColumn, values: readonly StoredValue[]): readonly Block[] {
    const blocks: Block[] = [];
    for (let first = 0; first < values.length; first += batchRows) {
      const some = values.slice(first, first + batchRows);
      const bytes = separated(column, some);
      if (bytes.length > mostOfBlock)
        throw new FileUnreadable(
          'row_group_too_large',
          `has more than 64 MiB of the column ${column.name} in ${some.length} rows. Shorten its values, or leave the column out.`,
        );
      const isPlain = isUtf8(bytes) && separators(bytes) === some.length - 1;
      blocks.push(
        isPlain
          ? this.append(bytes)
          : {
              ...this.append(Buffer.from(JSON.stringify(some.map((value) => textOf(column, value))))),
              isJson: true,
            },
      );
    }
    return blocks;
  }

  private append(bytes: Buffer): Block {
    return { at: this.file.append(bytes), length: bytes.length };
  }

  private texts(block: Block | undefined): RowValues {
    if (block === undefined) return [];
    const text = this.text(block);
    return block.isJson === true ? (JSON.parse(text) as RowValues) : text.split(separator);
  }

  private text({ at, length }: Block): string {
    const bytes = Buffer.allocUnsafe(length);
    this.file.readAt(bytes, 0, at);
    return bytes.toString();
  }
}

/** Stands between the texts of a block. */
const separator = '\0';

/** The texts as bytes, as they are: whether they can be told apart is found out of the whole, which takes much less time. */
function separated(column: ParquetColumn, values: readonly StoredValue[]): Buffer {
  if (column.kind !== 'text')
    return Buffer.from(values.map((value) => textOf(column, value)).join(separator));
  const texts = values as readonly (Uint8Array | null | undefined)[];
  const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), Math.max(0, texts.length - 1));
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const text of texts) {
    if (text != null) bytes.set(text, at);
    at += (text?.length ?? 0) + 1;
  }
  return bytes;
}

function separators(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.length; at > 0; at -= 1) if (bytes[at - 1] === 0) count += 1;
  return count;
}

/** What the decoder puts in the place of bytes that are no text; the text may have had it before. */
const replaced = '\uFFFD';

function textOf(column: ParquetColumn, value: StoredValue): string | InvalidText {
  if (value === null || value === undefined) return '';
  const found = column.text(value);
  if (typeof found === 'string') return found;
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const text = bytes.toString();
  return text.includes(replaced) && !isUtf8(bytes) ? [text] : text;
}
