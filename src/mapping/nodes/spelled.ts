import type { JsonObject } from '../../domain/json.ts';

/** The payload with its account's number as everything else that is sent of it: the cell may have another spelling. */
export function spelled(payload: JsonObject, account: string): JsonObject {
  const number = payload['external_account_number'];
  if (typeof number !== 'string' || number === account) return payload;
  return number.normalize('NFC') === account.normalize('NFC')
    ? { ...payload, external_account_number: account }
    : payload;
}
