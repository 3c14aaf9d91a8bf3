import { z } from 'zod';
import { isDate, isDatetime } from '../contract/schemas/fields.ts';
import { ruleCodes } from '../contract/rule-codes.ts';
import { faultsSchema } from './faults/fault-rules.ts';

/** What an import supplier's migration may do (interface, section 3). */
const supplierStatuses = ['Ongoing', 'Paused', 'Complete'] as const;

const calendarDate = z.string().refine(isDate, { error: 'Must be a valid date in the form YYYY-MM-DD.' });

const supplier = z.strictObject({
  status: z.enum(supplierStatuses).default('Ongoing'),
  /** The root of document paths: a directory that can be searched, or any other name of a place (section 2.1). */
  objectStoreRoot: z.string().min(1).optional(),
  /** Whether customers get an automated e-mail when their account is created (section 1). */
  sendEmails: z.boolean().default(false),
  /** Ledger codes that this supplier's accounts may use; absent: any. */
  ledgers: z.array(z.string().min(1)).optional(),
});

/** What the operator of the platform decides, as the operator file writes it; every key has a default. */
export const operatorSchema = z.strictObject({
  /** Import suppliers by their code (section 1). */
  suppliers: z.record(z.string().min(1), supplier).prefault({
    TENTACLE_ENERGY: { status: 'Ongoing' },
    PAUSED_ENERGY: { status: 'Paused' },
    CLOSED_ENERGY: { status: 'Complete' },
  }),
  /** The status of import suppliers that are not listed; absent: they do not exist. */
  otherSuppliers: z.enum(supplierStatuses).optional(),
  /** Operations teams that exist (section 2.4). */
  teams: z.array(z.string().min(1)).default(['MIGRATIONS']),
  /** API keys beside the one that the platform makes for itself (section 5). */
  apiKeys: z.array(z.string().min(1)).default([]),
  /** Product codes that exist; absent: any. */
  productCodes: z.array(z.string().min(1)).optional(),
  /** How a refusal is written: `dotted` is section 7's, `fields` is shaped like the payload. */
  dialect: z.enum(['dotted', 'fields']).default('dotted'),
  process: z
    .strictObject({
      /** Accounts that may be in progress at once (section 8); absent: any number. */
      cap: z.int().min(1).optional(),
      /** How long creating an account takes, in milliseconds. */
      durationMs: z.int().min(0).default(0),
    })
    .prefault({}),
  /** Registration of meter points. */
  registration: z
    .strictObject({
      /** How long after an account was marked the statuses of its meter points move, in milliseconds. */
      delayMs: z.int().min(0).default(0),
      /** Identifiers of meter points that cannot be registered. */
      refuse: z.array(z.string()).default([]),
    })
    .prefault({}),
  /** Scheduled import (v2). */
  scheduler: z
    .strictObject({
      /** Tasks that may wait at once; absent: any number. */
      cap: z.int().min(1).optional(),
      /** How long a task takes from when it may begin, in milliseconds: between the two, drawn from the account. */
      fromMs: z.int().min(0).default(0),
      toMs: z.int().min(0).default(0),
      /** How many times faster than the clock its time passes. */
      speed: z.number().positive().default(1),
      /** The word for PENDING. */
      pendingWord: z.string().min(1).default('PENDING'),
      /** Tasks that end otherwise; the first that applies counts. FORGOTTEN: nothing of it is known any more. */
      outcomes: z
        .array(
          z.strictObject({
            status: z.enum(['ERRORED', 'CANCELLED', 'FORGOTTEN']),
            /** External account numbers; absent: all. */
            accounts: z.array(z.string()).optional(),
            /** Which submission of the account, from 1; absent: each. */
            submissions: z.array(z.int().min(1)).optional(),
            /** Share of them, from 0 to 1, drawn from the account. */
            rate: z.number().min(0).max(1).optional(),
            code: z.string().default('import_process_failed'),
            detail: z.string().default('The account could not be imported.'),
          }),
        )
        .default([]),
    })
    .prefault({}),
  token: z
    .strictObject({
      /** How long a token is good for, in seconds. */
      lifetimeSeconds: z.int().min(1).default(3600),
      refreshLifetimeSeconds: z
        .int()
        .min(1)
        .default(7 * 24 * 3600),
    })
    .prefault({}),
  /**
   * The open statement period of every account (section 4, rule 6); absent: from the day after the account's last
   * statement until today.
   */
  openStatementPeriod: z.strictObject({ from: calendarDate, to: calendarDate }).optional(),
  /** Accounts marked to be skipped (section 4, rule 2). */
  skipped: z.array(z.strictObject({ supplier: z.string().min(1), account: z.string().min(1) })).default([]),
  /** How long the payment vendor takes over a slow reference, in milliseconds. */
  vendorSlowMs: z.int().min(0).default(5000),
  /**
   * Levels of business rules by their code. Document paths are looked up only if `path_does_not_exist_in_file_store`
   * is listed.
   */
  rules: z.partialRecord(z.enum(ruleCodes), z.enum(['error', 'warning', 'off'])).default({}),
  /** The platform's fixed date and time, for rehearsals that repeat; absent: the real one. */
  now: z
    .string()
    .refine(isDatetime, { error: 'Must be a valid datetime in the form YYYY-MM-DDTHH:MM:SSZ.' })
    .optional(),
  /** The GraphQL API. Fields are named with their types: `AccountType.notes`. */
  graphql: z
    .strictObject({
      /** The most that a request may cost (KT-CT-1188): one for each field and for each item of a page. */
      complexity: z.int().min(1).default(550),
      /** The most items that the pages of a request may have (KT-CT-1189). */
      nodes: z.int().min(1).default(100_000),
      /** Complexity that a key may spend in an hour (KT-CT-1199); absent: any. */
      pointsPerHour: z.int().min(1).optional(),
      /** Fields that no token may read (KT-CT-4177). */
      forbidden: z.array(z.string().min(1)).default([]),
      /** Fields that the tenancy does not have (KT-CT-1113). */
      disabled: z.array(z.string().min(1)).default([]),
      /** What applies to one of the `apiKeys` in addition. */
      keys: z
        .record(
          z.string().min(1),
          z.strictObject({
            forbidden: z.array(z.string().min(1)).optional(),
            pointsPerHour: z.int().min(1).optional(),
          }),
        )
        .default({}),
    })
    .prefault({}),
  faults: faultsSchema,
});

export type OperatorConfig = z.output<typeof operatorSchema>;

/** The status of an import supplier; undefined if it does not exist. */
export function supplierStatus({ suppliers, otherSuppliers }: OperatorConfig, code: string) {
  return Object.hasOwn(suppliers, code) ? suppliers[code]?.status : otherSuppliers;
}

/** What the platform knows without an operator file. */
export const defaultOperator: OperatorConfig = operatorSchema.parse({});
