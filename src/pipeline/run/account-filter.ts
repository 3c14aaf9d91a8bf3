import type { AccountKey } from '../../domain/account-key.ts';

/** Selects accounts of an export. */
export interface AccountFilter {
  /** Only those of this supplier; absent: of all. */
  readonly supplier?: string | undefined;
  /** Only these external account numbers; absent: all. */
  readonly accounts?: ReadonlySet<string> | undefined;
}

export function isTaken(key: AccountKey, { supplier, accounts }: AccountFilter): boolean {
  return (supplier === undefined || key.supplier === supplier) && (accounts?.has(key.account) ?? true);
}
