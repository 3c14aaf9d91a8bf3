import type { AccountKey } from '../domain/account-key.ts';

/** Which of an export's accounts are meant. */
export interface AccountFilter {
  /** Those of this supplier alone; absent: of all. */
  readonly supplier?: string;
  /** These external account numbers alone; absent: all. */
  readonly accounts?: ReadonlySet<string>;
}

export function isTaken(key: AccountKey, { supplier, accounts }: AccountFilter): boolean {
  return (supplier === undefined || key.supplier === supplier) && (accounts?.has(key.account) ?? true);
}
