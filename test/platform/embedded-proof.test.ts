import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { probePlatform } from '../../src/client/probe-platform.ts';
import { listen, notingPlatform } from '../client/loopback.ts';
import { rehearse } from './running-platform.ts';

const soon = 30_000;

it('an embedded platform proves itself to those who have its key', async () => {
  const { platform } = await rehearse();
  const { url, apiKey, platformId } = platform;
  const keys = ['sk_of_another', apiKey];
  expect(await probePlatform(url, soon, { keys })).toMatchObject({ platformId, isProven: true });
  expect(await probePlatform(url, soon, { keys: ['sk_of_another'] })).toMatchObject({ isProven: false });
  expect(await probePlatform(url, soon)).toMatchObject({ isProven: false });
});

it('a header proves nothing, nor does a proof that was given to somebody else', async () => {
  const { platform } = await rehearse();
  const { url, apiKey, platformId } = platform;
  const first = await fetch(url, { method: 'HEAD', headers: { 'x-platform-challenge': 'earlier' } });
  const server = createServer((_request, response) => {
    response.setHeader('x-platform-id', platformId);
    response.setHeader('x-platform-proof', first.headers.get('x-platform-proof') ?? '');
    response.end();
  });
  const fake = `http://127.0.0.1:${await listen(server)}`;
  expect(await probePlatform(fake, soon, { keys: [apiKey] })).toMatchObject({ platformId, isProven: false });
  const { url: plain } = await notingPlatform((response) => response.setHeader('x-platform-id', 'x').end());
  expect(await probePlatform(plain, soon, { keys: [''] })).toMatchObject({ isProven: false });
});
