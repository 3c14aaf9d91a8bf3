import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SentValues } from '../../src/contract/sent-values.ts';
import { redirectTarget } from '../../src/client/redirect-target.ts';
import { clientOf, notingPlatform, platform, sendJson } from './loopback.ts';

const created = { kraken_account_number: 'A-1' };

/** What `post` says to these bytes. */
async function answered(body: Buffer | string, headers: Record<string, string>, status = 201) {
  const url = await platform((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
  );
  return clientOf(url).post('process', '{}');
}

it('says who it is, and wants neither compressed nor stored answers', async () => {
  const { url, seen } = await notingPlatform((response) => sendJson(response, 201, created));
  await clientOf(url, { userAgent: 'migrate/1.2.3' }).post('process', '{}');
  expect(seen[0]?.headers).toMatchObject({
    'user-agent': 'migrate/1.2.3',
    'accept-encoding': 'identity',
    'cache-control': 'no-cache',
  });
});

it('keeps the path of the base address before every path, that of the token too', async () => {
  const { url, seen } = await notingPlatform((response, { url: path }) =>
    path === '/gateway/kraken/v1/graphql/'
      ? sendJson(response, 200, { data: { obtainKrakenToken: { token: 'tk' } } })
      : sendJson(response, 201, created),
  );
  const client = clientOf(`${url}/gateway/kraken/`, { credentials: { apiKey: 'sk_live_1' } });
  expect(await client.post('process', '{}')).toMatchObject({ kind: 'ok' });
  expect(await client.post('process', '{}', { fresh: true })).toMatchObject({ kind: 'ok' });
  const path = '/gateway/kraken/v1/data-import/account-import-process/process/';
  expect(seen.map(({ url: asked }) => asked)).toEqual(['/gateway/kraken/v1/graphql/', path, path]);
});

describe('an answer that was compressed all the same', () => {
  const text = JSON.stringify(created);
  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('is read: %s', async (encoding, body) => {
    expect(await answered(body, { 'content-encoding': encoding })).toEqual({
      kind: 'ok',
      status: 201,
      body: created,
    });
  });

  it('may have no body', async () => {
    const url = await platform((_request, response) =>
      response.writeHead(201, { 'content-encoding': 'gzip' }).end(),
    );
    expect(await clientOf(url).post('agreements', '{}')).toMatchObject({ kind: 'ok' });
  });

  it.each([
    ['in a way that nobody knows', 'zstd', Buffer.from(text)],
    ['twice', 'gzip, br', gzipSync(text)],
    ['and breaks off', 'gzip', gzipSync(text).subarray(0, 20)],
    ['and is not what it says', 'br', gzipSync(text)],
    ['without saying so', 'identity', gzipSync(text)],
  ])('is named as such: %s', async (_how, encoding, body) => {
    expect(await answered(body, { 'content-encoding': encoding })).toMatchObject({
      kind: 'unknown',
      cause: 'compressed_answer',
    });
  });

  it('is read as far as its bound, however small it was on its way', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    expect(await answered(bomb, { 'content-encoding': 'gzip' })).toMatchObject({
      kind: 'unknown',
      cause: 'answer_too_large',
    });
  });

  it('leaves its connection to the next request', async () => {
    const sockets = new Set<unknown>();
    const url = await platform((request, response) => {
      sockets.add(request.socket);
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      response.writeHead(201, headers).end(gzipSync(text));
    });
    const client = clientOf(url, { connections: 1 });
    for (let count = 0; count < 3; count += 1)
      expect(await client.post('process', '{}')).toMatchObject({ kind: 'ok' });
    expect(sockets.size).toBe(1);
  });

  it('is read as it arrives where it is a list', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) => ({ external_account_number: `old-${at}` }));
    const url = await platform((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(records))),
    );
    let listed = 0;
    const answer = await clientOf(url).list('allProcesses', 'S', () => (listed += 1));
    expect(answer).toMatchObject({ kind: 'ok' });
    expect(listed).toBe(20_000);
  });
});

it.each([
  ['UTF-16', Buffer.from('{"kraken_account_number":"A-1"}', 'utf16le'), 'application/json; charset=utf-16'],
  ['Latin-1', Buffer.from('{"kraken_account_number":"Ä-1"}', 'latin1'), 'application/json'],
])('names the charset that keeps an answer from being read: %s', async (_name, body, mediaType) => {
  expect(await answered(body, { 'content-type': mediaType })).toMatchObject({
    kind: 'unknown',
    cause: 'answer_charset',
  });
});

it('names a header block that is too large', async () => {
  const answer = await answered('{}', { 'x-trace': 'x'.repeat(20_000) });
  expect(answer).toMatchObject({ kind: 'unknown', cause: 'headers_too_large' });
});

describe('a list without an end', () => {
  it.each([
    ['of records', '{"external_account_number":"A-1"},'],
    ['of blanks', ' '],
  ])('ends by a bound: %s', async (_what, piece) => {
    const url = await platform((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      const more = (): void => {
        while (!response.destroyed && response.write(piece.repeat(500)));
      };
      response.on('drain', more);
      more();
    });
    const client = clientOf(url, { longestList: 1024 * 1024 });
    const answer = await client.list('allProcesses', 'S', () => undefined);
    expect(answer).toEqual({ kind: 'unknown', cause: 'answer_too_large', status: 200 });
  });
});

it.each([
  ['https://login.example.com/sso?RelayState=secret', 'https://login.example.com/sso'],
  ['/maintenance.html', '/maintenance.html'],
  ['https://api2.example.com/v1/data-import/account-transfer-status/S/A-1/', 'https://api2.example.com'],
  ['https://login.example.com/JO%40example.net', undefined],
  ['javascript:alert(1)', undefined],
])('names where a redirect leads, and no more of it: %s', async (location, target) => {
  expect(await answered('', { location }, 302)).toMatchObject({ cause: 'gateway_http_302' });
  expect(redirectTarget(location, new SentValues(() => ['{"email":"jo@example.net"}']))).toBe(target);
});
