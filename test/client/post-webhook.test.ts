import { expect, it } from 'vitest';
import { postWebhook } from '../../src/client/post-webhook.ts';
import { notingPlatform, platform } from './loopback.ts';
import { tunnelProxy } from './tunnel-proxy.ts';

const patient = (): AbortSignal => new AbortController().signal;

it('a webhook is reached through the proxy', async () => {
  const { url, seen } = await notingPlatform((response) => response.end());
  const proxy = await tunnelProxy(Number(new URL(url).port));
  const fault = await postWebhook('http://hooks.example/secret', '{"a":1}', {
    proxies: { proxy: proxy.url },
    signal: patient(),
  });
  expect(fault).toBeUndefined();
  expect(proxy.asked.map(({ target }) => target)).toEqual(['hooks.example:80']);
  expect(seen).toMatchObject([{ url: '/secret', body: '{"a":1}' }]);
});

it('a proxy that does not answer is named, and not the webhook', async () => {
  const fault = await postWebhook('http://hooks.example/secret', '{}', {
    proxies: { proxy: 'http://127.0.0.1:1' },
    signal: patient(),
  });
  expect(fault).toBe('the proxy on the way to the webhook does not answer.');
});

it('a webhook that drips its answer has taken the notification with its status', async () => {
  const url = await platform((_request, response) => void response.writeHead(200).write('x'));
  expect(await postWebhook(url, '{}', { signal: patient() })).toBeUndefined();
});

it('a webhook that never answers is let go of when its time is over', async () => {
  const over = new AbortController();
  const url = await platform(() => over.abort());
  expect(await postWebhook(url, '{}', { signal: over.signal })).toBe('the webhook gave no answer in time.');
});
