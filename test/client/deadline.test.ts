import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SteppingClock, until } from '../platform/stepping-clock.ts';
import { clientOf, generous, listen, platform, sendJson } from './loopback.ts';
import { tunnelProxy } from './tunnel-proxy.ts';

const done = '{"kraken_account_number":"A-1"}';
const answer = `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${done.length}\r\n\r\n${done}`;

/** A server that speaks for itself: `speak` is called for each request of a connection. Gives its port. */
function speaking(speak: (socket: Socket) => void): Promise<number> {
  return listen(
    createServer((socket) => {
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.on('data', () => speak(socket));
    }),
  );
}

const at = (port: number): string => `http://127.0.0.1:${port}`;

/** Says something again and again, until nobody listens. */
function drip(socket: Socket, what: string): void {
  if (socket.writable) socket.write(what, () => setImmediate(() => drip(socket, what)));
}

describe('a request is given up as a whole, though', () => {
  const timeouts = { ...generous, request: 190_000 };

  /** What comes of a request when its time has passed, and it had begun to be answered. */
  async function givenUp(speak: (socket: Socket) => void): Promise<unknown> {
    const clock = new SteppingClock();
    let heard = false;
    const port = await speaking((socket) => {
      heard = true;
      speak(socket);
    });
    const asked = clientOf(at(port), { timeouts, clock }).post('process', '{}');
    await until(() => heard);
    clock.advance(189_999);
    expect(await Promise.race([asked, new Promise((resolve) => setImmediate(resolve))])).toBeUndefined();
    clock.advance(1);
    return asked;
  }

  it('its answer drips', async () => {
    const head = 'HTTP/1.1 201 Created\r\ncontent-length: 9000000\r\n\r\n';
    const given = await givenUp((socket) => {
      socket.write(head);
      drip(socket, ' ');
    });
    expect(given).toMatchObject({ kind: 'unknown', cause: 'request_timeout' });
  });

  it('interim answers come without end', async () => {
    const given = await givenUp((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'));
    expect(given).toEqual({ kind: 'unknown', cause: 'request_timeout' });
  });

  it('the token that it waits for drips: then it was not sent', async () => {
    const clock = new SteppingClock();
    let heard = false;
    const port = await speaking((socket) => {
      heard = true;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
      drip(socket, ' ');
    });
    const client = clientOf(at(port), { timeouts, clock, credentials: { apiKey: 'key' } });
    const asked = client.post('process', '{}');
    await until(() => heard);
    clock.advance(190_000);
    expect(await asked).toEqual({ kind: 'not-sent', cause: 'request_timeout' });
  });
});

it('a list may last for as long as its records come, and no longer', async () => {
  const clock = new SteppingClock();
  let socket: Socket | undefined;
  const port = await speaking((one) => {
    socket = one;
    one.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n[');
  });
  let records = 0;
  const client = clientOf(at(port), { clock, timeouts: { ...generous, request: 1_000 } });
  const listed = client.list('allProcesses', 'ACME', () => (records += 1));
  await until(() => socket !== undefined);
  const record = JSON.stringify({
    external_account_number: '1',
    status: 'COMPLETED',
    kraken_account_number: 'A-1',
  });
  for (let count = 1; count <= 5; count += 1) {
    socket?.write(`${record},`);
    await until(() => records === count);
    clock.advance(900);
  }
  let isOver = false;
  void listed.then(() => (isOver = true));
  socket?.write(' '.repeat(1000));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  clock.advance(100);
  expect(await listed).toMatchObject({ kind: 'unknown', cause: 'request_timeout' });
});

it('a client that is closed ends what is under way, the token too', async () => {
  let heard = 0;
  const port = await speaking((socket) => {
    heard += 1;
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
    drip(socket, ' ');
  });
  const withToken = clientOf(at(port));
  const posted = withToken.post('process', '{}');
  const withKey = clientOf(at(port), { credentials: { apiKey: 'key' } });
  const authorized = withKey.authenticate();
  await until(() => heard === 2);
  await Promise.all([withToken.close(), withKey.close()]);
  expect(await posted).toMatchObject({ kind: 'unknown' });
  expect(await authorized).toMatchObject({ kind: 'not-sent' });
});

describe('an unasked 100 Continue', () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
  const withHeader = 'HTTP/1.1 100 Continue\r\nserver: proxy\r\n\r\n';
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

  it.each([
    ['in one piece with the answer', [interim + answer]],
    ['by itself', [interim, answer]],
    [
      'several times, with headers, among other interim answers',
      [hints, withHeader + interim + hints, answer],
    ],
    ['byte by byte', Array.from(interim + withHeader + answer)],
  ])('%s leaves a good answer good', async (_, pieces) => {
    const port = await speaking((socket) => {
      void (async () => {
        socket.setNoDelay(true);
        for (const piece of pieces) {
          await new Promise((resolve) => socket.write(piece, resolve));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
    const client = clientOf(at(port), { connections: 1 });
    for (const body of ['{"a":1}', '{"b":2}'])
      expect(await client.post('process', body)).toMatchObject({
        kind: 'ok',
        status: 201,
        body: { kraken_account_number: 'A-1' },
      });
  });

  it('is passed over through a tunnel, and over a fresh connection', async () => {
    const port = await speaking((socket) => socket.write(interim + answer));
    const proxy = await tunnelProxy(port);
    const client = clientOf('http://platform.example', { proxies: { proxy: proxy.url } });
    expect(await client.post('process', '{}')).toMatchObject({ kind: 'ok' });
    expect(await client.post('process', '{}', { fresh: true })).toMatchObject({ kind: 'ok' });
    const direct = clientOf(at(port), { proxies: { proxy: proxy.url, noProxy: '127.0.0.1' } });
    expect(await direct.post('process', '{}')).toMatchObject({ kind: 'ok' });
  });

  it('is told from a body that begins like one', async () => {
    const body = JSON.stringify({ kraken_account_number: 'A-1', note: 'HTTP/1.1 100 Continue\r\n\r\n' });
    const at = body.indexOf('HTTP');
    const url = await platform((request, response) => {
      request.resume();
      response.writeHead(201, { 'content-type': 'application/json' });
      response.write(body.slice(0, at));
      setImmediate(() => response.end(body.slice(at)));
    });
    expect(await clientOf(url).post('process', '{}')).toMatchObject({ body: JSON.parse(body) as object });
  });

  it('without an answer behind it is an answer that is missing', async () => {
    const port = await speaking((socket) => socket.end(interim));
    expect(await clientOf(at(port)).post('process', '{}')).toMatchObject({
      kind: 'unknown',
      cause: 'connection_reset',
    });
  });
});

it('a platform that asks to be left alone for a century is heard', async () => {
  const url = await platform((request, response) => {
    request.resume();
    response.setHeader('retry-after', '4000000000');
    sendJson(response, 429, {});
  });
  expect(await clientOf(url).post('process', '{}')).toEqual({
    kind: 'throttled',
    status: 429,
    retryAfterMs: 4_000_000_000_000,
  });
});
