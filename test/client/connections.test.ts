import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeOf } from '../../src/client/failure-cause.ts';
import { clientOf, listen, notingPlatform, platform, sendJson } from './loopback.ts';

const long = 30_000;

/** A server below HTTP: every connection is handed over. */
async function tcp(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return listen(server);
}

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An HTTP answer whose body is shorter than it says. */
const halfAnswer = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n${body}`;

/** What `post` says when the connection is closed after these bytes. */
async function answeredAndClosed(bytes: string, endpoint: 'process' | 'agreements' = 'process') {
  const port = await tcp((socket) => socket.once('data', () => socket.end(bytes)));
  return clientOf(`http://127.0.0.1:${port}`).post(endpoint, '{}');
}

describe('a request that never left is not sent', () => {
  it('when nobody listens', async () => {
    const client = clientOf(`http://127.0.0.1:${await closedPort()}`);
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'connection_refused' });
  });

  it('when the host has no address', async () => {
    const client = clientOf(`http://${'a'.repeat(64)}:1234`);
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'dns' });
  });

  it('when the port does not speak TLS', async () => {
    const url = await platform((_request, response) => sendJson(response, 200, {}));
    const client = clientOf(url.replace('http:', 'https:'));
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'tls' });
  });

  it('when the other side cannot prove who it is', async () => {
    const port = await listen(createTlsServer());
    const client = clientOf(`https://127.0.0.1:${port}`);
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'tls' });
  });

  it('when the other side hangs up before TLS stands', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.destroy()));
    const client = clientOf(`https://127.0.0.1:${port}`);
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'connection_reset' });
  });

  it('when the client was closed before', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, {}));
    const client = clientOf(url);
    await client.close();
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'closed' });
    expect(seen).toHaveLength(0);
  });

  it('however many wait for a connection, and the next ones arrive once somebody listens', async () => {
    const port = await closedPort();
    const client = clientOf(`http://127.0.0.1:${port}`);
    const posts = () => Promise.all(Array.from({ length: 50 }, () => client.post('validate', '{}')));
    for (const answer of await posts())
      expect(answer).toEqual({ kind: 'not-sent', cause: 'connection_refused' });

    const connections = new Set<Socket>();
    const server = createServer((request, response) => {
      connections.add(request.socket);
      sendJson(response, 200, {});
    });
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    for (const answer of await posts()) expect(answer.kind).toBe('ok');
    expect(connections.size).toBeLessThanOrEqual(4);
  });
});

describe('a request that left without an answer is unknown', () => {
  it('when the connection is closed', async () => {
    expect(await answeredAndClosed('')).toEqual({ kind: 'unknown', cause: 'connection_reset' });
  });

  it('when the connection is reset', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const answer = await clientOf(`http://127.0.0.1:${port}`).post('process', '{}');
    expect(answer).toEqual({ kind: 'unknown', cause: 'connection_reset' });
  });

  it('when the answer is no HTTP', async () => {
    expect(await answeredAndClosed('SSH-2.0-OpenSSH_9.6\r\n')).toEqual({
      kind: 'unknown',
      cause: 'unreadable_answer',
    });
  });

  it.each(['HTTP/1.1 20', 'HTTP/1.1 201 Created\r\ncontent-ty'])(
    'when it breaks off in the head: %j',
    async (bytes) => {
      expect(await answeredAndClosed(bytes)).toMatchObject({ kind: 'unknown', cause: 'connection_reset' });
    },
  );

  it.each([
    halfAnswer('201 Created', '{"kraken_account_number":"A-1"}'),
    'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n1f\r\n{"kraken_account_number":"A-1"}\r\n',
  ])('when its body breaks off: %j', async (bytes) => {
    expect(await answeredAndClosed(bytes)).toEqual({
      kind: 'unknown',
      cause: 'connection_reset',
      status: 201,
    });
  });

  it('when its body breaks off as if it had ended', async () => {
    const head = 'HTTP/1.1 201 Created\r\nconnection: close\r\n';
    const answers = [
      await answeredAndClosed(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
      await answeredAndClosed(`${head}\r\n{"kraken_account_number":"A-`),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ kind: 'unknown', status: 201 });
  });

  it('when a refusal breaks off, unless its status says enough', async () => {
    expect(await answeredAndClosed(halfAnswer('400 Bad Request', '{"detail":"Rolled'))).toEqual({
      kind: 'unknown',
      cause: 'connection_reset',
      status: 400,
    });
    const throttled = await answeredAndClosed(halfAnswer('429 Too Many Requests', ''));
    expect(throttled).toEqual({ kind: 'throttled', status: 429 });
    const unauthorized = await answeredAndClosed(halfAnswer('401 Unauthorized', ''));
    expect(unauthorized).toMatchObject({ kind: 'unauthorized', status: 401 });
  });

  it('when the rest of a success is lost, though its body may be empty', async () => {
    expect(await answeredAndClosed(halfAnswer('201 Created', ''), 'agreements')).toEqual({
      kind: 'unknown',
      cause: 'connection_reset',
      status: 201,
    });
  });

  it('when a kept-alive connection is reset under it, and it is not sent again', async () => {
    let heads = 0;
    const port = await tcp((socket) =>
      socket.on('data', (bytes) => {
        heads += bytes.toString('latin1').split('POST ').length - 1;
        if (heads === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        else socket.resetAndDestroy();
      }),
    );
    const client = clientOf(`http://127.0.0.1:${port}`);
    expect(await client.post('validate', '{}')).toMatchObject({ kind: 'ok' });
    expect(await client.post('process', '{}')).toEqual({ kind: 'unknown', cause: 'connection_reset' });
    expect(heads).toBe(2);
  });
});

describe('a connection that the platform closes between two requests', () => {
  it('costs nothing: the next request takes a new one', async () => {
    let connections = 0;
    const port = await tcp((socket) => {
      connections++;
      // It says nothing of closing, and closes.
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
    });
    const client = clientOf(`http://127.0.0.1:${port}`, { connections: 1 });
    for (let count = 1; count <= 3; count++)
      expect(await client.post('validate', '{}')).toMatchObject({ kind: 'ok' });
    expect(connections).toBe(3);
  });
});

it('gives up in time, whatever the other side is silent about', async () => {
  const silent = await tcp(() => undefined);
  const silentInBody = await tcp((socket) =>
    socket.once('data', () => socket.write(halfAnswer('201 Created', '{"kr'))),
  );
  const connecting = clientOf(`https://127.0.0.1:${silent}`, {
    timeouts: { connect: 5, headers: long, body: long, request: long },
  });
  const awaitingHeaders = clientOf(`http://127.0.0.1:${silent}`, {
    timeouts: { connect: long, headers: 5, body: long, request: long },
  });
  const awaitingBody = clientOf(`http://127.0.0.1:${silentInBody}`, {
    timeouts: { connect: long, headers: long, body: 5, request: long },
  });
  const clients = [connecting, awaitingHeaders, awaitingBody];
  expect(await Promise.all(clients.map((client) => client.post('process', '{}')))).toEqual([
    { kind: 'not-sent', cause: 'connect_timeout' },
    { kind: 'unknown', cause: 'headers_timeout' },
    { kind: 'unknown', cause: 'body_timeout', status: 201 },
  ]);
});

it('interim answers are passed over', async () => {
  const url = await platform((_request, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    sendJson(response, 201, { kraken_account_number: 'A-1' });
  });
  expect(await clientOf(url).post('process', '{}')).toMatchObject({ kind: 'ok', status: 201 });
});

describe('a request that is aborted', () => {
  it('before it began is not sent', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, {}));
    const answer = await clientOf(url).post('process', '{}', { signal: AbortSignal.abort() });
    expect(answer).toEqual({ kind: 'not-sent', cause: 'aborted' });
    expect(seen).toHaveLength(0);
  });

  it('while it waits for its turn is not sent, and never will be', async () => {
    const arrived: string[] = [];
    const stop = new AbortController();
    const url = await platform((request, response) => {
      arrived.push(String(request.url));
      if (arrived.length === 1) stop.abort();
      setImmediate(() => sendJson(response, 200, {}));
    });
    const client = clientOf(url, { connections: 1 });
    const first = client.post('validate', '{}');
    const second = client.post('process', '{}', { signal: stop.signal });
    expect(await second).toEqual({ kind: 'not-sent', cause: 'aborted' });
    expect(await first).toMatchObject({ kind: 'ok' });
    expect(await client.post('validate', '{}')).toMatchObject({ kind: 'ok' });
    expect(arrived).toEqual(Array(2).fill('/v1/data-import/validate-account/'));
  });

  it('while it connects is not sent', async () => {
    const stop = new AbortController();
    const port = await tcp((socket) =>
      socket.once('data', () => {
        stop.abort();
        socket.destroy();
      }),
    );
    const client = clientOf(`https://127.0.0.1:${port}`);
    const answer = await client.post('process', '{}', { signal: stop.signal });
    expect(answer).toEqual({ kind: 'not-sent', cause: 'aborted' });
  });

  it('after it left is unknown', async () => {
    const stop = new AbortController();
    const url = await platform(() => stop.abort());
    const answer = await clientOf(url).post('process', '{}', { signal: stop.signal });
    expect(answer).toEqual({ kind: 'unknown', cause: 'aborted' });
  });

  it('in the middle of its answer is unknown', async () => {
    const stop = new AbortController();
    const port = await tcp((socket) =>
      socket.once('data', () => {
        socket.write(halfAnswer('400 Bad Request', '{'), () => setImmediate(() => stop.abort()));
      }),
    );
    const client = clientOf(`http://127.0.0.1:${port}`);
    const answer = await client.post('process', '{}', { signal: stop.signal });
    expect(answer).toMatchObject({ kind: 'unknown', cause: 'aborted' });
  });
});

describe('a base URL', () => {
  it('is an origin, and a path that precedes those of the interface', () => {
    expect(clientOf('https://api.example.com/').address).toBe('https://api.example.com');
    expect(clientOf('http://[::1]:8080').address).toBe('http://[::1]:8080');
    expect(clientOf('https://example.com/kraken//').address).toBe('https://example.com/kraken');
  });

  it.each([
    'api.example.com',
    'ftp://example.com',
    'https://example.com/?tenant=1',
    'https://user:pass@example.com',
  ])('is refused when it is anything else: %s', (url) => {
    expect(() => clientOf(url)).toThrow('The base URL must be a scheme, a host and a port');
  });
});

describe('the cause of a failure', () => {
  it.each([
    ['EAI_AGAIN', 'dns'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['ENETUNREACH', 'host_unreachable'],
    ['ETIMEDOUT', 'connect_timeout'],
    ['CERT_HAS_EXPIRED', 'certificate_expired'],
    ['CERT_NOT_YET_VALID', 'certificate_not_yet_valid'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_self_signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_wrong_host'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
    ['CERT_REVOKED', 'certificate_revoked'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['UND_ERR_HEADERS_OVERFLOW', 'headers_too_large'],
    ['EMFILE', 'too_many_open_files'],
  ])('%s is %s', (code, cause) => {
    expect(causeOf(Object.assign(new Error('told nobody'), { code }))).toBe(cause);
  });
});
