import { accountPayload } from '../contract/schemas/account.ts';
import { singleAgreementFields } from '../contract/schemas/agreements.ts';
import { billingDocumentsPayload } from '../contract/schemas/billing-documents.ts';
import { notesPayload } from '../contract/schemas/notes.ts';
import { paymentInstructionPayload } from '../contract/schemas/payment-instruction.ts';
import { statementsPayload } from '../contract/schemas/statements.ts';
import { transactionsPayload } from '../contract/schemas/transactions.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import { fieldsOf, targetOf, type Target } from './target.ts';

/** The sections' names in mapping files; also the stems of their files (`notes.ndjson`). */
type SectionName =
  | 'notes'
  | 'transactions'
  | 'historical_agreements'
  | 'historical_billing_documents'
  | 'historical_statements'
  | 'payment_instructions';

/** A part of a mapping, and of an export in the interface's own shape, other than the account itself. */
export interface Section {
  readonly name: SectionName;
  readonly step: ExtraStepName;
  /** The payload's array for the elements; absent if each element is a separate payload. */
  readonly field?: string;
  readonly element: Target;
}

/** The fields that identify a payload's account (section 2.2); the mapping fills them in. */
export const identificationFields = ['import_supplier', 'external_account_number'] as const;

const payload = (schema: unknown): Target => targetOf(schema, identificationFields);

/** The account payload of section 2.3. */
export const accountFields = fieldsOf(accountPayload);

export const sections: readonly Section[] = [
  { name: 'notes', step: 'notes', field: 'notes', element: targetOf(notesPayload.shape.notes.element) },
  {
    name: 'transactions',
    step: 'transactions',
    field: 'transactions',
    element: targetOf(transactionsPayload.shape.transactions.element),
  },
  {
    name: 'historical_agreements',
    step: 'agreements',
    element: { type: 'open', without: identificationFields, single: singleAgreementFields },
  },
  {
    name: 'historical_billing_documents',
    step: 'billing-documents',
    element: payload(billingDocumentsPayload),
  },
  {
    name: 'historical_statements',
    step: 'statements',
    field: 'statements',
    element: targetOf(statementsPayload.shape.statements.element),
  },
  {
    name: 'payment_instructions',
    step: 'payment-instruction',
    element: payload(paymentInstructionPayload),
  },
];
