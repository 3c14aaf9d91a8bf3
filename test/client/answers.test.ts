import { describe, expect, it } from 'vitest';
import { answeredNumberForm } from '../../src/contract/tenancy/answered-number.ts';
import { refusalStatuses } from '../../src/contract/tenancy/refusal-statuses.ts';
import { ExactNumber } from '../../src/domain/json.ts';
import type { Answer, PostEndpoint } from '../../src/client/platform-client.ts';
import { clientOf, notingPlatform, platform, sendJson } from './loopback.ts';

const key = { supplier: 'TENTACLE_ENERGY', account: 'A-1' };

/** What the client makes of this answer to a POST. */
async function posted(
  endpoint: PostEndpoint,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answer<unknown>> {
  const url = await platform((_request, response) => response.writeHead(status, headers).end(body));
  return clientOf(url).post(endpoint, '{}');
}

async function statusOf(body: unknown): Promise<Answer<unknown>> {
  const url = await platform((_request, response) => sendJson(response, 200, body));
  return clientOf(url).transferStatus(key);
}

const html = '<html><body>Bad gateway, <b>sorry</b></body></html>';

describe('a status that the tenancy refuses with', () => {
  const body = {
    detail: 'No.',
    code: 'account_failed_validation',
    errors: [{ detail: 'No.', code: 'no', attr: 'a' }],
  };

  it('counts as a refusal where its contract lists it, and else as a gateway', async () => {
    const url = await platform((_request, response) => sendJson(response, 422, body));
    const refusals = refusalStatuses({
      documents: [
        {
          paths: {
            '/v1/data-import/validate-account/': { post: { responses: { 200: {}, 403: {}, 422: {} } } },
          },
        },
      ],
    });
    expect(refusals.validate).toEqual([422]);
    const client = clientOf(url, { refusalStatuses: refusals });
    expect(await client.post('validate', '{"a":1}')).toMatchObject({ kind: 'refused', status: 422 });
    expect(await client.post('stage', '{"a":1}')).toMatchObject({ cause: 'gateway_http_422' });
    expect(await clientOf(url).post('validate', '{"a":1}')).toMatchObject({ cause: 'gateway_http_422' });
  });
});

describe('a number of a form that the contract does not give', () => {
  const numberForm = answeredNumberForm({
    documents: [
      {
        paths: {
          '/v1/data-import/account-import-process/process/': {
            post: {
              responses: {
                201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Made' } } } },
              },
            },
          },
        },
        components: {
          schemas: {
            Made: { properties: { kraken_account_number: { $ref: '#/components/schemas/Number' } } },
            Number: { type: 'string', pattern: '^A-[0-9A-F]{8}$', maxLength: 10 },
          },
        },
      },
    ],
  });

  it.each([
    ['A-12AB34CD', { kind: 'ok' }],
    ['EXTERNAL-1234', { kind: 'unknown', cause: 'answer_mismatch' }],
    ['A-12AB34CD0', { kind: 'unknown', cause: 'answer_mismatch' }],
  ])('is believed of no answer: %s', async (number, expected) => {
    const record = { external_account_number: 'A-1', kraken_account_number: number };
    const url = await platform(({ url = '' }, response) => {
      if (url.includes('process/')) sendJson(response, 201, { kraken_account_number: number });
      else if (url.includes('status')) sendJson(response, 200, { status: 'COMPLETED', ...record });
      else sendJson(response, 200, [record, { ...record, kraken_account_number: null }]);
    });
    const client = clientOf(url, { numberForm });
    expect(await client.post('process', '{}')).toMatchObject(expected);
    expect(await client.transferStatus(key)).toMatchObject(expected);
    const listed: unknown[] = [];
    const { kind } = await client.list('importedProcesses', key.supplier, (one) => listed.push(one));
    expect([kind, listed.length]).toEqual(expected.kind === 'ok' ? ['ok', 2] : ['unknown', 0]);
  });

  it.each([
    ['A-12AB34CD', 'refused'],
    ['EXTERNAL-1234', 'unknown'],
  ])('is believed of no refusal either: %s', async (number, kind) => {
    const url = await platform((_request, response) =>
      sendJson(response, 400, {
        ...{ external_account_number: 'A-1', kraken_account_number: number },
        non_field_errors: [
          'The account import process with the account number A-1 has already been imported.',
        ],
      }),
    );
    expect(await clientOf(url, { numberForm }).post('process', '{}')).toMatchObject({ kind });
  });

  it('is not known of a contract that gives none', () => {
    expect(answeredNumberForm({ documents: [{ paths: {} }] })).toBeUndefined();
  });
});

describe('a request', () => {
  it('carries the token and the body as they are', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, {}));
    await clientOf(url).post('validate', '{"transfer_balance":1.0000000000000000001,"name":"Ærø €"}');
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/v1/data-import/validate-account/',
        headers: { authorization: 'Token secret-token', 'content-type': 'application/json' },
        body: '{"transfer_balance":1.0000000000000000001,"name":"Ærø €"}',
      },
    ]);
  });

  it('carries the bare token where the tenancy wants it so', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, {}));
    const credentials = { token: 'secret-token', headerForm: 'bare' } as const;
    await clientOf(url, { credentials }).post('validate', '{}');
    expect(seen[0]?.headers.authorization).toBe('secret-token');
  });

  it('says how transactions are to be taken, even where nobody asked', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 201, { results: [] }));
    const client = clientOf(url);
    await client.post('transactions', '{}');
    const query = { checkPreviouslyAdded: false, forceAddToCurrentStatement: false };
    await client.post('transactions', '{}', { query });
    await client.post('notes', '{}', { query });
    expect(seen.map((request) => request.url)).toEqual([
      '/v1/data-import/transactions/create/?check_previously_added=true&force_add_to_current_statement=true',
      '/v1/data-import/transactions/create/?check_previously_added=false&force_add_to_current_statement=false',
      '/v1/data-import/notes/create/',
    ]);
  });

  it('names accounts in the path whatever characters they hold', async () => {
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, { status: 'UNKNOWN' }));
    const account = 'a/b?c#d%2F e+f&é漢字😀';
    await clientOf(url).transferStatus({ supplier: 'X/..', account });
    const segments = seen[0]?.url?.split('/').slice(4) ?? [];
    expect(segments.map(decodeURIComponent)).toEqual(['X/..', account, '']);
  });
});

describe('a success', () => {
  it('is ok with the body, no digit lost and fields that nobody knows kept', async () => {
    const body = '{"kraken_account_number":"A-1234","account_number":"A-1234","x":0.12345678901234567890}';
    expect(await posted('process', 201, body)).toEqual({
      kind: 'ok',
      status: 201,
      body: {
        kraken_account_number: 'A-1234',
        account_number: 'A-1234',
        x: new ExactNumber('0.12345678901234567890'),
      },
    });
  });

  it.each<[string, PostEndpoint, string, string]>([
    ['a page for people', 'process', html, 'unreadable_answer'],
    ['nothing', 'process', '', 'unrecognised_answer'],
    ['JSON that breaks off', 'process', '{"kraken_account_number":"A-12', 'unreadable_answer'],
    ['JSON without the number', 'process', '{"reference":"A-1234"}', 'unrecognised_answer'],
    ['a page for people, though nobody needs the body', 'validate', html, 'unreadable_answer'],
  ])('is unknown when it says %s', async (_what, endpoint, body, cause) => {
    expect(await posted(endpoint, 200, body)).toMatchObject({ kind: 'unknown', cause, status: 200 });
  });

  it('is unknown when its bytes are no text', async () => {
    const body = Buffer.from('{"kraken_account_number":"A-\xff"}', 'latin1');
    expect(await posted('process', 201, body)).toMatchObject({ kind: 'unknown', cause: 'answer_charset' });
  });

  describe.each(['agreements', 'billingDocuments', 'statements'] as const)('of %s', (endpoint) => {
    it.each([
      [201, ''],
      [200, ''],
      [200, '{}'],
      [201, '{"external_account_number":"A-1","more":1}'],
    ])('is %i with %j', async (status, body) => {
      expect(await posted(endpoint, status, body)).toMatchObject({ kind: 'ok', status });
    });

    it.each([
      [200, 'text/html', html, '200 with a body of text/html'],
      [200, 'text/html', '{}', '200 with a body of text/html'],
      [200, 'application/json', '{"status":"error"}', '200 with JSON {status}'],
      [202, 'application/json', '{"queued":true}', '202 with JSON {queued}'],
      [204, 'application/json', '', '204 without a body'],
      [206, 'application/json', '{}', '206 with JSON {}'],
    ])('is not %i with %s %j: a proxy may have said it', async (status, type, body, looks) => {
      const answer = await posted(endpoint, status, body, { 'content-type': type });
      expect(answer).toMatchObject({ kind: 'unknown', status, looks });
    });
  });

  it('is what a tenancy is said to answer with, but never a page', async () => {
    const acceptedAnswers = { agreements: [202, 204] };
    const answered = async (status: number, type: string, body: string) => {
      const url = await platform((_request, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
      return clientOf(url, { acceptedAnswers }).post('agreements', '{}');
    };
    expect(await answered(202, 'application/json', '{"queued":true}')).toEqual({
      kind: 'ok',
      status: 202,
      body: undefined,
    });
    expect(await answered(204, 'application/json', '')).toMatchObject({ kind: 'ok' });
    expect(await answered(202, 'text/html', html)).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown when it is longer than anything the interface says', async () => {
    const url = await platform((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"filler":"');
      const filler = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        while (response.writable && response.write(filler));
      };
      response.on('drain', more);
      more();
    });
    expect(await clientOf(url).post('process', '{}')).toEqual({
      kind: 'unknown',
      cause: 'answer_too_large',
      status: 200,
    });
  });
});

describe('the status of an account', () => {
  it('comes with the number once there is one', async () => {
    expect(await statusOf({ status: 'COMPLETED', kraken_account_number: 'A-1', new: 1 })).toEqual({
      kind: 'ok',
      status: 200,
      body: { status: 'COMPLETED', krakenAccountNumber: 'A-1' },
    });
  });

  it.each(['', null, undefined])('has no number when it says %j', async (number) => {
    const answer = await statusOf({ status: 'UNKNOWN', kraken_account_number: number });
    expect(answer).toEqual({ kind: 'ok', status: 200, body: { status: 'UNKNOWN' } });
  });

  it('is unknown when it is none of those that the interface names', async () => {
    const answer = await statusOf({ status: 'PERHAPS' });
    expect(answer).toEqual({ kind: 'unknown', cause: 'unreadable_answer', status: 200 });
  });
});

describe('a refusal', () => {
  it('names what the platform found wrong', async () => {
    const body = {
      detail: 'Account data could not be validated.',
      code: 'account_failed_validation',
      errors: [{ detail: 'No such number.', code: 'invalid_phone_number', attr: 'customers.0.landline' }],
    };
    const url = await platform((_request, response) => sendJson(response, 400, body));
    const sent = JSON.stringify({ customers: [{ landline: '12' }] });
    expect(await clientOf(url).post('validate', sent)).toMatchObject({
      kind: 'refused',
      status: 400,
      refusal: {
        code: 'account_failed_validation',
        problems: [{ code: 'invalid_phone_number', path: 'customers.0.landline' }],
        wouldImport: false,
      },
    });
  });

  it.each([
    ['a page for people', html],
    ['a page that mentions a dry run', '<p>Account would successfully import.</p>'],
    ['nothing', ''],
    ['JSON in no dialect', '{}'],
  ])('that says %s is none: a proxy may have said it', async (_what, body) => {
    for (const status of [400, 403, 404, 413])
      expect(await posted('process', status, body)).toEqual({
        kind: 'unknown',
        cause: `gateway_http_${status}`,
        status,
      });
  });

  it('of a status that the interface does not give the endpoint is none, whatever it says', async () => {
    const body = JSON.stringify({ detail: 'No.', code: 'account_failed_validation', errors: [] });
    for (const status of [402, 405, 408, 409, 410, 413, 415, 422, 425, 451, 499])
      expect(await posted('agreements', status, body)).toEqual({
        kind: 'unknown',
        cause: `gateway_http_${status}`,
        status,
      });
    expect(await posted('stage', 404, body)).toMatchObject({ kind: 'unknown' });
    expect(await posted('notes', 404, body)).toMatchObject({ kind: 'not-found' });
  });

  it.each([
    { timestamp: '2026-11-28T01:00:00.000+00:00', status: 400, error: 'Bad Request', path: '/v1/notes' },
    { message: 'no Route matched with those values' },
    { message: 'Conflict', code: 'conflict' },
    { code: 'REQUEST_REJECTED' },
    { error: 'Bad Request' },
    { error: { code: 'BadRequest', message: 'No.' } },
    { errors: ['No.'] },
    { errors: [{ detail: 'No.', code: 'bad', status: '400', title: 'Bad Request' }] },
    { detail: 'Not Found' },
    { detail: 'No.', code: 'bad_request' },
    { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No.' },
    { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No.', errors: { notes: ['No.'] } },
    ['No.'],
    'No.',
  ])('that a gateway or a framework writes is none: %j', async (body) => {
    for (const status of [400, 404])
      expect(await posted('notes', status, JSON.stringify(body))).toMatchObject({
        kind: 'unknown',
        cause: `gateway_http_${status}`,
      });
  });

  it('names only fields of the payload and of the interface, and only codes that repeat nothing of it', async () => {
    const url = await platform((_request, response) =>
      sendJson(response, 400, {
        detail: 'No.',
        code: 'ann@example.com',
        errors: [
          { detail: 'No.', code: 'EXT-000042', attr: 'customers.0.landline' },
          { detail: 'No.', code: 'a_new_code', attr: 'customers.0.ann@example.com' },
          { detail: 'No.', code: 'x'.repeat(65), attr: 'timestamp' },
          { detail: 'No.', code: 'name Ann', attr: 'customers.7.landline' },
        ],
      }),
    );
    const payload = { reference: 'EXT-000042', customers: [{ email: 'ann@example.com', given_name: 'Ann' }] };
    const answer = await clientOf(url).post('validate', JSON.stringify(payload));
    expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'invalid' } });
    const problems = answer.kind === 'refused' ? answer.refusal.problems : [];
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ['invalid', 'customers.0.landline'],
      ['a_new_code', 'customers.0'],
      ['invalid', ''],
      ['invalid', 'customers'],
    ]);
  });

  it('that breaks off is unknown: it may have said that the account exists', async () => {
    expect(await posted('process', 400, '{"kraken_account_number":"A-1')).toEqual({
      kind: 'unknown',
      cause: 'unreadable_answer',
      status: 400,
    });
  });

  it('is not found when the platform says 404', async () => {
    const body = '{"detail":"Not found.","code":"account_not_found"}';
    expect(await posted('notes', 404, body)).toMatchObject({
      kind: 'not-found',
      status: 404,
      refusal: { code: 'account_not_found' },
    });
    const url = await platform((_request, response) => response.writeHead(404).end(html));
    expect(await clientOf(url).transferStatus(key)).toMatchObject({
      kind: 'not-found',
      refusal: { code: 'http_404' },
    });
  });

  it('is not what a redirect comes to, which is never followed', async () => {
    const { url, seen } = await notingPlatform((response) =>
      response.writeHead(302, { location: '/login' }).end(),
    );
    expect(await clientOf(url).post('process', '{}')).toEqual({
      kind: 'unknown',
      cause: 'gateway_http_302',
      status: 302,
      target: '/login',
    });
    expect(seen).toHaveLength(1);
  });
});

describe('a platform with too much to do', () => {
  it.each([
    ['seconds', '7', 7000],
    ['a date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['a date gone by', 'Sun, 01 Mar 2026 11:59:00 GMT', 0],
  ])('says in %s when to come back', async (_form, header, retryAfterMs) => {
    const answer = await posted('process', 429, html, { 'retry-after': header });
    expect(answer).toEqual({ kind: 'throttled', status: 429, retryAfterMs });
  });

  it.each(['soon', '-5', '1.5', ''])('is only throttled when it says %j', async (header) => {
    const answer = await posted('process', 429, '', { 'retry-after': header });
    expect(answer).toEqual({ kind: 'throttled', status: 429 });
  });
});

describe('a failure of the platform', () => {
  it.each([500, 502, 503])('is unknown when it says %i', async (status) => {
    const cause = `http_${status}`;
    expect(await posted('process', status, html)).toEqual({ kind: 'unknown', cause, status });
    // The platform's own word on what it was doing; a proxy's is none.
    const over = status === 500 ? { isOver: true } : {};
    expect(await posted('agreements', status, '{"detail":"x","code":"error","errors":[]}')).toEqual({
      kind: 'unknown',
      cause,
      status,
      ...over,
    });
  });
});

it('a failure of the platform says when to come back, where the platform does', async () => {
  const answer = await posted('process', 503, html, { 'retry-after': '7' });
  expect(answer).toEqual({ kind: 'unknown', cause: 'http_503', status: 503, retryAfterMs: 7000 });
});

describe('credentials that are refused', () => {
  it.each([401, 403])('are unauthorized, in the words of the platform: %i', async (status) => {
    expect(await posted('process', status, '{"detail":"Invalid token."}')).toEqual({
      kind: 'unauthorized',
      status,
      tokenId: 1,
      detail: 'Invalid token.',
    });
  });

  it('never show the token, even if the platform repeats it', async () => {
    const answer = await posted('process', 401, '{"detail":"Token secret-token has expired."}');
    expect(answer).toMatchObject({ kind: 'unauthorized' });
    expect(JSON.stringify(answer)).not.toContain('secret-token');
  });
});
