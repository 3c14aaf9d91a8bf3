import { readSync } from 'node:fs';
import type { RandomAccess } from './places/place.ts';

const signature = Buffer.from('PK\x05\x06', 'latin1');
/** The length of the last record of a ZIP file without its comment. */
const recordLength = 22;
/** A comment has 64 KiB at most; as many bytes may follow the file. */
const searched = 2 * 65_536 + recordLength;

/**
 * Where a ZIP file ends within a file of this size, by its last record whose list of parts and comment fit; undefined if there is
 * none among the last bytes.
 */
export async function endOfZip(file: RandomAccess, size: number): Promise<number | undefined> {
  const start = Math.max(0, size - searched);
  const bytes = await bytesOf(file, start, size);
  for (
    let at = bytes.lastIndexOf(signature);
    at >= 0;
    at = at === 0 ? -1 : bytes.lastIndexOf(signature, at - 1)
  ) {
    if (at + recordLength > bytes.length) continue;
    const end = start + at + recordLength + bytes.readUInt16LE(at + 20);
    const [length, offset] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)];
    // Of a large file they are elsewhere, and all bits are set here.
    const isLarge = length === 0xffffffff || offset === 0xffffffff;
    if (end <= size && (isLarge || offset + length <= start + at)) return end;
  }
  return undefined;
}

async function bytesOf(file: RandomAccess, start: number, end: number): Promise<Buffer> {
  if ('range' in file) {
    const blocks: Buffer[] = [];
    for await (const block of file.range(start, end)) blocks.push(block);
    return Buffer.concat(blocks);
  }
  const bytes = Buffer.alloc(end - start);
  return bytes.subarray(0, readSync(file.descriptor, bytes, 0, bytes.length, start));
}
