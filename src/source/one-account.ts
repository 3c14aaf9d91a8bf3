import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeptReading } from './kept-readings.ts';
import { Disorder, mergeByAccount, orders, type MergeOptions, type Order } from './merge.ts';
import type { StoredFile } from './places/place.ts';
import { readRows } from './read-rows.ts';
import type { PlacedRow } from './row.ts';
import type { RowStart } from './row-starts.ts';
import type { OpenedFile } from './table.ts';

/**
 * The rows of one account of sorted files, of which only a part is read; undefined if they have none. Throws Disorder if the files are
 * not those of the earlier reading, and what readRows throws.
 */
export async function rowsOfAccount(
  files: readonly OpenedFile[],
  account: string,
  { order: position, starts }: Pick<KeptReading, 'order' | 'starts'>,
  options: Pick<MergeOptions, 'signal' | 'limit'>,
): Promise<readonly PlacedRow[] | undefined> {
  const order = orders[position];
  if (order === undefined) throw new Disorder();
  const from = new Map<OpenedFile, RowStart>();
  const entered = files.map((file, at) => {
    const start = startBefore(starts[at] ?? [], account, order);
    if (start === undefined) return file;
    const within = { ...file, stored: storedFrom(file.stored, start[0]) };
    from.set(within, start);
    return within;
  });
  const read: typeof readRows = (file, asked) => {
    const start = from.get(file);
    return start === undefined ? readRows(file, asked) : confirmed(start, readRows(file, { ...asked, fromLine: start[1] })); // prettier-ignore
  };
  for await (const rows of mergeByAccount(entered, order, { ...options, read })) {
    const found = rows[0]?.account ?? '';
    if (found === account) return rows;
    if (order(account, found)) return undefined;
  }
  return undefined;
}

/** The last start before all rows of an account. */
function startBefore(starts: readonly RowStart[], account: string, order: Order): RowStart | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(starts[middle]?.[2] ?? '', account)) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1];
}

/** Rows whose first must be the one that was there. */
async function* confirmed(
  [, line, account]: RowStart,
  batches: ReturnType<typeof readRows>,
): ReturnType<typeof readRows> {
  let isFirst = true;
  for await (const batch of batches) {
    const [first] = batch;
    if (isFirst && first !== undefined) {
      if (first.line !== line || first.account !== account) throw new Disorder();
      isFirst = false;
    }
    yield batch;
  }
}

/** A file whose reading begins with this byte. */
function storedFrom(stored: StoredFile, byte: number): StoredFile {
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
