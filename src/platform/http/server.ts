import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { challengeHeader, proofHeader } from '../../contract/embedded-proof.ts';
import { unauthorized } from '../refusals.ts';
import { isAnsweredWhole, type Refused, type PlatformReply } from '../reply.ts';
import { rawHead, type Pause } from './raw-answer.ts';
import {
  malformedHttp,
  noRoom,
  notFound,
  tooLarge,
  unexpected,
  unsupportedType,
  wrongMethod,
} from './refusals.ts';
import type { FindAdded } from './added-places.ts';
import { findPlace, type Door, type RoutedRequest } from './routes.ts';
import { send, sendSecondCopy } from './send.ts';

/** How much, and how long, a sender may keep the platform busy; times in milliseconds. */
export interface HttpLimits {
  /** Longest body, in bytes. */
  readonly bodyBytes: number;
  /** Bodies under way, all together, in bytes. */
  readonly heldBytes: number;
  /** For a request's head. */
  readonly headMs: number;
  /** For all of a request. */
  readonly requestMs: number;
  /** Between bytes, in either direction, and between requests. */
  readonly silenceMs: number;
  /** The interval at which the two times above are checked. */
  readonly checkMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 8 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  headMs: 10_000,
  requestMs: 60_000,
  silenceMs: 120_000,
  checkMs: 1000,
};

export interface ServerOptions {
  readonly limits: HttpLimits;
  readonly platformId: string;
  /** Proves to a challenge that this is the platform of its keys. */
  readonly prove: (challenge: string) => string;
  /** Writes a refusal in the operator's dialect. */
  readonly write: (refused: Refused) => PlatformReply;
  /** Whether the Authorization header grants access; undefined if there is no such access. */
  readonly admits: (door: Door, authorization: string | undefined) => boolean | undefined;
  readonly findAdded: FindAdded;
  readonly respond: (
    place: RoutedRequest,
    method: string,
    bytes: Buffer,
    authorization: string | undefined,
  ) => Promise<PlatformReply>;
  /** Told of every answer, and of every connection closed without one (status 0). */
  readonly answered: (heard: HeardRequest) => void;
  readonly now: () => number;
  readonly pause: Pause;
}

export interface HeardRequest {
  readonly method: string;
  readonly place: RoutedRequest | undefined;
  /** 0 if no answer was given. */
  readonly status: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What the platform did not expect. */
  readonly fault?: unknown;
}

const noBytes = Buffer.alloc(0);

/** The platform's HTTP side: which request is heard, and how every answer is written. */
export function createPlatformServer(options: ServerOptions): Server {
  const { limits, write } = options;
  const readBody = createBodyReader(limits);

  /** undefined if the request broke off. */
  const replyTo = async (
    request: IncomingMessage,
    place: RoutedRequest,
    method: string,
  ): Promise<PlatformReply | undefined> => {
    const { authorization } = request.headers;
    const admitted = options.admits(place.door, authorization);
    if (admitted === undefined) return write(notFound.nowhere);
    if (!place.methods.includes(method)) return write(wrongMethod(place.methods));
    if (!admitted) return write(unauthorized);
    if (method === 'GET') return await options.respond(place, method, noBytes, authorization);
    const unsupported = unsupportedType(request);
    if (unsupported !== undefined) return write(unsupported);
    const body = await readBody(request);
    if (body === 'cut-off') return undefined;
    if (body === 'too-large') return write(tooLarge(limits.bodyBytes));
    if (body === 'no-room') return write(noRoom);
    return await options.respond(place, method, body.bytes, authorization);
  };

  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = options.now();
    sendSecondCopy(request.socket);
    const challenge = request.headers[challengeHeader];
    if (typeof challenge === 'string') response.setHeader(proofHeader, options.prove(challenge));
    const method = request.method ?? '';
    const found = findPlace(request.url ?? '', options.findAdded);
    const place = found.kind === 'place' ? found.place : undefined;
    let reply: PlatformReply | undefined;
    let fault: unknown;
    try {
      reply =
        found.kind === 'place' ? await replyTo(request, found.place, method) : write(notFound[found.kind]);
    } catch (error) {
      fault = error;
      reply = write(unexpected);
    }
    const status = reply !== undefined && isAnsweredWhole(reply) ? reply.status : 0;
    if (reply !== undefined) await send(response, reply, options.platformId, options.pause);
    options.answered({ method, place, status, startedAt, fault });
  };

  const server = createServer(
    {
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.silenceMs,
      noDelay: true,
    },
    (request, response) => {
      hear(request, response).catch((fault: unknown) => {
        response.destroy();
        options.answered({
          method: request.method ?? '',
          place: undefined,
          status: 0,
          startedAt: options.now(),
          fault,
        });
      });
    },
  );
  server.setTimeout(limits.silenceMs);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, body = '' } = write(malformedHttp(error.code));
    const headers = ['x-platform-id', options.platformId, 'content-type', 'application/json'];
    headers.push('content-length', String(Buffer.byteLength(body)), 'connection', 'close');
    socket.end(rawHead(status, headers) + body);
  });
  return server;
}

type Body = { readonly bytes: Buffer } | 'too-large' | 'no-room' | 'cut-off';

/**
 * Makes a reader of request bodies that holds no more bytes at once than the limits say, one body or all of them
 * together. What is too much is read to its end and let go, so that the sender hears the answer; eight times too much
 * closes the connection.
 */
function createBodyReader({ bodyBytes, heldBytes }: HttpLimits): (request: IncomingMessage) => Promise<Body> {
  let heldByAll = 0;
  return (request) =>
    new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let [length, held] = [0, 0];
      let refused: 'too-large' | 'no-room' | undefined;
      const letGo = (): void => {
        heldByAll -= held;
        [chunks, held] = [[], 0];
      };
      const end = (body: Body): void => {
        letGo();
        resolve(body);
      };
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > 8 * bodyBytes) request.destroy();
        if (length > bodyBytes) refused ??= 'too-large';
        else if (heldByAll + chunk.length > heldBytes) refused ??= 'no-room';
        if (refused !== undefined) letGo();
        else {
          chunks.push(chunk);
          held += chunk.length;
          heldByAll += chunk.length;
        }
      });
      request.on('end', () => end(refused ?? { bytes: joined(chunks) }));
      request.on('close', () => end('cut-off'));
      request.on('error', () => end('cut-off'));
    });
}

/** Most bodies arrive at once, and need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only, another] = chunks;
  return only !== undefined && another === undefined ? only : Buffer.concat(chunks);
}
