import { encodingOf, type Encoding } from './encoding.ts';
import { readBytes, type ReadOptions } from './file-bytes.ts';

/** A piece of a file as UTF-8, never cut within a character or within CRLF. */
export interface TextBlock {
  readonly bytes: Buffer;
  /** Positions in `bytes` of the U+FFFD that stand for bytes which are not of the file's encoding. */
  readonly invalid: readonly number[];
}

const replacement = Buffer.from('\ufffd');

/**
 * Reads a file block by block, in the encoding of this label, its byte order mark left out. Throws what readBytes
 * throws.
 */
export async function* readText(
  path: string,
  label: string,
  options: ReadOptions = {},
): AsyncGenerator<TextBlock, void, undefined> {
  let encoding: Encoding | undefined;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readBytes(path, options)) {
    let bytes = joined(rest, chunk);
    if (encoding === undefined) {
      encoding = encodingOf(bytes, label);
      bytes = bytes.subarray(encoding.mark);
    }
    const cut = safeCut(bytes, encoding);
    rest = bytes.subarray(cut);
    if (cut > 0) yield decoded(bytes.subarray(0, cut), encoding);
  }
  if (encoding !== undefined && rest.length > 0) yield decoded(rest, encoding);
}

export function joined(first: Buffer, second: Buffer): Buffer {
  return first.length === 0 ? second : Buffer.concat([first, second]);
}

/**
 * After the last character below `0`, CR excepted: in every encoding known here such a byte is a character of its
 * own and never part of a longer one, and each line end, quote, comma and space is one.
 */
function safeCut(bytes: Buffer, { name, unit }: Encoding): number {
  if (unit === 1) return lastBreak(bytes);
  const high = name === 'utf-16be' ? 0 : 1;
  for (let end = bytes.length - (bytes.length % 2); end > 0; end -= 2)
    if (bytes[end - 2 + high] === 0 && isBreak(bytes[end - 1 - high] ?? 0)) return end;
  return 0;
}

/** The same where the encoding is not known, but not UTF-16. */
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

/** Line by line, so that only what is on a line with a wrong byte is in doubt. */
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
    // In UTF-16 the two bytes may also be found across two characters.
    if (at % unit !== 0) continue;
    yield bytes.subarray(start, at + unit);
    start = at + unit;
  }
  yield bytes.subarray(start);
}
