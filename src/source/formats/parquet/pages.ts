import { crc32 } from 'node:zlib';

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
/** The types of the compact protocol of Thrift that a header may have. */
const types = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
};

/** Reads structures in the compact protocol of Thrift, and of these the integers. Throws RangeError at the end of the bytes. */
class CompactReader {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  integersOfStruct(): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    let field = 0;
    for (;;) {
      const start = this.byte();
      const type = start & 15;
      if (type === types.stop) return found;
      field = start >> 4 === 0 ? this.integer() : field + (start >> 4);
      if (type >= types.i16 && type <= types.i64) found.set(field, this.integer());
      else this.skip(type);
    }
  }

  private skip(type: number): void {
    switch (type) {
      case types.true:
      case types.false:
        return;
      case types.byte:
        this.at += 1;
        return;
      case types.i16:
      case types.i32:
      case types.i64:
        this.unsigned();
        return;
      case types.double:
        this.at += 8;
        return;
      case types.binary:
        this.at += this.unsigned();
        return;
      case types.list: {
        const start = this.byte();
        const count = start >> 4 === 15 ? this.unsigned() : start >> 4;
        const element = start & 15;
        for (let each = 0; each < count; each += 1)
          if (element === types.true || element === types.false) this.byte();
          else this.skip(element);
        return;
      }
      case types.struct:
        this.integersOfStruct();
        return;
      default:
        throw new RangeError(`no type ${type}`);
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RangeError('the bytes end');
    this.at += 1;
    return byte;
  }

  private unsigned(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
      if (factor > Number.MAX_SAFE_INTEGER) throw new RangeError('a number is too long');
    }
  }

  private integer(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
