import { pathFor } from '../contract/endpoints.ts';
import { meterPointStatusesAnswer, noMeterPointsAnswer, registrationAnswer } from '../contract/answers.ts';
import { registrationEndpoints, type RegistrationEndpointName } from '../contract/registration.ts';
import type { RefusedRequest } from '../contract/refusal.ts';
import { nothingSent } from '../contract/sent-values.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { Reply, WireRequest } from './http-exchange.ts';
import { unreadable, type ReplyReading } from './classify-response.ts';
import type { Answer, MeterPoint, MeterPointClient, RegisteredMeterPoint } from './platform-client.ts';
import { readJson } from './read-json.ts';
import { isJsonMedia } from './read-success.ts';

type Send = <T>(
  request: Pick<WireRequest, 'method' | 'path' | 'body' | 'signal'> & { readonly fresh?: boolean },
  reading: ReplyReading<T>,
) => Promise<Answer<T>>;

/** The requests about the meter points of an account. */
export function meterPointRequests(send: Send): MeterPointClient {
  return {
    statuses: (key, { signal } = {}) =>
      send(
        { method: 'GET', path: pathOf('meterPointStatuses', key), signal },
        {
          request: requestOf('meterPointStatuses'),
          success: readStatuses,
          anyway: (reply) => (reply.status === 404 && saysNone(reply) ? ok(reply, []) : undefined),
          isQuestion: true,
        },
      ),
    register: (key, { signal } = {}) =>
      send(
        // It is not said whether a second request is harmless.
        { method: 'POST', path: pathOf('sendRegistration', key), signal, fresh: true },
        { request: requestOf('sendRegistration'), success: (reply) => readRegistered(reply, key) },
      ),
  };
}

function pathOf(name: RegistrationEndpointName, { supplier, account }: AccountKey): string {
  return pathFor(registrationEndpoints[name], supplier, account);
}

function requestOf(endpoint: RegistrationEndpointName): RefusedRequest {
  return { endpoint, payload: () => ({}), sent: nothingSent };
}

function jsonIn({ fault, body, mediaType }: Reply): unknown {
  return fault === undefined && isJsonMedia(mediaType) ? readJson(body) : undefined;
}

/** A page of a gateway says nothing about the account. */
function saysNone(reply: Reply): boolean {
  return noMeterPointsAnswer.safeParse(jsonIn(reply)).success;
}

function readStatuses(reply: Reply): Answer<readonly MeterPoint[]> {
  const read = meterPointStatusesAnswer.safeParse(reply.status === 200 ? jsonIn(reply) : undefined);
  return read.success ? ok(reply, read.data) : unreadable(reply);
}

/** 200 that names the account, and says of each meter point what became of it. */
function readRegistered(reply: Reply, key: AccountKey): Answer<readonly RegisteredMeterPoint[]> {
  const read = registrationAnswer.safeParse(reply.status === 200 ? jsonIn(reply) : undefined);
  if (!read.success) return unreadable(reply);
  const { external_account_number: account, import_supplier_code: supplier, meter_points: all } = read.data;
  if (account !== key.account || supplier !== key.supplier)
    return { kind: 'unknown', cause: 'answer_mismatch', status: reply.status };
  return ok(
    reply,
    all.map(({ mpxn, status }) => ({ mpxn, isRegistered: status === 'REGISTRATION_FLOW_SUCCESS' })),
  );
}

function ok<T>({ status }: Reply, body: T): Answer<T> {
  return { kind: 'ok', status, body };
}
