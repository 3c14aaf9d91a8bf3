import type { PartlyRead } from '../journal.ts';

/** The accounts of a supplier that were read from an export. */
export interface ReadFrom {
  readonly supplier: number;
  readonly source: number;
  readonly accounts: number;
}

/**
 * The reading of a supplier's accounts from an export, with what is not read of it, if that can be
 * determined.
 */
export function readingOf(
  place: string,
  { source, accounts }: { readonly source: number; readonly accounts: number | null },
  read: readonly ReadFrom[],
): PartlyRead {
  if (accounts === null) return { place };
  const own = read.filter((one) => one.source === source);
  const known = own.reduce((sum, one) => sum + one.accounts, 0);
  return own.length === 1 && known < accounts
    ? { place, accounts, unread: accounts - known }
    : { place, accounts };
}
