import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ApiKeyCredentials } from '../../src/client/token-exchange.ts';
import {
  clientOf,
  noon,
  notingPlatform,
  platform,
  sendJson,
  stillClock,
  type SeenRequest,
} from './loopback.ts';

const apiKey = 'sk_live_secret';
const hour = 3_600_000;

function tokenAnswer(token: string, exp?: number) {
  return { data: { obtainKrakenToken: { token, refreshToken: 'r', payload: { exp, origIat: 1 } } } };
}

interface Issuer {
  /** Lifetime of the tokens it gives, in ms; without one they carry no expiry. */
  readonly life?: number;
  /** Says what a request with this Authorization header gets. */
  readonly answer?: (authorization: string | undefined, response: ServerResponse) => void;
}

/** A platform that gives out token-1, token-2, ... and a client that has its key. */
async function issuing({ life, answer }: Issuer = {}, credentials: Partial<ApiKeyCredentials> = {}) {
  const time = { now: noon };
  let issued = 0;
  const { url, seen } = await notingPlatform((response, request) => {
    if (request.url?.startsWith('/v1/graphql/')) {
      issued++;
      const exp = life === undefined ? undefined : (time.now + life) / 1000;
      sendJson(response, 200, tokenAnswer(`token-${issued}`, exp));
    } else if (answer === undefined) sendJson(response, 200, {});
    else answer(request.headers.authorization, response);
  });
  const client = clientOf(url, {
    credentials: { apiKey, ...credentials },
    clock: { ...stillClock, now: () => time.now, monotonic: () => time.now },
  });
  return { client, time, seen, issued: () => issued };
}

/** What a request gets when the token mutation is answered so. */
async function refusedBy(answer: (response: ServerResponse) => void, credentials = {}) {
  const others: SeenRequest[] = [];
  const { url } = await notingPlatform((response, request) => {
    if (request.url !== '/v1/graphql/') others.push(request);
    answer(response);
  });
  const result = await clientOf(url, { credentials: { apiKey, ...credentials } }).post('process', '{}');
  expect(others).toEqual([]);
  expect(JSON.stringify(result)).not.toContain(apiKey);
  return result;
}

describe('the token', () => {
  it('is obtained with the key when it is first needed, and the key goes nowhere else', async () => {
    const { client, seen } = await issuing();
    expect(await client.post('validate', '{}')).toMatchObject({ kind: 'ok' });
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v1/graphql/', undefined],
      ['/v1/data-import/validate-account/', 'Token token-1'],
    ]);
    expect(JSON.parse(seen[0]!.body)).toMatchObject({
      query: expect.stringContaining('obtainKrakenToken(input: { APIKey: $apiKey })'),
      variables: { apiKey },
    });
    expect(JSON.stringify(seen[1])).not.toContain(apiKey);
  });

  it('is obtained once for all who wait for it', async () => {
    const { client, issued } = await issuing();
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.post('validate', '{}')));
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['ok']));
    expect(issued()).toBe(1);
  });

  it('is obtained in the way that the tenancy wants', async () => {
    const { url, seen } = await notingPlatform((response) =>
      sendJson(response, 200, { data: { login: { jwt: 'the-token' } } }),
    );
    const client = clientOf(url, {
      credentials: {
        apiKey,
        path: '/auth/graphql',
        mutation: 'mutation M($input: In!) { login(input: $input) { jwt } }',
        variables: { input: { keys: ['{apiKey}'], scope: 'import' } },
        resultPath: 'data.login.jwt',
        headerForm: 'bare',
      },
    });
    await client.post('validate', '{}');
    expect(seen[0]?.url).toBe('/auth/graphql');
    expect(JSON.parse(seen[0]!.body)).toEqual({
      query: 'mutation M($input: In!) { login(input: $input) { jwt } }',
      variables: { input: { keys: [apiKey], scope: 'import' } },
    });
    expect(seen[1]?.headers.authorization).toBe('the-token');
  });

  it.each([
    ['token', 'Token the-token'],
    ['bearer', 'Bearer the-token'],
    ['bare', 'the-token'],
  ] as const)('is sent as the tenancy wants it: %s', async (headerForm, header) => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, {}));
    await clientOf(url, { credentials: { token: 'the-token', headerForm } }).post('validate', '{}');
    expect(seen[0]?.headers.authorization).toBe(header);
  });

  it('is obtained early where somebody asks for it', async () => {
    const { client, seen } = await issuing();
    expect(await client.authenticate()).toEqual({ kind: 'ok', status: 200, body: undefined });
    await client.post('validate', '{}');
    expect(seen).toHaveLength(2);
  });

  it('is renewed shortly before it expires', async () => {
    const { client, time, seen } = await issuing({ life: hour });
    await client.post('validate', '{}');
    time.now += hour - 61_000;
    await client.post('validate', '{}');
    time.now += 1000;
    await client.post('validate', '{}');
    const used = seen
      .map((request) => request.headers.authorization)
      .filter((header) => header !== undefined);
    expect(used).toEqual(['Token token-1', 'Token token-1', 'Token token-2']);
  });

  it('is used for nearly all of its life, however short that is', async () => {
    const { client, time, issued } = await issuing({ life: 10_000 });
    await client.post('validate', '{}');
    time.now += 8_999;
    await client.post('validate', '{}');
    expect(issued()).toBe(1);
    time.now += 1;
    await client.post('validate', '{}');
    expect(issued()).toBe(2);
  });

  it('is used until it is refused where the clocks differ so much that it seems to have expired', async () => {
    const { client, issued } = await issuing({ life: -hour });
    await client.post('validate', '{}');
    await client.post('validate', '{}');
    expect(issued()).toBe(1);
  });

  it('is renewed once, however many requests were refused with it', async () => {
    const { client, issued } = await issuing({
      answer: (authorization, response) =>
        authorization === 'Token token-1'
          ? sendJson(response, 401, { detail: 'Invalid token.' })
          : sendJson(response, 200, {}),
    });
    const attempt = async () => {
      const answer = await client.post('validate', '{}');
      if (answer.kind !== 'unauthorized') return answer;
      client.discardToken(answer.tokenId);
      return client.post('validate', '{}');
    };
    const answers = await Promise.all(Array.from({ length: 100 }, attempt));
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['ok']));
    expect(issued()).toBe(2);
  });

  it('that was given has nothing to be renewed with', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 401, {}));
    const client = clientOf(url);
    const answer = await client.post('validate', '{}');
    expect(answer).toMatchObject({ kind: 'unauthorized', tokenId: 1 });
    client.discardToken(1);
    expect(await client.post('validate', '{}')).toEqual(answer);
    expect(seen).toHaveLength(2);
  });

  it('that no header can carry is refused at once, and not shown', () => {
    const credentials = { token: 'abc\ndef' };
    const start = () => clientOf('http://127.0.0.1:1', { credentials });
    expect(start).toThrow('The token contains');
    expect(start).not.toThrow('abc');
  });
});

describe('a key that is refused', () => {
  it('is unauthorized, though GraphQL says so with status 200', async () => {
    const answer = await refusedBy((response) =>
      sendJson(response, 200, {
        data: { obtainKrakenToken: null },
        errors: [{ message: 'Invalid data.', extensions: { errorCode: 'KT-CT-1139' } }],
      }),
    );
    const detail = 'Invalid data. (KT-CT-1139)';
    expect(answer).toEqual({ kind: 'unauthorized', status: 200, tokenId: 0, detail });
  });

  it.each([
    { message: 'Internal server error' },
    { message: 'Down.', extensions: { errorType: 'SERVICE_AVAILABILITY', errorCode: 'KT-CT-1000' } },
  ])('is not said to be wrong by an error about something else: %j', async (error) => {
    const answer = await refusedBy((response) => sendJson(response, 200, { data: null, errors: [error] }));
    expect(answer).toEqual({ kind: 'not-sent', cause: 'token_error' });
  });

  it('that is throttled is waited for, also where that comes with 200', async () => {
    const errors = [{ message: 'Too many requests.', extensions: { errorCode: 'KT-CT-1199' } }];
    const answer = await refusedBy((response) => {
      response.setHeader('retry-after', '7');
      sendJson(response, 200, { data: null, errors });
    });
    expect(answer).toMatchObject({ kind: 'throttled', retryAfterMs: 7000 });
  });

  it('that is refused for another reason names its code', async () => {
    const errors = [{ message: 'Not allowed.', extensions: { errorCode: 'KT-CT-1111' } }];
    const answer = await refusedBy((response) => sendJson(response, 200, { data: null, errors }));
    expect(JSON.stringify(answer)).toContain('Not allowed. (KT-CT-1111)');
  });

  it('is not shown, even if the platform repeats it', async () => {
    const message = `Variable "$apiKey" got invalid value "${apiKey}"`;
    const answer = await refusedBy((response) =>
      sendJson(response, 200, { errors: [{ message, extensions: { errorCode: 'KT-CT-1139' } }] }),
    );
    expect(answer).toMatchObject({ kind: 'unauthorized', tokenId: 0 });
  });

  it('is unauthorized when the token address says 401', async () => {
    const answer = await refusedBy((response) => sendJson(response, 401, { detail: 'no' }));
    expect(answer).toMatchObject({ kind: 'unauthorized', status: 401, tokenId: 0 });
  });

  it.each([400, 403, 404, 302])('is not said to be wrong by a gateway: %i', async (status) => {
    const answer = await refusedBy((response) => sendJson(response, status, { detail: 'no' }));
    expect(answer).toEqual({ kind: 'not-sent', cause: `token_http_${status}` });
  });

  it.each([[tokenAnswer('')], [{ data: null }], [{ data: { obtainKrakenToken: { token: 'a\nb' } } }]])(
    'is unauthorized when no token is where it should be: %j',
    async (body) => {
      expect(await refusedBy((response) => sendJson(response, 200, body))).toMatchObject({
        kind: 'unauthorized',
        detail: expect.stringContaining('data.obtainKrakenToken.token'),
      });
    },
  );
});

describe('a request whose token cannot be obtained is not sent', () => {
  it('when the token address fails', async () => {
    const answer = await refusedBy((response) => response.writeHead(503).end('<html>'));
    expect(answer).toEqual({ kind: 'not-sent', cause: 'http_503' });
  });

  it('when it answers with a page', async () => {
    const answer = await refusedBy((response) => response.writeHead(200).end('<html>'));
    expect(answer).toEqual({ kind: 'not-sent', cause: 'unreadable_answer' });
  });

  it('when it hangs up', async () => {
    const answer = await refusedBy((response) => response.destroy());
    expect(answer).toEqual({ kind: 'not-sent', cause: 'connection_reset' });
  });

  it('when it has too much to do, and says until when', async () => {
    const answer = await refusedBy((response) => response.writeHead(429, { 'retry-after': '3' }).end());
    expect(answer).toEqual({ kind: 'throttled', status: 429, retryAfterMs: 3000 });
  });

  it('and the next one tries anew', async () => {
    let asked = 0;
    const { url } = await notingPlatform((response, request) => {
      if (request.url !== '/v1/graphql/') sendJson(response, 200, {});
      else if (++asked === 1) response.destroy();
      else sendJson(response, 200, tokenAnswer('token'));
    });
    const client = clientOf(url, { credentials: { apiKey } });
    expect(await client.post('validate', '{}')).toMatchObject({ kind: 'not-sent' });
    expect(await client.post('validate', '{}')).toMatchObject({ kind: 'ok' });
  });

  it('when it is aborted meanwhile, and the others still get the token', async () => {
    const stop = new AbortController();
    const url = await platform((request, response) => {
      const isMutation = request.url === '/v1/graphql/';
      if (isMutation) stop.abort();
      setImmediate(() => sendJson(response, 200, isMutation ? tokenAnswer('token') : {}));
    });
    const client = clientOf(url, { credentials: { apiKey } });
    const [aborted, other] = await Promise.all([
      client.post('validate', '{}', { signal: stop.signal }),
      client.post('validate', '{}'),
    ]);
    expect(aborted).toEqual({ kind: 'not-sent', cause: 'aborted' });
    expect(other).toMatchObject({ kind: 'ok' });
  });
});

it('a path of the token mutation that is no path is refused at once', () => {
  const credentials = { apiKey, path: 'https://elsewhere.example.com/graphql' };
  expect(() => clientOf('http://127.0.0.1:1', { credentials })).toThrow('must begin with /');
});

describe('a run that stops while the token endpoint hangs', () => {
  it('waits for no token, and sends nothing after it', async () => {
    const { url, seen } = await notingPlatform(() => undefined);
    const client = clientOf(url, { credentials: { apiKey } });
    const waiting = [client.post('process', '{}'), client.post('validate', '{}')];
    await expect.poll(() => seen.length).toBe(1);
    client.stopWaiting?.();
    const notSent = { kind: 'not-sent', cause: 'aborted' };
    expect(await Promise.all(waiting)).toEqual([notSent, notSent]);
    expect(await client.post('process', '{}')).toEqual(notSent);
    expect(await client.authenticate()).toEqual(notSent);
    expect(seen.map(({ url: path }) => path)).toEqual(['/v1/graphql/']);
  });

  it('still finishes with the token that it has', async () => {
    const { client, seen } = await issuing();
    await client.authenticate();
    client.stopWaiting?.();
    expect(await client.post('process', '{}')).not.toMatchObject({ kind: 'not-sent' });
    expect(seen).toHaveLength(2);
  });
});
