import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readShape } from '../../contract/check.ts';
import { agreement } from '../../contract/schemas/account.ts';
import { date } from '../../contract/schemas/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { canonicalJson } from '../canonical-json.ts';
import { accountNotFound, invalid } from '../refusals.ts';
import type { PostEndpoint } from './endpoint.ts';

const historicalAgreement = z.looseObject({ ...agreement.shape, effective_to: date.optional() });

/**
 * The payload is not shown (section 2.10), so any is taken. Where it has agreements in one of these places, they
 * follow the agreement objects of section 2.3.
 */
export const agreementsBody = z.looseObject({
  supply_point_identifier: z.string().min(1).optional(),
  agreement: historicalAgreement.optional(),
  agreements: z.array(historicalAgreement).optional(),
});

/** Endpoint 10: 201 when the agreements are new, 200 when the account has the very same payload already. */
export const agreements: PostEndpoint = {
  step: 'agreements',
  answer({ key, body, text }, context) {
    const shape = readShape(agreementsBody, body);
    if (!shape.ok) return invalid(shape.problems);
    const account = context.store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const hash = createHash('sha256')
      .update(canonicalJson(body as JsonObject))
      .digest('base64url');
    return { status: context.store.addAgreement(account, hash, text) ? 201 : 200 };
  },
};
