import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredFile } from './places/place.ts';

/** A file whose reading begins with this byte. */
export function storedFrom(stored: StoredFile, byte: number): StoredFile {
  const { path, state } = stored;
  return {
    path,
    state,
    random: () => stored.random(),
    verify: () => stored.verify(),
    async *read({ onBytes, signal }, blockSize) {
      const found = await stored.random();
      if ('range' in found) {
        for await (const block of found.range(byte, state.size)) {
          signal?.throwIfAborted();
          stored.verify();
          onBytes?.(block.length);
          yield block;
        }
        return;
      }
      try {
        for (let at = byte; ;) {
          await nextTurn();
          signal?.throwIfAborted();
          const buffer = Buffer.allocUnsafe(blockSize);
          const length = readSync(found.descriptor, buffer, 0, blockSize, at);
          stored.verify();
          if (length === 0) return;
          onBytes?.(length);
          at += length;
          yield buffer.subarray(0, length);
        }
      } finally {
        closeSync(found.descriptor);
      }
    },
  };
}
