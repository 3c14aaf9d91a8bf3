import { longestElement, rowOf, tooLongElement, type JsonElement } from './elements.ts';
import type { BadRow, Row } from '../../row.ts';
import type { FileTable } from '../../table.ts';
import type { TextBlock } from '../../text-block.ts';
import { firstWithin } from '../../text-blocks.ts';

/**
 * Reads the elements of a JSON array. An invalid element does not affect the others. If the array itself is broken,
 * so that the end of an element is unknown, that is the last row returned.
 */
export async function* readJsonArray(
  blocks: AsyncIterable<TextBlock>,
  table: FileTable,
): AsyncGenerator<readonly Row[], void, undefined> {
  const splitter = new ArraySplitter();
  for await (const block of blocks) {
    const { elements, broken } = splitter.take(block);
    const rows = elements.map((element) => rowOf(element, table));
    yield broken === undefined ? rows : [...rows, broken];
    if (broken !== undefined) return;
  }
  const truncated = splitter.finish();
  if (truncated !== undefined) yield [truncated];
}

const byteOf = (character: string): number => character.charCodeAt(0);
const lineFeed = byteOf('\n');
const carriageReturn = byteOf('\r');
const space = byteOf(' ');
const tab = byteOf('\t');
const quote = byteOf('"');
const backslash = byteOf('\\');
const comma = byteOf(',');
const openArray = byteOf('[');
const closeArray = byteOf(']');
const openObject = byteOf('{');
const closeObject = byteOf('}');

const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isSpace = (byte: number): boolean => byte === space || byte === tab || isLineEnd(byte);

type Expected = 'array' | 'first element' | 'element' | 'comma' | 'nothing';

/** What must follow a byte between elements. */
const onward: Readonly<Record<Expected, ReadonlyMap<number, Expected>>> = {
  array: new Map([[openArray, 'first element']]),
  'first element': new Map([[closeArray, 'nothing']]),
  element: new Map(),
  comma: new Map([
    [comma, 'element'],
    [closeArray, 'nothing'],
  ]),
  nothing: new Map(),
};

const missing: Readonly<Record<Expected, string>> = {
  array: '[',
  'first element': 'a record',
  element: 'a record',
  comma: 'a comma or ]',
  nothing: 'the end of the file',
};

/** Finds the boundaries of the elements of an array without parsing them. */
class ArraySplitter {
  #expected: Expected | 'rest of element' = 'array';
  #line = 1;
  #bytes: Buffer = Buffer.alloc(0);
  #invalid: readonly number[] = [];
  #elements: JsonElement[] = [];

  /** The current element: its start in the block, its bytes in earlier blocks, and its open brackets. */
  #start = 0;
  #elementLine = 1;
  #earlier: Buffer[] = [];
  #earlierLength = 0;
  #damaged = false;
  readonly #closers: number[] = [];
  #inString = false;
  #escaped = false;

  take({ bytes, invalid }: TextBlock): { elements: readonly JsonElement[]; broken?: BadRow | undefined } {
    this.#bytes = bytes;
    this.#invalid = invalid;
    this.#start = 0;
    this.#elements = [];
    let broken: BadRow | undefined;
    for (let at = 0; at < bytes.length && broken === undefined; at += 1) {
      const byte = bytes[at] ?? 0;
      broken = this.#inString ? this.#withinString(byte, at) : this.#outsideStrings(byte, at);
      if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) this.#line += 1;
    }
    if (this.#expected === 'rest of element') this.#keep(bytes.length);
    if (this.#earlierLength > longestElement)
      broken ??= { line: this.#elementLine, column: '', ...tooLongElement, isCutOff: true };
    return { elements: this.#elements, broken };
  }

  finish(): BadRow | undefined {
    if (this.#expected === 'nothing') return undefined;
    return {
      line: this.#line,
      column: '',
      code: 'truncated_file',
      detail: 'The file ends before its array does, so records may be missing. Export it again.',
      isCutOff: true,
    };
  }

  #outsideStrings(byte: number, at: number): BadRow | undefined {
    if (this.#expected === 'rest of element') return this.#withinElement(byte, at);
    if (isSpace(byte)) return undefined;
    const next = onward[this.#expected].get(byte);
    if (next !== undefined) {
      this.#expected = next;
      return undefined;
    }
    if (!this.#expected.endsWith('element') || byte === comma || byte === closeArray || byte === closeObject)
      return this.#broken(missing[this.#expected]);
    this.#start = at;
    this.#elementLine = this.#line;
    this.#expected = 'rest of element';
    return this.#withinElement(byte, at);
  }

  #withinElement(byte: number, at: number): BadRow | undefined {
    const isOutermost = this.#closers.length === 0;
    if (byte === quote) this.#inString = true;
    else if (byte === openObject) this.#closers.push(closeObject);
    else if (byte === openArray) this.#closers.push(closeArray);
    else if (isOutermost && (byte === comma || byte === closeArray || isSpace(byte))) {
      this.#end(at);
      return this.#outsideStrings(byte, at);
    } else if (byte === closeObject || byte === closeArray) {
      if (this.#closers.pop() !== byte) return this.#broken('the bracket that closes the last one opened');
      if (this.#closers.length === 0) this.#end(at + 1);
    }
    return undefined;
  }

  #withinString(byte: number, at: number): BadRow | undefined {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      if (this.#closers.length === 0) this.#end(at + 1);
    } else if (isLineEnd(byte)) return this.#broken('the quote that closes the string');
    return undefined;
  }

  #end(to: number): void {
    this.#keep(to);
    const [only, ...more] = this.#earlier;
    const text = (more.length === 0 && only !== undefined ? only : Buffer.concat(this.#earlier)).toString();
    this.#elements.push({ line: this.#elementLine, text, damaged: this.#damaged });
    this.#earlier = [];
    this.#earlierLength = 0;
    this.#damaged = false;
    this.#expected = 'comma';
  }

  /** Keeps the block's bytes of the current element, up to `to`. */
  #keep(to: number): void {
    this.#earlier.push(this.#bytes.subarray(this.#start, to));
    this.#earlierLength += to - this.#start;
    this.#damaged ||= firstWithin(this.#invalid, this.#start, to) !== undefined;
  }

  #broken(wanted: string): BadRow {
    return {
      line: this.#line,
      column: '',
      code: 'malformed_json',
      detail: `The array is broken: ${wanted} is missing here, so the rest of the file was not read. Correct it, or export it again.`,
      isCutOff: true,
    };
  }
}
