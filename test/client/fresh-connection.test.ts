import { once } from 'node:events';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, listen, platform, sendJson } from './loopback.ts';
import { tunnelProxy } from './tunnel-proxy.ts';

const key = { supplier: 'ACME', account: '1' };
const status = { status: 'COMPLETED', kraken_account_number: 'A-1' };

/** A platform that notes over which connection each request came. */
async function connectionsSeen() {
  const sockets: Socket[] = [];
  const seen: number[] = [];
  const url = await platform((request, response) => {
    if (!sockets.includes(request.socket)) sockets.push(request.socket);
    seen.push(sockets.indexOf(request.socket));
    request.resume();
    sendJson(response, 200, status);
  });
  return { url, seen, sockets };
}

describe('a request that asks for a fresh connection', () => {
  it('goes over one that carries nothing else, and that is closed afterwards', async () => {
    const { url, seen, sockets } = await connectionsSeen();
    const client = clientOf(url, { connections: 1 });
    await client.transferStatus(key);
    expect(await client.transferStatus(key, { fresh: true })).toMatchObject({ kind: 'ok' });
    expect(await client.transferStatus(key, { fresh: true })).toMatchObject({ kind: 'ok' });
    await client.post('validate', '{}');
    expect(await client.post('validate', '{}', { fresh: true })).toMatchObject({ kind: 'ok' });
    expect(seen).toEqual([0, 1, 2, 0, 3]);
    for (const socket of sockets.slice(1)) if (!socket.destroyed) await once(socket, 'close');
    expect(sockets[0]?.destroyed).toBe(false);
  });

  it('is not answered with what another request was told twice', async () => {
    const server = createTcpServer((socket) => {
      let answer: string | undefined;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        const account = /transfer-status\/ACME\/(\d+)\//.exec(bytes.toString('latin1'))?.[1] ?? '';
        const body = JSON.stringify({ ...status, kraken_account_number: `A-${account}` });
        const ours = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        // Always one answer behind: what the connection was told last comes again.
        socket.write(answer ?? ours);
        answer = ours;
      });
      onTestFinished(() => void socket.destroy());
    });
    const client = clientOf(`http://127.0.0.1:${await listen(server)}`, { connections: 1 });
    const other = { supplier: 'ACME', account: '2' };
    await client.transferStatus(key);
    expect(await client.transferStatus(other)).toMatchObject({ body: { krakenAccountNumber: 'A-1' } });
    expect(await client.transferStatus(other, { fresh: true })).toMatchObject({
      body: { krakenAccountNumber: 'A-2' },
    });
  });

  it('goes through a tunnel of its own where there is a proxy', async () => {
    const { url, seen } = await connectionsSeen();
    const proxy = await tunnelProxy(Number(new URL(url).port));
    const client = clientOf('http://platform.example', { proxies: { proxy: proxy.url }, connections: 1 });
    await client.transferStatus(key);
    await client.transferStatus(key, { fresh: true });
    await client.transferStatus(key);
    expect(seen).toEqual([0, 1, 0]);
    expect(proxy.asked).toHaveLength(2);
  });

  it('is not sent when nobody listens', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const answer = await clientOf(`http://127.0.0.1:${port}`).transferStatus(key, { fresh: true });
    expect(answer).toEqual({ kind: 'not-sent', cause: 'connection_refused' });
  });

  it('is not sent when the client was closed before, and is waited for when it is closed meanwhile', async () => {
    const ended: string[] = [];
    let closed: Promise<unknown> | undefined;
    const url = await platform((_request, response) => {
      closed = client.close().then(() => ended.push('client'));
      setImmediate(() => sendJson(response, 200, status));
    });
    const client = clientOf(url);
    const answer = client.transferStatus(key, { fresh: true }).finally(() => ended.push('request'));
    expect(await answer).toMatchObject({ kind: 'ok' });
    await closed;
    expect(ended).toEqual(['request', 'client']);
    expect(await client.transferStatus(key, { fresh: true })).toEqual({ kind: 'not-sent', cause: 'closed' });
  });

  it('can be aborted while it connects, and once it left', async () => {
    const connecting = new AbortController();
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => connecting.abort());
      onTestFinished(() => void socket.destroy());
    });
    const tls = clientOf(`https://127.0.0.1:${await listen(server)}`);
    expect(await tls.transferStatus(key, { fresh: true, signal: connecting.signal })).toEqual({
      kind: 'not-sent',
      cause: 'aborted',
    });
    await tls.close();
    const left = new AbortController();
    const url = await platform(() => left.abort());
    expect(await clientOf(url).post('process', '{}', { fresh: true, signal: left.signal })).toEqual({
      kind: 'unknown',
      cause: 'aborted',
    });
  });
});
