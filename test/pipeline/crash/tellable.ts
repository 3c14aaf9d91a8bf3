import type { EndpointName } from '../../../src/contract/endpoints.ts';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import type { HttpReply } from './http.ts';

/** What a reply is held against. */
export interface Asked {
  readonly endpoint: EndpointName;
  readonly account: string;
  readonly body: JsonObject;
  /** The account's number on the platform. */
  readonly number: string | undefined;
}

/**
 * Whether a client can know that a reply is not the platform's answer to its request: nothing that the interface gives
 * for the endpoint looks like it, or it names something that was not asked about. Of any other reply nobody could tell.
 */
export function isTellable(reply: HttpReply, asked: Asked): boolean {
  const looksLikeOne = looksLikeRefusal(reply) || looksLikeSuccess(reply, asked);
  return !looksLikeOne || namesAnother(reply, asked) || isOfDryRun(reply, asked);
}

export function isSuccess({ status }: HttpReply): boolean {
  return status === 200 || status === 201;
}

function looksLikeRefusal({ status, mediaType, body }: HttpReply): boolean {
  const isGateways = /"(?:timestamp|message|title)":/.test(body);
  return (status === 400 || status === 404) && mediaType === 'application/json' && !isGateways;
}

/** It says what came of a dry run, which the request was not. */
function isOfDryRun({ body }: HttpReply, asked: Asked): boolean {
  return body.includes('Rolled back due to Dry Run') && asked.body['dry_run'] !== true;
}

/** Endpoints whose answer may say nothing (section 4). */
const mayBeEmpty: ReadonlySet<EndpointName> = new Set([
  'validate',
  'agreements',
  'billingDocuments',
  'statements',
  'paymentInstruction',
]);

function looksLikeSuccess(reply: HttpReply, { endpoint, body: sent }: Asked): boolean {
  if (!isSuccess(reply)) return false;
  const body: JsonValue =
    reply.body === '' ? {} : reply.mediaType === 'application/json' ? parseJson(reply.body) : null;
  const has = (key: string) => isJsonObject(body) && typeof body[key] === 'string';
  switch (endpoint) {
    case 'stage':
      return has('external_account_number');
    case 'process':
      return has('kraken_account_number');
    case 'transferStatus':
      return has('status') && has('kraken_account_number');
    case 'notes':
      return Array.isArray(body) && body.length === lengthOf(sent['notes']);
    case 'transactions':
      return isJsonObject(body) && lengthOf(body['results']) === lengthOf(sent['transactions']);
    default: {
      if (!mayBeEmpty.has(endpoint) || !isJsonObject(body)) return false;
      const keys = Object.keys(body);
      return keys.length === 0 || keys.some((key) => key in sent || key === 'kraken_account_number');
    }
  }
}

function lengthOf(list: JsonValue | undefined): number {
  return Array.isArray(list) ? list.length : NaN;
}

/** Accounts, what belongs to them, and numbers of the platform; all of them begin so. */
const names = /\bE\d+(?:[a-z]\d+)?|\b[AF]-E?\d+/g;

function namesAnother(reply: HttpReply, { account, body, number }: Asked): boolean {
  const own = new Set([account, number, ...(JSON.stringify(body).match(names) ?? [])]);
  return (reply.body.match(names) ?? []).some((name) => !own.has(name));
}
