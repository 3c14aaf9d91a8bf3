import { stringifyJson, type JsonValue } from '../../domain/json.ts';
import type { PlatformReply } from '../reply.ts';
import type { GatewayBody } from './fault-rules.ts';

/** JSON as a gateway, a firewall or a framework writes it, with this status. */
export function gatewayJson(status: number, body: GatewayBody): PlatformReply {
  return {
    status,
    body: stringifyJson(bodyOf(status, body)),
    headers: { 'content-type': 'application/json' },
  };
}

function bodyOf(status: number, body: GatewayBody): JsonValue {
  switch (body) {
    case 'spring':
      return { timestamp: '2026-01-01T00:00:00.000+00:00', status, error: 'Error', path: '/v1/data-import/' };
    case 'kong':
      return { message: 'no Route matched with those values' };
    case 'code':
      return { code: 'REQUEST_REJECTED', message: 'The request was rejected.' };
    case 'error':
      return { error: { code: 'Rejected', message: 'The request was rejected.' } };
    case 'errors':
      return { errors: [{ status: String(status), code: 'rejected', detail: 'The request was rejected.' }] };
    case 'problem':
      return { type: 'about:blank', title: 'Error', status, detail: 'The request was rejected.' };
    case 'detail':
      return { detail: 'Not Found' };
  }
}
