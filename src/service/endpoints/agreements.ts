import { createHash } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import { canonicalJson } from '../canonical-json.ts';
import { accountNotFound } from '../refusals.ts';
import type { PostEndpoint } from './endpoint.ts';

/** Endpoint 10: 201 when the agreements are new, 200 when the account has the very same payload already. */
export const agreements: PostEndpoint = {
  step: 'agreements',
  answer({ key, body, text }, desk) {
    const account = desk.store.findAccount(key);
    if (typeof account?.number !== 'number') return accountNotFound;
    const hash = createHash('sha256')
      .update(canonicalJson(body as JsonObject))
      .digest('base64url');
    return { status: desk.store.addAgreement(account.id, hash, text) ? 201 : 200 };
  },
};
