import { z } from 'zod';
import type { JsonValue } from '../domain/json.ts';
import type { KnownEndpointName } from './endpoints.ts';
import { isPlatformNumber } from './platform-number.ts';

/** Answer to endpoint 2: 201 on first staging, 200 on update (section 4). */
export const stageAnswer = z.looseObject({
  import_supplier: z.string().optional(),
  import_supplier_code: z.string().optional(),
  external_account_number: z.string(),
});

const platformNumber = z.string().refine(isPlatformNumber);
/** Empty, or absent, as long as no account was created. */
const numberSoFar = z
  .string()
  .refine((text) => text === '' || isPlatformNumber(text))
  .nullish();

/** Answer to endpoint 3 (section 4); some tenancies name the number account_number, or both. */
export const processAnswer = z.looseObject({ kraken_account_number: z.string().min(1) });
/** The same, accepting the form of any tenancy. */
const anyProcessAnswer = z.union([
  z.looseObject({ kraken_account_number: platformNumber }),
  z.looseObject({ account_number: platformNumber }),
]);

export const transferStatuses = ['UNKNOWN', 'COMPLETED', 'IN_PROGRESS'] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** Words of other tenancies that mean, without a number, that the account is being created. */
const alsoInProgress: ReadonlySet<string> = new Set(['PENDING']);

/**
 * What a status means: with a number the account exists, whatever the word; undefined for a word that nobody knows,
 * without a number.
 */
export function transferStatusOf(word: string, hasNumber: boolean): TransferStatus | undefined {
  if (hasNumber) return 'COMPLETED';
  if (alsoInProgress.has(word)) return 'IN_PROGRESS';
  return transferStatuses.find((status) => status === word);
}

/**
 * Account import status (section 2.12); tenancies have words of their own. The number is an empty string when no
 * account was created.
 */
export const transferStatusAnswer = z.looseObject({
  status: z.string(),
  kraken_account_number: numberSoFar,
});

/** What the platform says of the latest task of an account. */
export const taskStatusAnswer = z.looseObject({
  status: z.string().min(1),
  /** null until the account exists. */
  kraken_identifier: z.string().nullish(),
  latest_error: z
    .looseObject({ code: z.string().nullish(), detail: z.string().nullish(), domain: z.string().nullish() })
    .nullish(),
});

/** Account import process record of the list endpoints (section 2.5). */
export const importProcessRecord = z.looseObject({
  external_account_number: z.string(),
  kraken_account_number: numberSoFar,
  account_created_at: z.string().nullish(),
});

export type ImportProcessRecord = z.infer<typeof importProcessRecord>;
export const importProcessList = z.array(importProcessRecord);

/** Answer to endpoint 8 (section 4). */
export const notesAnswer = z.array(
  z.looseObject({ status: z.string(), body: z.string().nullish(), created_at: z.string().nullish() }),
);

/** A transaction as the platform repeats it, in whatever form. */
const echoed = z.custom<JsonValue>((value) => value !== undefined).optional();

/** Answer to endpoint 9 (section 4). The echoed transaction is the platform's own, so it is not held to 2.6. */
export const transactionsAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      status: z.string(),
      transaction_data: echoed,
      error_detail: z.string().optional(),
    }),
  ),
});

/** 400 of endpoint 9: the first failing transaction only (section 4, rule 6). */
export const transactionImportError = z.looseObject({
  status: z.literal('TRANSACTION_IMPORT_ERROR'),
  error_detail: z.string(),
  transaction_data: echoed,
});

/** Answer to endpoint 13 (section 4). */
export const paymentInstructionAnswer = z.looseObject({
  kraken_account_number: platformNumber.optional(),
  account_number: platformNumber.optional(),
  reference: z.string().optional(),
});

/** Any other refusal in the interface's format (section 7). */
export const refusalAnswer = z.looseObject({
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ detail: z.string(), code: z.string(), attr: z.string() })),
});

/** 400 of endpoints 2 and 3 for an account that exists (section 4, rule 3). */
export const alreadyImportedAnswer = refusalAnswer.extend({
  external_account_number: z.string(),
  kraken_account_number: z.string(),
});

const meterPoint = z.looseObject({ mpxn: z.string().min(1), status: z.string().min(1) });

/** The meter points of an account with their statuses; published examples have the list in a list. */
export const meterPointStatusesAnswer = z
  .array(z.union([meterPoint, z.array(meterPoint)]))
  .transform((list) => list.flat());

/** An account that has no meter points, with 404. */
export const noMeterPointsAnswer = z.looseObject({ error: z.string().min(1) });

/** What registration has marked, meter point by meter point. */
export const registrationAnswer = z.looseObject({
  external_account_number: z.string(),
  import_supplier_code: z.string(),
  meter_points: z.array(
    z.looseObject({
      mpxn: z.string().min(1),
      status: z.enum(['REGISTRATION_FLOW_SUCCESS', 'REGISTRATION_FLOW_ERROR']),
      error_detail: z.string().nullish(),
    }),
  ),
});

/** The schema of each endpoint's answer; none if a success is empty or repeats what was sent (section 4). */
export const answers: Partial<Readonly<Record<KnownEndpointName, z.ZodType>>> = {
  stage: stageAnswer,
  process: anyProcessAnswer,
  transferStatus: transferStatusAnswer,
  allProcesses: importProcessList,
  pendingProcesses: importProcessList,
  importedProcesses: importProcessList,
  notes: notesAnswer,
  transactions: transactionsAnswer,
  paymentInstruction: paymentInstructionAnswer,
  scheduleStatus: taskStatusAnswer,
  meterPointStatuses: meterPointStatusesAnswer,
  sendRegistration: registrationAnswer,
};
