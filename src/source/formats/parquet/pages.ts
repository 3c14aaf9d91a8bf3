import { crc32 } from 'node:zlib';
import { CompactReader } from './compact-protocol.ts';

/** What a page says of itself before its bytes. */
export interface PageHeader {
  /** Where its bytes begin, and how many they are. */
  readonly start: number;
  readonly length: number;
  /** The checksum of its bytes; undefined if the file has none. */
  readonly checksum: number | undefined;
}

/** The headers of the pages of a column, one after another; ends where something else follows. */
export function* pagesIn(bytes: Uint8Array): Generator<PageHeader, void, undefined> {
  const reader = new CompactReader(bytes);
  while (reader.at < bytes.length - 1) {
    const fields = reader.integersOfStruct();
    const length = fields.get(compressedSize);
    if (length === undefined || length < 0 || reader.at + length > bytes.length) return;
    yield { start: reader.at, length, checksum: fields.get(checksumField) };
    reader.at += length;
  }
}

/** The number of the first page, from 1, whose bytes do not match the checksum that was written with them. */
export function damagedPage(bytes: Uint8Array): number | undefined {
  let page = 0;
  try {
    for (const { start, length, checksum } of pagesIn(bytes)) {
      page += 1;
      if (checksum !== undefined && crc32(bytes.subarray(start, start + length)) !== checksum >>> 0)
        return page;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // What cannot be parsed is reported by whoever reads the values.
  }
  return undefined;
}

const compressedSize = 3;
const checksumField = 4;
