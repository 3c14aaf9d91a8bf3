import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { createClient, type ClientOptions } from '../../src/client/create-client.ts';
import type { PlatformClient } from '../../src/client/platform-client.ts';

/** Listens on a free loopback port until the test ends; gives the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A platform that answers with `answer`; gives its base URL. */
export async function platform(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listen(server)}`;
}

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A platform that notes every request and then answers it. */
export async function notingPlatform(
  answer: (response: ServerResponse, request: SeenRequest) => void,
): Promise<{ readonly url: string; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const url = await platform((request, response) => {
    void text(request).then((body) => {
      const noted = { method: request.method, url: request.url, headers: request.headers, body };
      seen.push(noted);
      answer(response, noted);
    });
  });
  return { url, seen };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An instant that stands still: 2026-03-01T12:00:00Z. */
export const noon = Date.UTC(2026, 2, 1, 12);

/** In milliseconds: longer than any test. */
export const generous = { connect: 30_000, headers: 30_000, body: 30_000, request: 60_000 };

/** It stays noon until the test ends. */
export const stillClock: Clock = {
  now: () => noon,
  monotonic: () => 0,
  sleep: (_ms, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    }),
};

/** A client with generous timeouts and a token of its own, closed when the test ends. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): PlatformClient {
  const client = createClient({
    baseUrl,
    credentials: { token: 'secret-token' },
    connections: 4,
    timeouts: generous,
    clock: stillClock,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
