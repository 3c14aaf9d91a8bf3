import type { BillingDocumentsPayload } from '../../contract/schemas/billing-documents.ts';
import { accountNotFound, invalid, problem } from '../refusals.ts';
import type { ServedEndpoint } from './endpoint.ts';

/** Endpoint 11: usable once per ledger; empty body (section 4, rule 7). */
export const billingDocuments: ServedEndpoint = {
  description: { summary: 'Add historical billing documents, once per ledger', statuses: ['404'] },
  step: 'billing-documents',
  answer({ key, body, text }, { store }) {
    const payload = body as BillingDocumentsPayload;
    const account = store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const ledger = { code: payload.ledger_code, number: payload.ledger_number ?? '' };
    if (store.isFinalized(account, ledger))
      return invalid([
        problem(
          'ledger_has_finalized_billing_document',
          'ledger_code',
          'The ledger already has a finalized billing document.',
        ),
      ]);
    store.addBillingImport(account, ledger, payload.historical_billing_documents?.length ?? 0, text);
    return { status: 201 };
  },
};
