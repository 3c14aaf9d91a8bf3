const codes = {
  quote: 0x22,
  comma: 0x2c,
  arrayStart: 0x5b,
  escape: 0x5c,
  arrayEnd: 0x5d,
  objectStart: 0x7b,
  objectEnd: 0x7d,
};
const whitespace = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** In bytes. */
const longestObject = 1024 * 1024;

/** What the scanner expects between objects. */
type Expected = 'array' | 'first' | 'object' | 'separator' | 'nothing';

/**
 * Splits a JSON array of objects into the objects' bytes while it arrives, so that an array of any length takes the
 * memory of one object. It only finds where objects begin and end; a JSON parser reads them.
 */
export class JsonArrayScanner {
  readonly #each: (object: Buffer) => boolean;
  #expected: Expected = 'array';
  /** The number of open braces; 0 is between objects. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The beginning of the current object, from earlier chunks. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  /** `each` receives the bytes of one object and returns whether it is as expected. */
  constructor(each: (object: Buffer) => boolean) {
    this.#each = each;
  }

  /** Whether the array has ended, and only white space followed. */
  get complete(): boolean {
    return this.#expected === 'nothing';
  }

  /** Takes the next bytes; false if this is not an array of objects. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk[at] ?? 0;
      if (this.#depth > 0) {
        if (!this.#inside(code)) continue;
        if (!this.#end(chunk.subarray(start, at + 1))) return false;
      } else if (code === codes.objectStart && (this.#expected === 'first' || this.#expected === 'object')) {
        this.#depth = 1;
        start = at;
      } else if (!whitespace.has(code) && !this.#between(code)) return false;
    }
    return this.#depth === 0 || this.#keep(chunk.subarray(start));
  }

  /** One byte of an object; true if it is the last one. */
  #inside(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === codes.escape) this.#escaped = true;
      else if (code === codes.quote) this.#inString = false;
    } else if (code === codes.quote) this.#inString = true;
    else if (code === codes.objectStart) this.#depth++;
    else if (code === codes.objectEnd) return --this.#depth === 0;
    return false;
  }

  /** One byte between objects; false if it is not allowed there. */
  #between(code: number): boolean {
    if (code === codes.arrayStart && this.#expected === 'array') this.#expected = 'first';
    else if (code === codes.comma && this.#expected === 'separator') this.#expected = 'object';
    else if (code === codes.arrayEnd && (this.#expected === 'first' || this.#expected === 'separator'))
      this.#expected = 'nothing';
    else return false;
    return true;
  }

  #keep(bytes: Buffer): boolean {
    this.#begun.push(bytes);
    this.#begunBytes += bytes.length;
    return this.#begunBytes <= longestObject;
  }

  #end(bytes: Buffer): boolean {
    this.#expected = 'separator';
    if (this.#begun.length === 0) return this.#each(bytes);
    const object = Buffer.concat([...this.#begun, bytes]);
    this.#begun = [];
    this.#begunBytes = 0;
    return this.#each(object);
  }
}
