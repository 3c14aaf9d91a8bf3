import { z } from 'zod';
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

const platformNumber = z.string().regex(/\S/);

/** Answer to endpoint 3 (section 4); some tenancies name the number account_number, or both. */
export const processAnswer = z.looseObject({ kraken_account_number: z.string().min(1) });
/** The same, accepting the form of any tenancy. */
export const anyProcessAnswer = z.union([
  z.looseObject({ kraken_account_number: platformNumber }),
  z.looseObject({ account_number: platformNumber }),
]);

export const transferStatuses = ['UNKNOWN', 'COMPLETED', 'IN_PROGRESS'] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** Account import status (section 2.12). The number is an empty string when no account was created. */
export const transferStatusAnswer = z.looseObject({
  status: z.enum(transferStatuses),
  kraken_account_number: z.string().nullish(),
});

/** Account import process record of the list endpoints (section 2.5). */
export const importProcessRecord = z.looseObject({
  external_account_number: z.string(),
  kraken_account_number: z.string().nullish(),
  account_created_at: z.string().nullish(),
});

export type ImportProcessRecord = z.infer<typeof importProcessRecord>;
export const importProcessList = z.array(importProcessRecord);
