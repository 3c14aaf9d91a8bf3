/**
 * Who an account is: the pair that identifies it on a platform (interface, section 1).
 */
export interface AccountKey {
  /** Import supplier code. */
  readonly supplier: string;
  /** External account number: the account's identifier in the old system. */
  readonly account: string;
}
