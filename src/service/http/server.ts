import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Dialect } from '../dialect.ts';
import { writeRefusal } from '../dialect.ts';
import { invalid, problem } from '../refusals.ts';
import { isRefused, type Refused } from '../reply.ts';
import type { Outcome } from '../turn.ts';
import { readBody } from './read-body.ts';
import { findPlace, type Place } from './routes.ts';
import { send } from './send.ts';

/** How much, and how long, a sender may keep the platform busy. */
export interface HttpLimits {
  /** Longest body, in bytes. */
  readonly bodyBytes: number;
  /** Time for a request's head, for all of it, and between bytes in either direction, in milliseconds. */
  readonly headMs: number;
  readonly requestMs: number;
  readonly silenceMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 8 * 1024 * 1024,
  headMs: 10_000,
  requestMs: 60_000,
  silenceMs: 120_000,
};

export interface ServerOptions {
  readonly limits: HttpLimits;
  readonly platformId: string;
  dialect(): Dialect;
  /** Whether the Authorization header may pass. */
  admits(authorization: string | undefined): boolean;
  respond(place: Place, bytes: Buffer): Promise<Outcome>;
  /** Told of every answer, and of every connection closed without one (status 0). */
  answered(request: IncomingMessage, place: Place | undefined, status: number, startedAt: number): void;
  now(): number;
}

/** The platform's HTTP side: which request is heard, and how every answer is written. */
export function createPlatformServer(options: ServerOptions): Server {
  const { limits } = options;
  const idHeader = { 'x-platform-id': options.platformId };

  const outcomeOf = async (request: IncomingMessage, place: Place): Promise<Outcome | undefined> => {
    if (place.name !== 'token' && !options.admits(request.headers.authorization)) return unauthorized;
    if (place.method === 'GET') return options.respond(place, Buffer.alloc(0));
    const unsupported = unsupportedType(request);
    if (unsupported !== undefined) return unsupported;
    const body = await readBody(request, limits.bodyBytes);
    if (body === 'cut-off') return undefined;
    return body === 'too-large' ? tooLarge(limits.bodyBytes) : options.respond(place, body.bytes);
  };

  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = options.now();
    const found = findPlace(request.url ?? '');
    const place = found.kind === 'place' ? found.place : undefined;
    let outcome: Outcome | undefined;
    try {
      if (place === undefined) outcome = notFound[found.kind as keyof typeof notFound];
      else if (request.method !== place.method) outcome = wrongMethod(place.method);
      else outcome = await outcomeOf(request, place);
    } catch {
      outcome = unexpected;
    }
    if (outcome === undefined) {
      options.answered(request, place, 0, startedAt);
      return;
    }
    const reply = isRefused(outcome) ? writeRefusal(outcome, options.dialect()) : outcome;
    await send(response, { ...reply, headers: { ...reply.headers, ...idHeader } });
    options.answered(request, place, reply.status, startedAt);
  };

  const server = createServer(
    {
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.headMs),
      keepAliveTimeout: limits.silenceMs,
      noDelay: true,
    },
    (request, response) => {
      hear(request, response).catch(() => response.destroy());
    },
  );
  server.setTimeout(limits.silenceMs);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const refused = malformed[error.code ?? ''] ?? badRequest;
    const { status, body = '' } = writeRefusal(refused, options.dialect());
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-platform-id: ${options.platformId}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

const nowhere: Refused = { status: 404, code: 'not_found', detail: 'There is no endpoint at this path.' };

const notFound = {
  nowhere,
  'no-slash': {
    status: 404,
    code: 'not_found',
    detail: 'There is no endpoint at this path. Paths end in a slash.',
  },
  malformed: invalid([problem('invalid_path', '', 'The path holds a percent sign that escapes nothing.')]),
} satisfies Record<string, Refused>;

const unauthorized: Refused = {
  status: 401,
  code: 'authentication_failed',
  detail: 'Send a token that has not expired: Authorization: Token <ACCESS_TOKEN>.',
  headers: { 'www-authenticate': 'Token' },
};

const unexpected: Refused = { status: 500, code: 'error', detail: 'An unexpected error occurred.' };
const badRequest: Refused = { status: 400, code: 'bad_request', detail: 'The request is not valid HTTP.' };

const malformed: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'request_header_fields_too_large',
    detail: 'The request line and headers are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The request did not arrive in time.',
  },
};

function wrongMethod(allowed: string): Refused {
  return {
    status: 405,
    code: 'method_not_allowed',
    detail: `This endpoint takes ${allowed} alone.`,
    headers: { allow: allowed },
  };
}

function tooLarge(limit: number): Refused {
  return {
    status: 413,
    code: 'request_too_large',
    detail: `The body is longer than ${limit} bytes.`,
  };
}

/** JSON in UTF-8, not compressed. */
function unsupportedType(request: IncomingMessage): Refused | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const plain = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (type.trim() === 'application/json' && plain && encoding === 'identity') return undefined;
  return {
    status: 415,
    code: 'unsupported_media_type',
    detail: 'Send application/json in UTF-8, not compressed.',
  };
}
