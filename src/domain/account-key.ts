/** The pair that identifies an account on a platform (interface, section 1). */
export interface AccountKey {
  /** Import supplier code. */
  readonly supplier: string;
  /** External account number: the account's identifier in the old system. */
  readonly account: string;
}

/**
 * The numbers of accounts that were sent in another spelling than Unicode's form NFC, by that form: the platform may know them by
 * their own spelling alone.
 */
export type Spellings = Readonly<Record<string, string>>;

/** Whether a text has only one spelling: nothing but ASCII. */
export function isComposed(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The number of partitions of a book. Never change it: runners of two versions share a book. */
export const partitions = 256;

/** The partition of an account, from 0, by a hash (FNV-1a) of its external account number. */
export function partitionOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < account.length; at += 1) hash = Math.imul(hash ^ account.charCodeAt(at), 0x01000193);
  // The last bits of similar numbers differ little.
  return (hash ^ (hash >>> 15)) >>> 24;
}
