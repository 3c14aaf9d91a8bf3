import { closeSync, readSync } from 'node:fs';
import type { AsyncBuffer } from 'hyparquet';
import { unreadable } from '../../file-bytes.ts';
import type { StoredFile } from '../../places/place.ts';

/** A file with random access, in the form that the library requires. */
export interface RandomFile extends AsyncBuffer {
  close(): void;
}

/** Throws FileUnreadable; so does reading, including if the file has changed. */
export async function openRandom(stored: StoredFile): Promise<RandomFile> {
  const { size } = stored.state;
  const found = await stored.random();
  const read = async (start: number, end: number): Promise<Buffer> => {
    if ('range' in found) {
      const blocks: Buffer[] = [];
      for await (const block of found.range(start, end)) blocks.push(block);
      return Buffer.concat(blocks);
    }
    const bytes = Buffer.alloc(end - start);
    try {
      readSync(found.descriptor, bytes, 0, bytes.length, start);
    } catch (error) {
      unreadable(error);
    }
    return bytes;
  };
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = await read(start, Math.min(end, size));
      stored.verify();
      // The library takes the whole of what it is given.
      return new Uint8Array(bytes).buffer;
    },
    close: () => {
      if ('descriptor' in found) closeSync(found.descriptor);
    },
  };
}
