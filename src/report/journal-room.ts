import { uncountedOf, unfinishedOf } from '../domain/account-state.ts';
import type { SupplierOverview } from '../journal/journal.ts';
import { counted, formatCount } from './format.ts';

/** What a journal grows by for an account with all its steps, in bytes. */
const bytesEach = 5 * 1024;
/** What the write-ahead log takes beside it, in bytes. */
const logBytes = 8 * 1024 ** 2;
/** What the embedded platform keeps of an account beside the journal, in bytes. */
const rehearsedBytes = 12 * 1024;
/** A journal that has less than this cannot grow; in bytes. */
const leastFree = 1024 * 1024;

/** Whether a disk with so many bytes left is full for a journal; `free`: absent if it is on another machine. */
export function isFullDisk(free: number | undefined): boolean {
  return free !== undefined && free < leastFree;
}

/** What the disk of a journal has, and what the accounts that are left may need, in bytes. */
export interface LackOfRoom {
  readonly free: number;
  readonly needed: number;
  readonly accounts: number;
}

/** Whether the disk of a journal fills before so many accounts are recorded; undefined if it has room for them, or is not known. */
export function lackOfRoom(
  free: number | undefined,
  accounts: number,
  isRehearsal = false,
): LackOfRoom | undefined {
  if (free === undefined || accounts === 0) return undefined;
  const needed = accounts * (bytesEach + (isRehearsal ? rehearsedBytes : 0)) + logBytes;
  return free < needed ? { free, needed, accounts } : undefined;
}

/** The accounts of books that are not finished; undefined if their number is not known. */
export function leftToRecord(
  books: readonly Pick<SupplierOverview, 'accounts' | 'partlyRead'>[],
): number | undefined {
  const uncounted = uncountedOf(books.flatMap(({ partlyRead }) => partlyRead));
  if (uncounted === null) return undefined;
  return books.reduce((sum, { accounts }) => sum + unfinishedOf(accounts), uncounted);
}

/** As the beginning of a sentence, without the remedy. `isOfExport`: some of the accounts may be recorded already. */
export function lackText({ free, needed, accounts }: LackOfRoom, isOfExport = false): string {
  const left = isOfExport
    ? `up to ${counted(accounts, 'account')} of the export`
    : `${counted(accounts, 'account')} that ${accounts === 1 ? 'is' : 'are'} left`;
  return `the disk of the journal has ${megabytes(free)} MB free, and the journal may need ${megabytes(needed)} MB for ${left}`;
}

function megabytes(bytes: number): string {
  return formatCount(Math.ceil(bytes / 1024 ** 2));
}
