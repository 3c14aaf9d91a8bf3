import { z } from 'zod';
import { identification, ledgerCode } from './account.ts';
import { date, text } from './fields.ts';
import { transaction } from './transaction.ts';

export const billingDocumentTypes = ['ITEM_BASED', 'PERIOD_BASED'] as const;

const billingDocumentType = z.enum(billingDocumentTypes).meta({ kind: 'string' });

/** One document (section 2.8); a PERIOD_BASED one has its period. */
export const billingDocument = z
  .strictObject({
    billing_document_identifier: text(),
    billing_document_type: billingDocumentType,
    issued_date: date,
    bill_period_from_date: date.optional(),
    bill_period_to_date: date.optional(),
    transactions: z.array(transaction).optional(),
  })
  .superRefine((document, context) => {
    if (document.billing_document_type !== 'PERIOD_BASED') return;
    for (const name of ['bill_period_from_date', 'bill_period_to_date'] as const)
      if (document[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'Required.' });
  });

/** Historical billing document payload of endpoint 11 (section 2.8). */
export const billingDocumentsPayload = z.strictObject({
  ...identification,
  ledger_code: ledgerCode,
  ledger_number: text().optional(),
  billing_document_type: billingDocumentType,
  historical_billing_documents: z.array(billingDocument).optional(),
  additional_historical_transactions: z.array(transaction).optional(),
});

export type BillingDocumentsPayload = z.infer<typeof billingDocumentsPayload>;
