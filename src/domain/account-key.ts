/** The pair that identifies an account on a platform (interface, section 1). */
export interface AccountKey {
  /** Import supplier code. */
  readonly supplier: string;
  /** External account number: the account's identifier in the old system. */
  readonly account: string;
}

/**
 * The number of an account that was sent in another spelling than Unicode's form NFC: the platform may know it by that spelling
 * alone.
 */
export interface Spelling {
  /** The number in form NFC. */
  readonly composed: string;
  readonly number: string;
}

/** The number of an account by its form NFC, if the account has another spelling. */
export type Spellings = (composed: string) => string | undefined;

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
