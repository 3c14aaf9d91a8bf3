/** The pair that identifies an account on a platform (interface, section 1). */
export interface AccountKey {
  /** Import supplier code. */
  readonly supplier: string;
  /** External account number: the account's identifier in the old system. */
  readonly account: string;
}
