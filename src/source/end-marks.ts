import type { TextBlock } from './text-block.ts';

const endMark = 0x1a;
const byteOrderMark = Buffer.from('\ufeff');

/** Longer padding at the end of a block is taken for text. */
const mostHeld = 64 * 1024;

/**
 * Leaves out what is no text: further byte order marks at the beginning of a file, as programs add that join files, and the end marks
 * of DOS (0x1A) at the very end.
 */
export async function* withoutMarks(
  blocks: AsyncIterable<TextBlock>,
  isOfStart = true,
): AsyncGenerator<TextBlock, void, undefined> {
  let isStart = isOfStart;
  let held: Buffer | undefined;
  for await (const block of blocks) {
    let { bytes, invalid } = block;
    const skipped = isStart ? marksAtStart(bytes) : 0;
    isStart = false;
    if (skipped > 0) {
      bytes = bytes.subarray(skipped);
      invalid = invalid.map((at) => at - skipped);
    }
    if (held !== undefined) {
      const { length } = held;
      bytes = Buffer.concat([held, bytes]);
      invalid = invalid.map((at) => at + length);
      held = undefined;
    }
    const end = endOfText(bytes);
    if (end < bytes.length && bytes.length - end <= mostHeld) {
      held = bytes.subarray(end);
      bytes = bytes.subarray(0, end);
    }
    if (bytes.length > 0) yield { bytes, invalid };
  }
}

function marksAtStart(bytes: Buffer): number {
  let at = 0;
  while (bytes.subarray(at, at + byteOrderMark.length).equals(byteOrderMark)) at += byteOrderMark.length;
  return at;
}

/** Where end marks begin that nothing but line ends and further ones follow; the length if there are none. */
function endOfText(bytes: Buffer): number {
  let end = bytes.length;
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at];
    if (byte === endMark) end = at;
    else if (byte !== 10 && byte !== 13) break;
  }
  return end;
}
