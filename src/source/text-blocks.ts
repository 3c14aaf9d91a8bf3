import type { TextBlock } from './text-block.ts';
import { withoutMarks } from './end-marks.ts';
import { encodingOf, type Encoding } from './encoding.ts';
import { readBytes } from './file-bytes.ts';
import type { ReadOptions, StoredFile } from './places/place.ts';

const replacement = Buffer.from('\ufffd');

/**
 * Reads a file block by block, in the encoding with this label, without its byte order marks and the end marks of DOS. `isWithin`: the
 * reading begins with a line within the file, where there are no marks. Throws what readBytes throws.
 */
export function readText(
  file: StoredFile,
  label: string,
  options: ReadOptions & { readonly isWithin?: boolean } = {},
): AsyncGenerator<TextBlock, void, undefined> {
  return withoutMarks(decodedBlocks(file, label, options), options.isWithin !== true);
}

async function* decodedBlocks(
  file: StoredFile,
  label: string,
  { isWithin = false, ...options }: ReadOptions & { readonly isWithin?: boolean },
): AsyncGenerator<TextBlock, void, undefined> {
  let encoding: Encoding | undefined;
  let rest: Buffer[] = [];
  for await (const chunk of readBytes(file, options)) {
    let bytes = chunk;
    if (encoding === undefined) {
      encoding = encodingOf(isWithin ? bytes.subarray(0, 0) : bytes, label);
      bytes = bytes.subarray(encoding.mark);
    }
    // The remainder is a few bytes, or has no place to cut: it is neither searched again nor copied for each block.
    const odd = encoding.unit === 2 ? lengthOf(rest) % 2 : 0;
    const held = lengthOf(rest) + bytes.length;
    const cut = safeCut(bytes, encoding, odd) || (held > mostHeld ? anyCut(bytes, encoding) : 0);
    if (cut > 0) {
      const whole = bytes.subarray(0, cut);
      yield decoded(rest.length === 0 ? whole : Buffer.concat([...rest, whole]), encoding);
      rest = [];
    }
    if (cut < bytes.length) rest.push(bytes.subarray(cut));
  }
  if (encoding !== undefined && rest.length > 0) yield decoded(Buffer.concat(rest), encoding);
}

/** A text without a place to cut is cut between any two characters if it is longer than this, in bytes. */
const mostHeld = 1024 * 1024;

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The first of ascending positions from `from` up to, but not including, `to`. */
export function firstWithin(positions: readonly number[], from: number, to: number): number | undefined {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found = positions[low];
  return found !== undefined && found < to ? found : undefined;
}

export function joined(first: Buffer, second: Buffer): Buffer {
  return first.length === 0 ? second : Buffer.concat([first, second]);
}

/**
 * The position after the last character below `0`, except CR: in every encoding known here such a byte is always a
 * whole character, and each line end, quote, comma and space is such a byte.
 */
function safeCut(bytes: Buffer, { name, unit }: Encoding, odd: number): number {
  if (unit === 1) return lastBreak(bytes);
  const high = name === 'utf-16be' ? 0 : 1;
  for (let end = bytes.length - ((bytes.length - odd) % 2); end > odd; end -= 2)
    if (bytes[end - 2 + high] === 0 && isBreak(bytes[end - 1 - high] ?? 0)) return end;
  return 0;
}

/** Encodings with multi-byte characters whose boundaries only a reader from the start knows. */
const manyBytes = /^(?:utf-16|gb|big5|euc-|iso-2022|shift_jis)/;

/** Whether a text of this encoding can be read from the beginning of any line on. */
export function isCutAtBytes(encoding: string): boolean {
  return !manyBytes.test(encoding);
}

/** The position after the last whole character that is not CR, if it can be found; otherwise 0. */
function anyCut(bytes: Buffer, { name }: Encoding): number {
  if (manyBytes.test(name)) return 0;
  const cut = name === 'utf-8' ? wholeUtf8(bytes) : bytes.length;
  return bytes[cut - 1] === 13 ? cut - 1 : cut;
}

/** The end of the last whole character of UTF-8; for invalid bytes, the end. */
export function wholeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return back < lengthInUtf8(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthInUtf8(first: number): number {
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** A safe cut if the encoding is not known, but is not UTF-16. */
export function lastBreak(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && !isBreak(bytes[end - 1] ?? 0)) end -= 1;
  return end;
}

function isBreak(byte: number): boolean {
  return byte < 0x30 && byte !== 13;
}

function decoded(bytes: Buffer, encoding: Encoding): TextBlock {
  const whole = encoding.strict(bytes);
  return whole === undefined ? repaired(bytes, encoding) : { bytes: whole, invalid: [] };
}

/** Decodes line by line, so that only a line with an invalid byte is in doubt. */
function repaired(bytes: Buffer, encoding: Encoding): TextBlock {
  const lines: Buffer[] = [];
  const invalid: number[] = [];
  let length = 0;
  for (const line of linesOf(bytes, encoding)) {
    const whole = encoding.strict(line);
    const text = whole ?? encoding.lenient(line);
    if (whole === undefined)
      for (let at = text.indexOf(replacement); at >= 0; at = text.indexOf(replacement, at + 1))
        invalid.push(length + at);
    lines.push(text);
    length += text.length;
  }
  return { bytes: Buffer.concat(lines), invalid };
}

function* linesOf(bytes: Buffer, { name, unit }: Encoding): Generator<Buffer> {
  const lineEnd = unit === 1 ? Buffer.from('\n') : Buffer.from(name === 'utf-16be' ? [0, 10] : [10, 0]);
  let start = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) {
    // In UTF-16 the two bytes may also occur across two characters.
    if (at % unit !== 0) continue;
    yield bytes.subarray(start, at + unit);
    start = at + unit;
  }
  yield bytes.subarray(start);
}
