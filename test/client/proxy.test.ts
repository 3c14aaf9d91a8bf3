import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, generous, listen, notingPlatform, sendJson } from './loopback.ts';
import { tunnelProxy } from './tunnel-proxy.ts';

const okAnswer = { kraken_account_number: 'A-1' };
const portOf = (url: string): number => Number(new URL(url).port);

it('goes through the proxy, which learns where to and nothing else', async () => {
  const platform = await notingPlatform((response) => sendJson(response, 201, okAnswer));
  const proxy = await tunnelProxy(portOf(platform.url));
  const client = clientOf('http://platform.example', {
    proxies: { proxy: proxy.url.replace('//', '//user:p%40ss@') },
  });
  expect(await client.post('process', '{"a":1}')).toMatchObject({ kind: 'ok', body: okAnswer });
  expect(await client.post('process', '{"a":2}')).toMatchObject({ kind: 'ok' });

  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(proxy.asked[0]).toEqual({ target: 'platform.example:80', authorization });
  expect(platform.seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":2}']);
  expect(platform.seen[0]?.headers).toMatchObject({
    authorization: 'Token secret-token',
    host: 'platform.example',
  });
  expect(platform.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
});

it.each(['127.0.0.1', 'other.example, 127.0.0.1', '*'])(
  'reaches what NO_PROXY lists (%s) without it',
  async (noProxy) => {
    const platform = await notingPlatform((response) => sendJson(response, 201, okAnswer));
    const proxy = await tunnelProxy(portOf(platform.url));
    const client = clientOf(platform.url, { proxies: { proxy: proxy.url, noProxy } });
    expect(await client.post('process', '{}')).toMatchObject({ kind: 'ok' });
    expect(proxy.asked).toEqual([]);
  },
);

describe('a request that no proxy let through is not sent', () => {
  it.each([
    [403, 'proxy_refused'],
    [407, 'proxy_authentication'],
    [502, 'proxy_refused'],
  ])('when it answers %s', async (status, cause) => {
    const platform = await notingPlatform((response) => sendJson(response, 201, okAnswer));
    const proxy = await tunnelProxy(portOf(platform.url), status);
    const client = clientOf('http://platform.example', { proxies: { proxy: proxy.url } });
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause });
    expect(platform.seen).toEqual([]);
  });

  it('when it is not there', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const client = clientOf('http://platform.example', { proxies: { proxy: `http://127.0.0.1:${port}` } });
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'proxy_unreachable' });
  });

  it('when it hangs up in place of an answer', async () => {
    const port = await listen(createServer((socket) => socket.once('data', () => socket.destroy())));
    const client = clientOf('http://platform.example', { proxies: { proxy: `http://127.0.0.1:${port}` } });
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'proxy_unreachable' });
  });

  it('when it never answers', async () => {
    const server = createServer((socket) => {
      onTestFinished(() => void socket.destroy());
    });
    const client = clientOf('http://platform.example', {
      proxies: { proxy: `http://127.0.0.1:${await listen(server)}` },
      timeouts: { ...generous, connect: 100 },
    });
    expect(await client.post('process', '{}')).toMatchObject({ kind: 'not-sent' });
  });
});

it('does not know what became of a request whose tunnel was cut', async () => {
  let cut = (): void => undefined;
  const platform = await notingPlatform(() => cut());
  const proxy = await tunnelProxy(portOf(platform.url));
  cut = () => proxy.cut();
  const client = clientOf('http://platform.example', { proxies: { proxy: proxy.url } });
  expect(await client.post('process', '{}')).toEqual({ kind: 'unknown', cause: 'connection_reset' });
  expect(platform.seen).toHaveLength(1);
});
