/** The types of the compact protocol of Thrift that a Parquet file may have. */
export const types = {
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
export class CompactReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  integersOfStruct(): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (const { id, type } of this.fields())
      if (type >= types.i16 && type <= types.i64) found.set(id, this.#integer());
      else this.skip(type);
    return found;
  }

  /** The fields of a structure; each must be read, or skipped, before the next one is asked for. */
  *fields(): Generator<{ readonly id: number; readonly type: number }, void, undefined> {
    let id = 0;
    for (;;) {
      const start = this.#byte();
      const type = start & 15;
      if (type === types.stop) return;
      id = start >> 4 === 0 ? this.#integer() : id + (start >> 4);
      yield { id, type };
    }
  }

  /** The beginning of a list: the type of its elements, and how many there are. */
  list(): { readonly element: number; readonly count: number } {
    const start = this.#byte();
    return { element: start & 15, count: start >> 4 === 15 ? this.#unsigned() : start >> 4 };
  }

  skip(type: number): void {
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
        this.#unsigned();
        return;
      case types.double:
        this.at += 8;
        return;
      case types.binary: {
        const length = this.#unsigned();
        this.at += length;
        return;
      }
      case types.list: {
        const { element, count } = this.list();
        for (let each = 0; each < count; each += 1)
          if (element === types.true || element === types.false) this.#byte();
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

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new RangeError('the bytes end');
    this.at += 1;
    return byte;
  }

  #unsigned(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
      if (factor > Number.MAX_SAFE_INTEGER) throw new RangeError('a number is too long');
    }
  }

  #integer(): number {
    const value = this.#unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
