import { identification, ledgerCode } from './account.ts';
import { date, oneOf, text } from './fields.ts';
import { array, object, optional, type Schema, type ValueOf } from './schema.ts';
import { transaction } from './transaction.ts';

const billingDocumentType = oneOf(['ITEM_BASED', 'PERIOD_BASED']);

const documentFields = object({
  billing_document_identifier: text(),
  billing_document_type: billingDocumentType,
  issued_date: date,
  bill_period_from_date: optional(date),
  bill_period_to_date: optional(date),
  transactions: optional(array(transaction)),
});

/** One document (section 2.8); a PERIOD_BASED one has its period. */
export const billingDocument: Schema<ValueOf<typeof documentFields>> = {
  ...documentFields,
  if: {
    required: ['billing_document_type'],
    properties: { billing_document_type: { enum: ['PERIOD_BASED'] } },
  },
  then: { required: ['bill_period_from_date', 'bill_period_to_date'] },
};

/** Historical billing document payload of endpoint 11 (section 2.8). */
export const billingDocumentsPayload = object({
  ...identification,
  ledger_code: ledgerCode,
  ledger_number: optional(text()),
  billing_document_type: billingDocumentType,
  historical_billing_documents: optional(array(billingDocument)),
  additional_historical_transactions: optional(array(transaction)),
});

export type BillingDocumentsPayload = ValueOf<typeof billingDocumentsPayload>;
