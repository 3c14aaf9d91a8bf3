import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { FileUnreadable } from '../../file-bytes.ts';
import type { ReadOptions } from '../../places/place.ts';
import { ColumnSpool, type RowBatch, type SpooledGroup } from './column-spool.ts';
import type { ParquetColumn, ParquetColumns, StoredValue } from './columns.ts';
import { damagedParquet, libraries, libraryFailure } from './library.ts';
import { damagedPage } from './pages.ts';
import type { RandomFile } from './random-file.ts';

type RowGroup = FileMetaData['row_groups'][number];

/** The values of one column of a group are in memory together. */
const mostOfColumn = 1024 * 1024 * 1024;

/** Reads the rows of a file by way of a temporary one, since each group of rows is stored column by column. */
export class RowGroups {
  readonly #spool = new ColumnSpool();
  readonly #groups: SpooledGroup[] = [];

  /**
   * Reads the rows; if they are not kept, the disk is freed after each group. Values that are not asked for by then are not read.
   * Throws FileUnreadable, and the signal's reason.
   */
  async *read(
    file: RandomFile,
    { metadata, columns }: ParquetColumns,
    { onBytes, signal, isKept }: ReadOptions & { readonly isKept: boolean },
  ): AsyncGenerator<RowBatch, void, undefined> {
    let first = 1;
    for (const group of metadata.row_groups) {
      const rows = Number(group.num_rows);
      if (rows === 0) continue;
      const spooled = await this.#spool.add({ first, rows }, columns, (column) => {
        signal?.throwIfAborted();
        return valuesOf(file, metadata, group, column);
      });
      first += rows;
      onBytes?.(Number(group.total_compressed_size ?? group.total_byte_size));
      yield* this.#batches(spooled, signal);
      if (isKept) this.#groups.push(spooled);
      else this.#spool.clear();
    }
  }

  /** The same rows with all their values, after they were read to their end and kept. Throws the signal's reason. */
  *again({ signal }: ReadOptions): Generator<RowBatch, void, undefined> {
    for (const group of this.#groups)
      for (const batch of this.#batches(group, signal)) {
        // They may be used when this is closed.
        for (const column of batch.columns) column.load();
        yield batch;
      }
  }

  close(): void {
    this.#spool.close();
  }

  *#batches(group: SpooledGroup, signal: AbortSignal | undefined): Generator<RowBatch, void, undefined> {
    for (const batch of this.#spool.batches(group)) {
      signal?.throwIfAborted();
      yield batch;
    }
  }
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
  const values = await guarded(metadata.created_by, async () => {
    const whole = withDictionaryHeaders(group, metadata.created_by, file.byteLength);
    const scan = await parquet.parquetScan({
      file: checked(file, whole, name),
      metadata: { ...metadata, row_groups: [whole], num_rows: group.num_rows },
      ...{ columns: [name], compressors, utf8: false, geoparquet: false, useOffsetIndex: false },
    });
    return (await scan.readColumn({ column: name, rowStart: 0, rowEnd: Number(group.num_rows) })) as ArrayLike<StoredValue>; // prettier-ignore
  });
  if (values.length !== Number(group.num_rows))
    throw damagedParquet(`the column ${name} does not have as many values as the others`);
  // An empty value is null.
  if (Array.isArray(values) && values.includes(undefined))
    throw damagedParquet(`the column ${name} refers to values that its dictionary does not have`);
  return values;
}

/** No header of a dictionary was longer in the files of these writers. */
const longestDictionaryHeader = 100;

/** The first versions of parquet-mr count the header of a dictionary not to the size of its column: some more bytes are read there. */
function withDictionaryHeaders(group: RowGroup, writer: string | undefined, size: number): RowGroup {
  if (!/^parquet-mr(?: version (?:1\.[01]\.|1\.2\.[0-8](?!\d))|$)/.test(writer ?? '')) return group;
  const columns = group.columns.map((column) => {
    const { meta_data: about } = column;
    if (about === undefined) return column;
    const left =
      size -
      Number(about.dictionary_page_offset ?? about.data_page_offset) -
      Number(about.total_compressed_size);
    const more = BigInt(Math.max(0, Math.min(longestDictionaryHeader, left)));
    return { ...column, meta_data: { ...about, total_compressed_size: about.total_compressed_size + more } };
  });
  return { ...group, columns };
}

/** The file, with the pages of a column checked against their checksums, which the library reads past. Throws FileUnreadable. */
function checked(file: RandomFile, group: RowGroup, name: string): AsyncBuffer {
  const about = group.columns.find(({ meta_data: one }) => one?.path_in_schema[0] === name)?.meta_data;
  const starts = [about?.dictionary_page_offset, about?.data_page_offset].map(Number);
  return {
    byteLength: file.byteLength,
    async slice(start, end) {
      const bytes = await file.slice(start, end);
      const page = starts.includes(start) ? damagedPage(new Uint8Array(bytes)) : undefined;
      if (page !== undefined)
        throw damagedParquet(`page ${page} of the column ${name} does not match its checksum`);
      return bytes;
    },
  };
}

/** The library throws errors of any kind where a file is not as it should be. */
export async function guarded<Result>(
  writer: string | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FileUnreadable || !(error instanceof Error)) throw error;
    throw libraryFailure(error, writer);
  }
}
