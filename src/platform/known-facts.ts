import type { AccountKey } from '../domain/account-key.ts';
import type { JsonObject } from '../domain/json.ts';
import { accountNumber } from './store/accounts.ts';

/** What the platform knows of an account, by every name that contracts have for it. `number`: null if it is not created. */
export function knownOf({ supplier, account }: AccountKey, number: number | null | undefined): JsonObject {
  const own = typeof number === 'number' ? accountNumber(number) : undefined;
  return {
    import_supplier: supplier,
    import_supplier_code: supplier,
    external_account_number: account,
    ...(own === undefined ? {} : { kraken_account_number: own, account_number: own, account_id: own }),
  };
}
