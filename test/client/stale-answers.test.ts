import { describe, expect, it } from 'vitest';
import { clientOf, noon, notingPlatform, sendJson, type SeenRequest } from './loopback.ts';
import type { ServerResponse } from 'node:http';

const minute = 60_000;
const records = [{ external_account_number: 'old-1' }];

/** A platform with its clock `ahead` (ms); `stored` changes the headers of what a cache would answer. */
async function platformWith(stored: Record<string, string>, ahead = 0) {
  const isList = ({ url = '' }: SeenRequest): boolean => url.includes('all-account-import-processes');
  return notingPlatform((response: ServerResponse, request) => {
    response.setHeader('date', new Date(noon + ahead).toUTCString());
    if (isList(request)) for (const [name, value] of Object.entries(stored)) response.setHeader(name, value);
    if (request.method === 'POST') sendJson(response, 201, { kraken_account_number: 'A-1' });
    else sendJson(response, isList(request) ? 200 : 404, isList(request) ? records : { detail: 'No.' });
  });
}

const httpTime = (ms: number): string => new Date(ms).toUTCString();
const stale = { kind: 'unknown', cause: 'stale_answer', status: 200 };

async function listed(url: string) {
  return clientOf(url).list('allProcesses', 'S', () => undefined);
}

describe('an answer that a cache stored is believed for nothing', () => {
  it.each([['1'], ['86400'], ['007']])('with Age %s', async (age) => {
    const { url } = await platformWith({ age });
    expect(await listed(url)).toEqual(stale);
  });

  it('with a Date before the request, though the list is the first that is asked for', async () => {
    const { url, seen } = await platformWith({ date: httpTime(noon - minute) });
    expect(await listed(url)).toEqual(stale);
    // What time it is there was asked at an address that no cache can know.
    expect(seen).toHaveLength(2);
  });

  it('with a Date that only a platform whose clock is ahead shows to be old', async () => {
    const { url } = await platformWith({ date: httpTime(noon) }, 10 * minute);
    const client = clientOf(url);
    expect(await client.post('process', '{}')).toMatchObject({ kind: 'ok' });
    expect(await client.list('allProcesses', 'S', () => undefined)).toEqual(stale);
  });

  it.each([200, 201, 400, 401, 404, 429, 500])('whatever its status: %s', async (status) => {
    const { url } = await notingPlatform((response) => {
      response.setHeader('age', '30');
      sendJson(response, status, { detail: 'Not found.' });
    });
    const key = { supplier: 'S', account: 'A' };
    expect(await clientOf(url).transferStatus(key)).toMatchObject({ kind: 'unknown', cause: 'stale_answer' });
    expect(await clientOf(url).post('process', '{}')).toMatchObject({
      kind: 'unknown',
      cause: 'stale_answer',
    });
  });

  it('where it should be a token', async () => {
    const { url, seen } = await notingPlatform((response) => {
      response.setHeader('age', '30');
      sendJson(response, 200, { data: { obtainKrakenToken: { token: 'tk' } } });
    });
    const client = clientOf(url, { credentials: { apiKey: 'sk_live_1' } });
    expect(await client.post('process', '{}')).toEqual({ kind: 'not-sent', cause: 'stale_answer' });
    expect(seen).toHaveLength(1);
  });
});

describe('an answer is to this request', () => {
  it.each([
    ['with Age 0', { age: '0' }],
    ['with a Date of a few seconds ago: clocks differ', { date: httpTime(noon - 3000) }],
    ['without a Date that can be read', { date: 'yesterday' }],
    ['with a Date to come', { date: httpTime(noon + minute) }],
  ])('%s', async (_what, stored) => {
    const { url, seen } = await platformWith(stored);
    expect(await listed(url)).toMatchObject({ kind: 'ok' });
    expect(seen).toHaveLength(1);
  });

  it('where the clock of the platform is behind, from the first one on', async () => {
    const { url, seen } = await platformWith({}, -60 * minute);
    const client = clientOf(url);
    for (let count = 0; count < 3; count += 1)
      expect(await client.list('allProcesses', 'S', () => undefined)).toMatchObject({ kind: 'ok' });
    expect(seen).toHaveLength(4);
  });
});
