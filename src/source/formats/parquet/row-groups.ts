import type { FileMetaData } from 'hyparquet';
import { FileUnreadable } from '../../file-bytes.ts';
import { UnnamedFile } from '../../places/unnamed-file.ts';
import type { ReadOptions } from '../../places/place.ts';
import type { ParquetColumn, ParquetColumns, StoredValue } from './columns.ts';
import { damagedParquet, libraries } from './library.ts';
import type { RandomFile } from './random-file.ts';

type RowGroup = FileMetaData['row_groups'][number];

/** The bytes of a column's values are written and read in blocks of this size. */
const blockSize = 64 * 1024;
/** Rows that are given at once. */
const batchRows = 1000;
/** The values of one column of a group are in memory together. */
const mostOfColumn = 1024 * 1024 * 1024;

/** The bytes of the values of a row, in the order of the columns. */
export type RowValues = readonly Buffer[];

/**
 * The rows of a file, batch by batch. A group of rows is stored column by column: it is written to a temporary file without a name,
 * from which its rows are read, so that memory does not grow with the rows of a group, but with the values of one column of it. Throws
 * FileUnreadable, and the signal's reason.
 */
export async function* rowsOf(
  file: RandomFile,
  found: ParquetColumns,
  { onBytes, signal }: ReadOptions,
): AsyncGenerator<readonly RowValues[], void, undefined> {
  for (const group of found.metadata.row_groups) {
    const count = Number(group.num_rows);
    if (count === 0) continue;
    const starts: number[] = [];
    const spooled = await UnnamedFile.of(
      blocksOf(file, found, group, (start) => {
        signal?.throwIfAborted();
        starts.push(start);
      }),
    );
    onBytes?.(Number(group.total_compressed_size ?? group.total_byte_size));
    try {
      const cursors = starts.map((start) => new Cursor(spooled, start));
      for (let first = 0; first < count; first += batchRows) {
        const rows = Math.min(batchRows, count - first);
        yield Array.from({ length: rows }, () => cursors.map((cursor) => cursor.next()));
        signal?.throwIfAborted();
      }
    } finally {
      spooled.close();
    }
  }
}

/** The values of a group, column after column, each after its length. */
async function* blocksOf(
  file: RandomFile,
  { columns, metadata }: ParquetColumns,
  group: RowGroup,
  onColumn: (start: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let written = 0;
  let block = Buffer.alloc(blockSize);
  let used = 0;
  for (const column of columns) {
    onColumn(written + used);
    for (const value of await valuesOf(file, metadata, group, column)) {
      const bytes = bytesOf(column, value);
      const size = 4 + bytes.length;
      if (used + size > block.length) {
        written += used;
        yield block.subarray(0, used);
        if (size > block.length) block = Buffer.alloc(size);
        used = 0;
      }
      block.writeUInt32LE(bytes.length, used);
      block.set(bytes, used + 4);
      used += size;
    }
  }
  yield block.subarray(0, used);
}

const nothing = new Uint8Array();

function bytesOf(column: ParquetColumn, value: StoredValue): Uint8Array {
  if (value === null || value === undefined) return nothing;
  const text = column.text(value);
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** The values of one column of a group. */
async function valuesOf(
  file: RandomFile,
  metadata: FileMetaData,
  group: RowGroup,
  { name }: ParquetColumn,
): Promise<ArrayLike<StoredValue> & Iterable<StoredValue>> {
  const size = group.columns.find(({ meta_data: about }) => about?.path_in_schema[0] === name)?.meta_data
    ?.total_uncompressed_size;
  if (size === undefined || size > mostOfColumn)
    throw size === undefined
      ? damagedParquet(`the column ${name} is missing in a row group`)
      : new FileUnreadable(
          'row_group_too_large',
          `has more than a GiB of the column ${name} in one row group. Write it with smaller row groups.`,
        );
  const { parquet, compressors } = await libraries();
  const values: readonly StoredValue[] = await guarded(async () => {
    const scan = await parquet.parquetScan({
      file,
      metadata: { ...metadata, row_groups: [group], num_rows: group.num_rows },
      ...{ columns: [name], compressors, utf8: false, geoparquet: false, useOffsetIndex: false },
      // Of the oldest kind of moments.
      parsers: { timestampFromNanoseconds: (nanoseconds: bigint) => nanoseconds },
    });
    return (await scan.readColumn({ column: name, rowStart: 0, rowEnd: Number(group.num_rows) })) as readonly StoredValue[]; // prettier-ignore
  });
  if (values.length !== Number(group.num_rows))
    throw damagedParquet(`the column ${name} does not have as many values as the others`);
  return values;
}

/** The library throws errors of any kind where a file is not as it should be. */
export async function guarded<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FileUnreadable || !(error instanceof Error)) throw error;
    throw damagedParquet(error.message.replace(/\.$/, ''), error);
  }
}

/** Reads the values of a column one after another. */
class Cursor {
  private readonly file: UnnamedFile;
  private at: number;
  private block: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(file: UnnamedFile, start: number) {
    this.file = file;
    this.at = start;
  }

  /** Valid as long as it is not changed: each block is a separate buffer. */
  next(): Buffer {
    this.hold(4);
    const length = this.block.readUInt32LE(this.used);
    this.hold(4 + length);
    const start = this.used + 4;
    this.used = start + length;
    return this.block.subarray(start, this.used);
  }

  private hold(length: number): void {
    const left = this.block.length - this.used;
    if (left >= length) return;
    const block = Buffer.allocUnsafe(Math.max(length, blockSize));
    this.block.copy(block, 0, this.used);
    const read = this.file.readAt(block, left, this.at);
    this.at += read;
    this.block = block.subarray(0, left + read);
    this.used = 0;
  }
}
