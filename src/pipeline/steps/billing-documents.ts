import { hasCode, type Refusal } from '../../contract/refusal.ts';
import type { JsonObject } from '../../domain/json.ts';
import { ledgerFinalizedCode } from '../../domain/shared-codes.ts';
import type { Settings } from '../settings.ts';
import type { PayloadsStep } from './payloads.ts';

/**
 * Adds the historical billing documents (endpoint 11), one request for each ledger and never split, because each
 * ledger accepts one (section 4, rule 7). This makes a repeat after a lost answer safe if the request has a document:
 * accepted means done; refused leaves open whether the first attempt or another import filled the ledger.
 */
export function billingDocuments({ tenancy }: Settings): PayloadsStep {
  const { billingRefusalCountsAsOurs } = tenancy;
  return {
    kind: 'payloads',
    step: 'billing-documents',
    endpoint: 'billingDocuments',
    policy: (payload, all) => ({
      namesNothing: true,
      get whenLost() {
        return holdsDocument(payload()) ? 'repeat' : 'uncertain';
      },
      get bearsWitness() {
        return holdsDocument(payload());
      },
      provesOurs: (refusal) => billingRefusalCountsAsOurs && saysFinalized(refusal),
      saysThere: (refusal) => saysFinalized(refusal) && isOnly(payload(), all()),
    }),
  };
}

/** No other payload of the account is about its ledger. */
function isOnly({ ledger_code: ledger }: JsonObject, all: readonly JsonObject[]): boolean {
  return all.filter((other) => other['ledger_code'] === ledger).length === 1;
}

function holdsDocument(payload: JsonObject): boolean {
  const documents = payload['historical_billing_documents'];
  return Array.isArray(documents) && documents.length > 0;
}

/** Whether a code says that the ledger has documents, and no problem is about a field of the payload. */
function saysFinalized(refusal: Refusal): boolean {
  const ofLedger = new Set(['', 'ledger_code', 'ledger_number']);
  return hasCode(refusal, ledgerFinalizedCode) && refusal.problems.every(({ path }) => ofLedger.has(path));
}
