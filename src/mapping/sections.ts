import type { ExtraStepName } from '../domain/steps.ts';
import type { Target } from './target.ts';

/** The sections' names in mapping files; also the stems of their files (`notes.ndjson`). */
type SectionName =
  | 'notes'
  | 'transactions'
  | 'historical_agreements'
  | 'historical_billing_documents'
  | 'historical_statements'
  | 'payment_instructions';

/** A part of a mapping, and of an export in the interface's own shape, other than the account itself. */
export interface PlainSection {
  readonly name: SectionName;
  readonly step: ExtraStepName;
  /** The payload's array for the elements; absent if each element is a separate payload. */
  readonly field?: string;
}

export interface Section extends PlainSection {
  readonly element: Target;
}

/** The fields that identify a payload's account (section 2.2); the mapping fills them in. */
export const identificationFields = ['import_supplier', 'external_account_number'] as const;

export const sections: readonly PlainSection[] = [
  { name: 'notes', step: 'notes', field: 'notes' },
  { name: 'transactions', step: 'transactions', field: 'transactions' },
  { name: 'historical_agreements', step: 'agreements' },
  { name: 'historical_billing_documents', step: 'billing-documents' },
  { name: 'historical_statements', step: 'statements', field: 'statements' },
  { name: 'payment_instructions', step: 'payment-instruction' },
];
