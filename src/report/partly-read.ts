import { uncountedOf, withUncounted, type RunCounts } from '../domain/account-state.ts';
import type { PartlyRead, SupplierOverview } from '../journal/journal.ts';
import { counted, formatCount } from './format.ts';

/** The book of a supplier, which may not be complete. */
export function bookCounts({ accounts, partlyRead }: SupplierBook): RunCounts {
  return withUncounted(accounts, uncountedOf(partlyRead));
}

type SupplierBook = Pick<SupplierOverview, 'accounts' | 'partlyRead'>;

/** Accounts that are in no count, because their exports were not read to their end. */
export function partlyReadText(exports: readonly PartlyRead[]): string {
  const named = exports.map(({ place, accounts, unread }) => {
    if (accounts === undefined) return `of ${place}`;
    return unread === undefined
      ? `of ${place}, which has ${counted(accounts, 'account')}`
      : `${formatCount(unread)} of the ${counted(accounts, 'account')} of ${place}`;
  });
  return (
    `Not counted: the accounts that no run has read yet, ${named.join('; and ')}. ` +
    `A run that reads ${exports.length === 1 ? 'this export to its end' : 'these exports to their ends'} counts them.`
  );
}

/** For programs: the same exports. */
export function partlyReadRecords(exports: readonly PartlyRead[]): readonly object[] {
  return exports.map(({ place, accounts = null, unread = null }) => ({ export: place, accounts, unread }));
}

/** For people: rows that the mapping's `ignore` or `orphans` excluded; nothing if there are none, or nothing was read. */
export function ignoredRowsText(ignoredRows: number | null): readonly string[] {
  if (ignoredRows === null || ignoredRows === 0) return [];
  return [`${counted(ignoredRows, 'row')} left out on purpose, by the mapping's ignore or orphans.`];
}
