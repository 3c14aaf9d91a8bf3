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
  {
    source,
    accounts,
    held,
  }: {
    readonly source: number;
    readonly accounts: number | null;
    /** Accounts of the supplier, of all places. */ readonly held: number;
  },
  read: readonly ReadFrom[],
): PartlyRead {
  if (accounts === null) return { place };
  const own = read.filter((one) => one.source === source);
  const known = own.reduce((sum, one) => sum + one.accounts, 0);
  // Accounts of another place, such as the directory of the night before, may be those that were not read here.
  return own.length === 1 && known < accounts && held <= known
    ? { place, accounts, unread: accounts - known }
    : { place, accounts };
}
