import { describe, expect, it } from 'vitest';
import { clientOf, notingPlatform, platform, sendJson } from './loopback.ts';

const key = { supplier: 'S', account: 'A/1' };
const points = [
  { mpxn: '1', status: 'PRE_REGISTRATION' },
  { mpxn: '2', status: 'LIVE' },
];
const said = {
  external_account_number: 'A/1',
  import_supplier_code: 'S',
  meter_points: [
    { mpxn: '1', status: 'REGISTRATION_FLOW_SUCCESS', error_detail: '' },
    { mpxn: '2', status: 'REGISTRATION_FLOW_ERROR', error_detail: 'No.' },
  ],
};

async function client(status: number, body: unknown, headers?: Record<string, string>) {
  const url = await platform((_request, response) =>
    headers === undefined
      ? sendJson(response, status, body)
      : void response.writeHead(status, headers).end(String(body)),
  );
  return clientOf(url).meterPoints;
}

describe('the meter points of an account', () => {
  it('are asked for without a body, at a path with its supplier and number', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, points));
    expect(await clientOf(url).meterPoints.statuses(key)).toEqual({ kind: 'ok', status: 200, body: points });
    expect(seen.at(-1)).toMatchObject({
      ...{ method: 'GET', body: '' },
      url: '/v1/data-import/meterpoint-statuses-for-account/S/A%2F1/',
    });
  });

  it('may be in a list in the list; 404 with `error` says that there are none', async () => {
    expect(await (await client(200, [points])).statuses(key)).toMatchObject({ kind: 'ok', body: points });
    expect(await (await client(404, { error: 'None.' })).statuses(key)).toMatchObject({
      kind: 'ok',
      body: [],
    });
  });

  it.each([
    ['a page with 404', 404, '<html>', { 'content-type': 'text/html' }],
    ['a page with 200', 200, '<html>', { 'content-type': 'text/html' }],
    ['another object', 200, '{"status":"ok"}', { 'content-type': 'application/json' }],
    ['a meter point without a status', 200, '[{"mpxn":"1"}]', { 'content-type': 'application/json' }],
  ])('are not known from %s', async (_, status, body, headers) => {
    expect((await (await client(status, body, headers)).statuses(key)).kind).not.toBe('ok');
  });
});

describe('registration', () => {
  it('says of each meter point whether it is marked', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, said));
    expect(await clientOf(url).meterPoints.register(key)).toMatchObject({
      kind: 'ok',
      body: [
        { mpxn: '1', isRegistered: true },
        { mpxn: '2', isRegistered: false },
      ],
    });
    expect(seen.at(-1)).toMatchObject({
      ...{ method: 'POST', body: '' },
      url: '/v1/data-import/send-registration-flows/S/A%2F1/',
    });
  });

  it('is refused with `error_detail`', async () => {
    const body = { error_detail: 'There is no such account.' };
    expect(await (await client(404, body)).register(key)).toMatchObject({ kind: 'not-found' });
    expect(await (await client(400, body)).register(key)).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['another account', 200, { ...said, external_account_number: 'A-2' }],
    ['another supplier', 200, { ...said, import_supplier_code: 'T' }],
    ['201', 201, said],
    ['an unknown word', 200, { ...said, meter_points: [{ mpxn: '1', status: 'OK' }] }],
    ['{}', 200, {}],
  ])('is not known from an answer about %s', async (_, status, body) => {
    expect((await (await client(status, body)).register(key)).kind).toBe('unknown');
  });
});
