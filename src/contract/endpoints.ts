import type { StepName } from '../domain/steps.ts';
import { accountPayload } from './schemas/account.ts';
import { agreementsPayload } from './schemas/agreements.ts';
import { billingDocumentsPayload } from './schemas/billing-documents.ts';
import { processPayload } from './schemas/import-process.ts';
import { notesPayload } from './schemas/notes.ts';
import { paymentInstructionPayload } from './schemas/payment-instruction.ts';
import type { Schema } from './schemas/schema.ts';
import { statementsPayload } from './schemas/statements.ts';
import { transactionsPayload } from './schemas/transactions.ts';

/** One row of the interface's table of endpoints (section 4). */
export interface Endpoint {
  /** Its row in that table. */
  readonly number: number;
  readonly method: 'GET' | 'POST';
  /** Path with `{import_supplier_code}` and `{external_account_number}` where it has parameters. */
  readonly path: string;
  /** Schema of the request's body; absent where there is none. */
  readonly request?: Schema;
  /** Statuses of a success, the one in the section's heading first. */
  readonly success: readonly number[];
  /**
   * Whether a success may be an empty body or `{}`. Otherwise an answer must name what it is about, to distinguish it
   * from a proxy's.
   */
  readonly mayBeEmpty?: true;
}

/** Statuses that a client accepts as success: 200 and 201 for every POST, because the text gives both (section 4). */
export function successesOf({ method, success }: Endpoint): readonly number[] {
  return method === 'POST' ? [200, 201] : success;
}

const prefix = '/v1/data-import';

export const endpoints = {
  validate: {
    number: 1,
    method: 'POST',
    path: `${prefix}/validate-account/`,
    request: accountPayload,
    success: [200],
    mayBeEmpty: true,
  },
  stage: {
    number: 2,
    method: 'POST',
    path: `${prefix}/account-import-process/create-or-update/`,
    request: accountPayload,
    success: [201, 200],
  },
  process: {
    number: 3,
    method: 'POST',
    path: `${prefix}/account-import-process/process/`,
    request: processPayload,
    success: [201],
  },
  transferStatus: {
    number: 4,
    method: 'GET',
    path: `${prefix}/account-transfer-status/{import_supplier_code}/{external_account_number}/`,
    success: [200],
  },
  allProcesses: {
    number: 5,
    method: 'GET',
    path: `${prefix}/all-account-import-processes/{import_supplier_code}/`,
    success: [200],
  },
  pendingProcesses: {
    number: 6,
    method: 'GET',
    path: `${prefix}/pending-account-import-processes/{import_supplier_code}/`,
    success: [200],
  },
  importedProcesses: {
    number: 7,
    method: 'GET',
    path: `${prefix}/imported-account-import-processes/{import_supplier_code}/`,
    success: [200],
  },
  notes: {
    number: 8,
    method: 'POST',
    path: `${prefix}/notes/create/`,
    request: notesPayload,
    success: [201],
  },
  transactions: {
    number: 9,
    method: 'POST',
    path: `${prefix}/transactions/create/`,
    request: transactionsPayload,
    success: [201],
  },
  agreements: {
    number: 10,
    method: 'POST',
    path: `${prefix}/historical-agreements/create/`,
    request: agreementsPayload,
    success: [201, 200],
    mayBeEmpty: true,
  },
  billingDocuments: {
    number: 11,
    method: 'POST',
    path: `${prefix}/historical-billing-documents/create/`,
    request: billingDocumentsPayload,
    success: [201],
    mayBeEmpty: true,
  },
  statements: {
    number: 12,
    method: 'POST',
    path: `${prefix}/historical-statements/create/`,
    request: statementsPayload,
    success: [201, 200],
    mayBeEmpty: true,
  },
  paymentInstruction: {
    number: 13,
    method: 'POST',
    path: `${prefix}/payment-instruction/create/`,
    request: paymentInstructionPayload,
    success: [201],
    mayBeEmpty: true,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** The endpoint that each step sends to. */
export const endpointOf = {
  validate: 'validate',
  stage: 'stage',
  process: 'process',
  notes: 'notes',
  transactions: 'transactions',
  agreements: 'agreements',
  'billing-documents': 'billingDocuments',
  statements: 'statements',
  'payment-instruction': 'paymentInstruction',
} as const satisfies Record<StepName, EndpointName>;

/** The path of a GET endpoint for one supplier or one account, with each value escaped within its segment. */
export function pathFor(endpoint: Endpoint, supplier: string, account = ''): string {
  return endpoint.path
    .replace('{import_supplier_code}', () => encodeURIComponent(supplier))
    .replace('{external_account_number}', () => encodeURIComponent(account));
}
