import { expect, it } from 'vitest';
import { SecretFilter } from '../../src/client/secret-filter.ts';
import { clientOf, notingPlatform, sendJson } from './loopback.ts';

const apiKey = 'sk_Live+9a/Zb-c_"7=';
const token = 'eyJ.to/ken+A1~b2';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** All that a platform may make of a secret. */
const echoes = (secret: string): string[] => [
  secret,
  secret.toUpperCase(),
  secret.toLowerCase(),
  encodeURIComponent(secret),
  encodeURIComponent(encodeURIComponent(secret)),
  percent(secret),
  percent(secret).toUpperCase(),
  Buffer.from(secret).toString('hex'),
  ...['', 'x', 'xy', 'Token ', 'user:'].flatMap((before) => [
    base64(before + secret),
    Buffer.from(`${before}${secret};more`).toString('base64url'),
    encodeURIComponent(base64(before + secret)),
  ]),
];

/** None of the longer pieces of a secret, in any form, is left. */
function expectGone(text: string, secret: string): void {
  for (const form of [secret, base64(secret), percent(secret), Buffer.from(secret).toString('hex')])
    for (let at = 0; at + 8 <= form.length; at += 1)
      expect(text.toLowerCase()).not.toContain(form.slice(at, at + 8).toLowerCase());
}

it('takes every form of a secret out of JSON, which stays JSON, and leaves all else as it is', () => {
  const filter = new SecretFilter([apiKey, token]);
  for (const secret of [apiKey, token])
    for (const echo of echoes(secret)) {
      const said = { a: `before ${echo} after`, [echo]: [echo], ü: '€' };
      for (const text of [JSON.stringify(said), JSON.stringify(said).replaceAll('/', '\\/')]) {
        const left = filter.bytes(Buffer.from(text)).toString();
        expectGone(left, secret);
        expect(JSON.parse(left)).toMatchObject({
          a: expect.stringMatching(/^before .*\[secret\].* after$/),
          ü: '€',
        });
      }
    }
  const harmless = Buffer.from(JSON.stringify({ id: 'sk_Liv', note: 'ey%2fJ', big: 'x'.repeat(1000) }));
  expect(filter.bytes(harmless)).toBe(harmless);
});

it('shows no secret that a platform echoes in any answer', async () => {
  for (const echo of [...echoes(apiKey), ...echoes(token)]) {
    const { url } = await notingPlatform((response, { url: path = '' }) => {
      if (path.startsWith('/v1/graphql/'))
        sendJson(response, 200, { data: { obtainKrakenToken: { token } } });
      else if (path.includes('notes')) sendJson(response, 401, { detail: `Who is ${echo}?`, code: echo });
      else if (path.includes('status')) sendJson(response, 404, { detail: `Nobody, ${echo}`, code: echo });
      else if (path.includes('processes') || path.includes('supplier'))
        sendJson(response, 200, [{ external_account_number: echo, status: 'PENDING', errors: echo }]);
      else sendJson(response, 400, { errors: { [echo]: [echo] }, detail: echo, code: echo });
    });
    const client = clientOf(url, { credentials: { apiKey } });
    const told: unknown[] = [];
    told.push(await client.post('validate', '{}'), await client.post('notes', '{}'));
    told.push(await client.transferStatus({ supplier: 'S', account: 'A-1' }));
    told.push(await client.list('allProcesses', 'S', (record) => told.push(record)));
    for (const secret of [apiKey, token]) expectGone(JSON.stringify(told), secret);
  }
});

it('shows neither the key nor the password of the proxy where the key is refused', async () => {
  const proxies = { proxy: 'http://me:pass%20word1@127.0.0.1:1', noProxy: '127.0.0.1' };
  for (const echo of [...echoes(apiKey), ...echoes('pass word1'), 'pass%20word1']) {
    const { url } = await notingPlatform((response) =>
      sendJson(response, 200, {
        errors: [{ message: `No: ${echo}`, extensions: { errorCode: 'KT-CT-1139' } }],
      }),
    );
    const answer = await clientOf(url, { credentials: { apiKey }, proxies }).post('validate', '{}');
    expect(answer).toMatchObject({
      kind: 'unauthorized',
      detail: 'The platform refused the credentials (status 200). (KT-CT-1139)',
    });
  }
});

it('hides the tokens under way and the last few of a night of renewals, with an expression that does not grow', () => {
  const filter = new SecretFilter([apiKey]);
  const tokenOf = (renewal: number): string => `eyJ${renewal}.${'aZ09-_'.repeat(140)}.${renewal}`;
  const hides = (secret: string): boolean => !filter.text(`Who is ${secret}?`).includes(secret);
  filter.hold(tokenOf(0));
  for (let renewal = 1; renewal < 100; renewal += 1) {
    filter.hold(tokenOf(renewal));
    filter.release(tokenOf(renewal));
  }
  for (const kept of [apiKey, tokenOf(0), tokenOf(98), tokenOf(99)]) expect(hides(kept)).toBe(true);
  expect(hides(tokenOf(50))).toBe(false);
});

it('hides a token of a megabyte, whatever its form', () => {
  const long = 'eyJ.to-ken_A1~b2'.repeat(65_536);
  const filter = new SecretFilter([]);
  filter.hold(long);
  const body = JSON.stringify({ detail: `Who is ${long}?`, again: `${base64(`Token ${long}`)} it`, n: 1 });
  const left = filter.bytes(Buffer.from(body));
  expect(left.length).toBeLessThan(200);
  expect(JSON.parse(left.toString())).toMatchObject({ n: 1 });
});
