import { describe, expect, it } from 'vitest';
import { readQuotas } from '../../src/client/quotas.ts';
import { clientOf, platform, sendJson } from './loopback.ts';

const now = Date.UTC(2026, 0, 1);

describe('a limit that an answer announces', () => {
  it.each([
    {
      name: 'the structured fields',
      headers: {
        'ratelimit-policy': '"burst";q=100;w=60,"daily";q=1000;w=86400',
        ratelimit: '"burst";r=7;t=20',
      },
      quotas: [
        { name: 'burst', limit: 100, windowMs: 60_000, remaining: 7, resetMs: 20_000 },
        { name: 'daily', limit: 1000, windowMs: 86_400_000 },
      ],
    },
    {
      name: 'a policy with a partition key and another order of parameters',
      headers: { 'ratelimit-policy': '"a b";w=1 ; pk=:c2Vj:; q=50', ratelimit: '"a b";t=1;r=0;pk=:c2Vj:' },
      quotas: [{ name: 'a b', limit: 50, windowMs: 1000, remaining: 0, resetMs: 1000 }],
    },
    {
      name: 'three fields with a window',
      headers: {
        'ratelimit-limit': '100, 100;w=60',
        'ratelimit-policy': '100;w=60',
        'ratelimit-remaining': '4',
        'ratelimit-reset': '9',
      },
      quotas: [{ limit: 100, windowMs: 60_000, remaining: 4, resetMs: 9000 }],
    },
    {
      name: 'X-RateLimit with the time of the reset',
      headers: {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(now / 1000 + 30),
      },
      quotas: [{ limit: 60, remaining: 0, resetMs: 30_000 }],
    },
    {
      name: 'X-RateLimit by window',
      headers: { 'x-ratelimit-limit-second': '20', 'x-ratelimit-remaining-second': '19' },
      quotas: [{ name: 'second', limit: 20, windowMs: 1000, remaining: 19 }],
    },
  ])('is read from $name', ({ headers, quotas }) => {
    expect(readQuotas(headers, now)).toMatchObject(quotas);
  });

  it.each([
    ['bytes', { 'ratelimit-policy': '"size";q=65535;w=10;qu="content-bytes"' }],
    ['what is no list', { 'ratelimit-policy': '"half;q=10' }],
    ['no number', { 'x-ratelimit-limit': 'many' }],
    ['a field of many kilobytes', { ratelimit: `"a";r=1;t=${'1'.repeat(5000)}` }],
  ])('is not read from %s', (_name, headers: Record<string, string>) => {
    expect(readQuotas(headers, now)).toBeUndefined();
  });

  it('says how long to wait after a refusal without Retry-After', async () => {
    const url = await platform((_request, response) =>
      response.writeHead(429, { 'ratelimit-policy': '"d";q=10;w=60', ratelimit: '"d";r=0;t=17' }).end(),
    );
    const answer = await clientOf(url).post('validate', '{}');
    expect(answer).toMatchObject({ kind: 'throttled', retryAfterMs: 17_000, quotas: [{ limit: 10 }] });
  });
});

describe('a gateway that does not deliver', () => {
  const answered = async (status: number, body: string, notDelivered: object, headers = {}) => {
    const url = await platform((_request, response) => response.writeHead(status, headers).end(body));
    return clientOf(url, { notDelivered: [{ status: 503, ...notDelivered }] }).post('agreements', '{}');
  };

  it('is recognised by its status, a header or its body', async () => {
    const refusal = { kind: 'throttled', status: 503 };
    expect(await answered(503, '<html>', {})).toMatchObject(refusal);
    expect(await answered(503, 'Limit Exceeded', { body: 'limit exceeded' })).toMatchObject(refusal);
    const header = { name: 'Server', value: 'edge' };
    expect(await answered(503, '', { header }, { server: 'Edge/2' })).toMatchObject(refusal);
  });

  it('is not taken for another whose header or body differs', async () => {
    const unknown = { kind: 'unknown', cause: 'http_503' };
    expect(await answered(503, 'down', { body: 'limit exceeded' })).toMatchObject(unknown);
    expect(await answered(503, '', { header: { name: 'server', value: 'edge' } })).toMatchObject(unknown);
    expect(await answered(502, '', {})).toMatchObject({ kind: 'unknown', cause: 'http_502' });
  });

  it("is never the platform's own answer", async () => {
    const body = { detail: 'x', code: 'error', errors: [] };
    const url = await platform((_request, response) => sendJson(response, 500, body));
    const client = clientOf(url, { notDelivered: [{ status: 500, body: 'error' }] });
    expect(await client.post('agreements', '{}')).toMatchObject({ kind: 'unknown', isOver: true });
  });
});
