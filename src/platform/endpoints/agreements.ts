import { createHash } from 'node:crypto';
import { schemaCheck } from '../../contract/tenancy/payload-check.ts';
import { agreementFields } from '../../contract/schemas/account.ts';
import { date } from '../../contract/schemas/fields.ts';
import { array, openObject, optional, type Schema } from '../../contract/schemas/schema.ts';
import type { JsonObject } from '../../domain/json.ts';
import { canonicalJson } from '../http/json-body.ts';
import { accountNotFound, invalid } from '../refusals.ts';
import type { ServedEndpoint } from './endpoint.ts';

const historicalAgreement = openObject({ ...agreementFields, effective_to: optional(date) });

const filled: Schema<string> = { type: 'string', minLength: 1 };

/**
 * The payload is not shown (section 2.10), so any is taken. Where it has agreements in one of these places, they
 * follow the agreement objects of section 2.3.
 */
export const agreementsBody = openObject({
  supply_point_identifier: optional(filled),
  agreement: optional(historicalAgreement),
  agreements: optional(array(historicalAgreement)),
});

const bodyCheck = schemaCheck(agreementsBody);

/** Endpoint 10: 201 when the agreements are new, 200 when the account has the very same payload already. */
export const agreements: ServedEndpoint = {
  description: {
    summary: 'Add historical agreements; 200 if the account already has the same payload',
    statuses: ['404'],
  },
  step: 'agreements',
  answer({ key, body, text }, context) {
    // The payload was read as a JSON object.
    const problems = bodyCheck.problems(body as JsonObject);
    if (problems.length > 0) return invalid(problems);
    const account = context.store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const hash = createHash('sha256')
      .update(canonicalJson(body as JsonObject))
      .digest('base64url');
    return { status: context.store.addAgreement(account, hash, text) ? 201 : 200 };
  },
};
