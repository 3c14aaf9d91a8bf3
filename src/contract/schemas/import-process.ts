import { boolean, text } from './fields.ts';
import { object, optional, type ValueOf } from './schema.ts';
import { longestAccountNumber } from './account.ts';

/** Create-account payload of endpoint 3 (section 2.4). */
export const processPayload = object({
  external_account_number: text(longestAccountNumber),
  import_supplier_code: text(),
  operations_team_name: text(),
  dry_run: optional(boolean),
});

export type ProcessPayload = ValueOf<typeof processPayload>;
