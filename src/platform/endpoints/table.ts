import type { KnownEndpointName } from '../../contract/endpoints.ts';
import { agreements } from './agreements.ts';
import { billingDocuments } from './billing-documents.ts';
import type { PathEndpoint, ServedEndpoint } from './endpoint.ts';
import { allProcesses, importedProcesses, pendingProcesses } from './lists.ts';
import { notes } from './notes.ts';
import { paymentInstruction } from './payment-instruction.ts';
import { meterPointStatuses, sendRegistration } from './registration.ts';
import { process, stage, transferStatus, validate } from './creation.ts';
import { schedule, scheduleStatus, scheduleValidate } from './scheduled-import.ts';
import { statements } from './statements.ts';
import { transactions } from './transactions.ts';

/** What answers each endpoint of the contract's table. */
export const endpointTable = {
  validate,
  stage,
  process,
  transferStatus,
  allProcesses,
  pendingProcesses,
  importedProcesses,
  notes,
  transactions,
  agreements,
  billingDocuments,
  statements,
  paymentInstruction,
  scheduleValidate,
  schedule,
  scheduleStatus,
  meterPointStatuses,
  sendRegistration,
} satisfies Record<KnownEndpointName, PathEndpoint | ServedEndpoint>;
