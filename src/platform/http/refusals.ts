import type { IncomingMessage } from 'node:http';
import { invalid, problem } from '../refusals.ts';
import type { Refused } from '../reply.ts';

export const notFound = {
  nowhere: { status: 404, code: 'not_found', detail: 'There is no endpoint at this path.' },
  'no-slash': {
    status: 404,
    code: 'not_found',
    detail: 'There is no endpoint at this path. Paths end in a slash.',
  },
  malformed: invalid([problem('invalid_path', '', 'The path has an invalid percent-encoding.')]),
} satisfies Record<string, Refused>;

export const unexpected: Refused = { status: 500, code: 'error', detail: 'An unexpected error occurred.' };

export function wrongMethod(allowed: readonly string[]): Refused {
  return {
    status: 405,
    code: 'method_not_allowed',
    detail: `This endpoint accepts only ${allowed.join(' and ')}.`,
    headers: { allow: allowed.join(', ') },
  };
}

export function tooLarge(limit: number): Refused {
  return { status: 413, code: 'request_too_large', detail: `The body is longer than ${limit} bytes.` };
}

/** Every incomplete body takes memory until it is complete. */
export const noRoom: Refused = {
  status: 503,
  code: 'busy',
  detail: 'Too many large requests at once. Try again later.',
  headers: { 'retry-after': '1' },
};

/** JSON in UTF-8, not compressed; or nothing, which needs no type. */
export function unsupportedType(request: IncomingMessage): Refused | undefined {
  if (request.headers['content-length'] === '0') return undefined;
  const { 'content-type': sent, 'content-encoding': coded } = request.headers;
  if (sent === 'application/json' && coded === undefined) return undefined;
  const [type = '', ...parameters] = (sent ?? '').toLowerCase().split(';');
  const encoding = coded ?? 'identity';
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const plain = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (type.trim() === 'application/json' && plain && encoding === 'identity') return undefined;
  return {
    status: 415,
    code: 'unsupported_media_type',
    detail: 'Send application/json in UTF-8, not compressed.',
  };
}

/** What could not be read as HTTP, by the parser's error code. */
export function malformedHttp(code: string | undefined): Refused {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: 431,
      code: 'request_header_fields_too_large',
      detail: 'The request line and headers are too long.',
    };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, code: 'request_timeout', detail: 'The request did not arrive in time.' };
  return { status: 400, code: 'bad_request', detail: 'The request is not valid HTTP.' };
}
