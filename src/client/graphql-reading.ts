import { nothingSent } from '../contract/sent-values.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { unreadable, type ReplyReading } from './classify-response.ts';
import { readJson } from './read-json.ts';

/**
 * Reads the answer to a GraphQL query: JSON with `data` or `errors`, which some servers send with a 4xx. The status decides
 * for any other body, and always for 401 and 429.
 */
export const graphqlReading: ReplyReading<JsonValue> = {
  // The statuses of a question without an effect.
  request: { endpoint: 'transferStatus', payload: () => ({}), sent: nothingSent },
  isQuestion: true,
  success(reply) {
    const body = reply.fault === undefined ? readJson(reply.body) : undefined;
    return body === undefined ? unreadable(reply) : { kind: 'ok', status: reply.status, body };
  },
  anyway(reply) {
    if (reply.fault !== undefined || reply.status < 400 || reply.status >= 500) return undefined;
    if (reply.status === 401 || reply.status === 429) return undefined;
    const body = readJson(reply.body);
    const isGraphql = isJsonObject(body) && Array.isArray(body['errors']);
    return isGraphql ? { kind: 'ok', status: reply.status, body } : undefined;
  },
};
