import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import type * as hyparquet from 'hyparquet';
import { CompactReader, types } from './compact-protocol.ts';

/** A Parquet file ends with its description, the length of that in four bytes, and the mark. */
const tail = 8;

/**
 * The description of a file. The library converts the statistics of columns, of which some writers write too few bytes; nothing here
 * uses them, so they are left out where they cannot be converted. Throws the library's errors.
 */
export async function footerOf(library: typeof hyparquet, file: AsyncBuffer): Promise<FileMetaData> {
  try {
    return await library.parquetMetadataAsync(file, { geoparquet: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const end = Buffer.from(await file.slice(file.byteLength - tail, file.byteLength));
    const start = file.byteLength - tail - end.readUInt32LE();
    if (start < 0) throw error;
    const footer = withoutStatistics(Buffer.from(await file.slice(start, file.byteLength - tail)));
    if (footer === undefined) throw error;
    end.writeUInt32LE(footer.length);
    return library.parquetMetadata(Uint8Array.from(Buffer.concat([footer, end])).buffer, {
      geoparquet: false,
    });
  }
}

/** Row groups, their columns, the description of each, and its statistics. */
const pathOfStatistics = [4, 1, 3, 12];

/** A description without the statistics of columns; undefined if it is damaged. */
export function withoutStatistics(footer: Uint8Array): Buffer | undefined {
  const reader = new CompactReader(footer);
  const parts: Uint8Array[] = [];
  try {
    copyStruct(reader, footer, pathOfStatistics, parts);
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Copies a structure, without the field at the end of the path. */
function copyStruct(
  reader: CompactReader,
  bytes: Uint8Array,
  [next, ...rest]: readonly number[],
  parts: Uint8Array[],
): void {
  let last = 0;
  for (const { id, type } of reader.fields()) {
    const start = reader.at;
    if (id === next && rest.length === 0) {
      reader.skip(type);
      continue;
    }
    parts.push(fieldHeader(id - last, id, type));
    last = id;
    if (id === next && type === types.struct) copyStruct(reader, bytes, rest, parts);
    else if (id === next && type === types.list) {
      const { count } = reader.list();
      parts.push(bytes.subarray(start, reader.at));
      for (let each = 0; each < count; each += 1) copyStruct(reader, bytes, rest, parts);
    } else {
      reader.skip(type);
      parts.push(bytes.subarray(start, reader.at));
    }
  }
  parts.push(Uint8Array.of(types.stop));
}

/** A field's number and type; numbers grow, and none of a Parquet file is above 63. */
function fieldHeader(step: number, id: number, type: number): Uint8Array {
  return step > 0 && step < 16 ? Uint8Array.of((step << 4) | type) : Uint8Array.of(type, id << 1);
}
