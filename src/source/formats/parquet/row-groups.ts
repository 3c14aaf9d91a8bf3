import { isUtf8 } from 'node:buffer';
import type { FileMetaData } from 'hyparquet';
import { FileUnreadable } from '../../file-bytes.ts';
import { UnnamedFile } from '../../places/unnamed-file.ts';
import type { ReadOptions } from '../../places/place.ts';
import type { ParquetColumn, ParquetColumns, StoredValue } from './columns.ts';
import { damagedParquet, libraries } from './library.ts';
import type { RandomFile } from './random-file.ts';

type RowGroup = FileMetaData['row_groups'][number];

/** Rows that are given at once; a column's values are written and read in blocks of so many. */
const batchRows = 1000;
/** The values of one column of a group are in memory together. */
const mostOfColumn = 1024 * 1024 * 1024;

/** The most characters of the values in a block: with more, its JSON might be longer than a text can be. */
const mostOfBlock = 64 * 1024 * 1024;

/** A text that is not valid UTF-8, with what is readable of it. */
export type InvalidText = readonly [string];

/** The values of a row, in the order of the columns; '' where there is none. */
export type RowValues = readonly (string | InvalidText)[];

/** Where a block is in the temporary file. */
interface Block {
  readonly at: number;
  readonly length: number;
}

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
    const spooled = UnnamedFile.empty();
    try {
      const columns: (readonly Block[])[] = [];
      for (const column of found.columns) {
        signal?.throwIfAborted();
        columns.push(spool(spooled, column, await valuesOf(file, found.metadata, group, column)));
      }
      onBytes?.(Number(group.total_compressed_size ?? group.total_byte_size));
      for (let batch = 0; batch * batchRows < count; batch += 1) {
        const texts = columns.map((blocks) => textsIn(spooled, blocks[batch]));
        const rows = Math.min(batchRows, count - batch * batchRows);
        yield Array.from({ length: rows }, (_, row) => texts.map((ofColumn) => ofColumn[row] ?? ''));
        signal?.throwIfAborted();
      }
    } finally {
      spooled.close();
    }
  }
}

/** Writes the values of a column as texts, in blocks of JSON. */
function spool(file: UnnamedFile, column: ParquetColumn, values: ArrayLike<StoredValue>): readonly Block[] {
  const blocks: Block[] = [];
  for (let first = 0; first < values.length; first += batchRows) {
    const texts = Array.from({ length: Math.min(batchRows, values.length - first) }, (_, at) =>
      textOf(column, values[first + at]),
    );
    const characters = texts.reduce(
      (sum, text) => sum + (typeof text === 'string' ? text : text[0]).length,
      0,
    );
    if (characters > mostOfBlock)
      throw new FileUnreadable(
        'row_group_too_large',
        `has more than 64 MiB of the column ${column.name} in ${texts.length} rows. Shorten its values, or leave the column out.`,
      );
    const bytes = Buffer.from(JSON.stringify(texts));
    blocks.push({ at: file.append(bytes), length: bytes.length });
  }
  return blocks;
}

function textsIn(file: UnnamedFile, block: Block | undefined): RowValues {
  if (block === undefined) return [];
  const bytes = Buffer.allocUnsafe(block.length);
  file.readAt(bytes, 0, block.at);
  return JSON.parse(bytes.toString()) as RowValues;
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

/** The values of one column of a group. */
async function valuesOf(
  file: RandomFile,
  metadata: FileMetaData,
  group: RowGroup,
  { name }: ParquetColumn,
): Promise<ArrayLike<StoredValue>> {
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
