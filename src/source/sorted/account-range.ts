import type { SortedIndex } from './sorted-index.ts';
import { Disorder, mergeByAccount, orders, type MergeOptions, type Order } from '../merge.ts';
import { readRows } from '../read-rows.ts';
import type { PlacedRow } from '../row.ts';
import type { RowStart } from './row-starts.ts';
import { storedFrom } from '../stored-part.ts';
import type { OpenedFile } from '../table.ts';

/** The accounts of sorted files from one up to, not including, another, and where each file is entered for them. */
export interface AccountRange {
  /** Absent: from the first one on. */
  readonly from?: string | undefined;
  /** Absent: to the last one. */
  readonly to?: string | undefined;
  /** For each file; undefined: its beginning. */
  readonly starts: readonly (RowStart | undefined)[];
  /** About so many bytes in all files together. */
  readonly bytes: number;
}

type Sorted = Pick<SortedIndex, 'order' | 'starts'>;

/** Ranges are no smaller than the most of them would be: what each of them enters too early is read twice. */
const mostRanges = 8_192;

/**
 * All accounts of sorted files as ranges in their order, each of about so many bytes in all files together; a file of which no start is
 * known is read from its beginning for each.
 */
export function accountRanges(
  files: readonly OpenedFile[],
  { order: position, starts }: Sorted,
  bytes: number,
): readonly AccountRange[] {
  const order = orderAt(position);
  const size = files.reduce((sum, { stored }) => sum + stored.state.size, 0);
  const enough = Math.max(bytes, size / mostRanges);
  const places = starts.flatMap((ofFile) =>
    ofFile.map(([byte, , account], at) => ({ account, bytes: byte - (ofFile[at - 1]?.[0] ?? 0) })),
  );
  places.sort((one, other) => (order(one.account, other.account) ? -1 : 1));
  const borders: string[] = [];
  const sizes: number[] = [];
  let read = 0;
  for (const { account, bytes: more } of places) {
    read += more;
    if (read < enough || account === borders.at(-1)) continue;
    borders.push(account);
    sizes.push(read);
    read = 0;
  }
  sizes.push(read);
  return [undefined, ...borders].map((from, at) => ({
    from,
    to: borders[at],
    bytes: sizes[at] ?? 0,
    starts: starts.map((ofFile) => (from === undefined ? undefined : startBefore(ofFile, from, order))),
  }));
}

/**
 * The rows of the accounts of a range, account by account. Throws Disorder if the files are not those of the earlier reading, and what
 * readRows throws.
 */
export async function* rowsOfRange(
  files: readonly OpenedFile[],
  { from, to, starts }: AccountRange,
  position: number,
  options: Pick<MergeOptions, 'signal' | 'limit'>,
): AsyncGenerator<readonly PlacedRow[], void, undefined> {
  const order = orderAt(position);
  const entered = new Map<OpenedFile, RowStart>();
  const within = files.map((file, at) => {
    const start = starts[at];
    if (start === undefined) return file;
    const part = { ...file, stored: storedFrom(file.stored, start[0]) };
    entered.set(part, start);
    return part;
  });
  const read: typeof readRows = (file, asked) => {
    const start = entered.get(file);
    return start === undefined ? readRows(file, asked) : confirmed(start, readRows(file, { ...asked, fromLine: start[1] })); // prettier-ignore
  };
  const endsBefore = (account: string): boolean => to !== undefined && !order(account, to);
  for await (const rows of mergeByAccount(within, order, { ...options, read, endsBefore }))
    // Stryker disable next-line OptionalChaining,StringLiteral: no account is without a row
    if (from === undefined || !order(rows[0]?.account ?? '', from)) yield rows;
}

/** The rows of one account, of which only a part of the files is read; undefined if they have none. Throws what rowsOfRange throws. */
export async function rowsOfAccount(
  files: readonly OpenedFile[],
  account: string,
  { order: position, starts }: Sorted,
  options: Pick<MergeOptions, 'signal' | 'limit'>,
): Promise<readonly PlacedRow[] | undefined> {
  const order = orderAt(position);
  const range = {
    from: account,
    bytes: 0,
    starts: starts.map((ofFile) => startBefore(ofFile, account, order)),
  };
  for await (const rows of rowsOfRange(files, range, position, options))
    // Stryker disable next-line OptionalChaining: no account is without a row
    return rows[0]?.account === account ? rows : undefined;
  return undefined;
}

function orderAt(position: number): Order {
  const order = orders[position];
  if (order === undefined) throw new Disorder();
  return order;
}

/** The last start before all rows of an account. */
function startBefore(starts: readonly RowStart[], account: string, order: Order): RowStart | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Stryker disable next-line OptionalChaining,StringLiteral: it is one of them
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
