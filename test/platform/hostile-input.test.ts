import { expect, test } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { connectTo, readToEnd } from './raw-connection.ts';
import { rehearse, type Answered, type Rehearsal } from './running-platform.ts';
import { accountPayload, paths, processPayload, statusPath } from './sample-payloads.ts';

const stage = `/v1/data-import/${paths.stage}`;
const json = { 'content-type': 'application/json' };

/** A stage request whose body is this text. */
async function stageText(rehearsal: Rehearsal, body: string | Buffer): Promise<Answered> {
  return rehearsal.send('POST', stage, { ...json, authorization: `Token ${await rehearsal.token()}` }, body);
}

/** An account payload with this JSON text as the value of one metadata entry. */
function withMetadata(text: string): string {
  const marker = '"MARK"';
  return JSON.stringify(accountPayload('1', { metadata: [{ key: 'k', value: { v: 'MARK' } }] })).replace(
    marker,
    text,
  );
}

/** Section 7's body, and nothing stored. */
function expectRefused(answered: Answered, status: number, code?: string): void {
  expect(answered.status).toBe(status);
  expect(answered.body).toMatchObject({
    detail: expect.any(String),
    code: expect.any(String),
    errors: expect.any(Array),
  });
  if (code !== undefined) expect(answered.body.errors).toContainEqual(expect.objectContaining({ code }));
  expect(answered.headers['x-platform-id']).toBeDefined();
}

function expectNothingStored({ stateFile }: Rehearsal): void {
  expect([...dumpAccounts(stateFile)]).toEqual([]);
}

test('bodies that are not one JSON object of the contract are refused, and nothing is stored', async () => {
  const rehearsal = await rehearse();
  const deep = (open: string, close: string) => open.repeat(10_000) + '1' + close.repeat(10_000);
  const cases: [string | Buffer, string?][] = [
    ['', 'parse_error'],
    ['not json', 'parse_error'],
    ['{"import_supplier":', 'parse_error'],
    ['{} {}', 'parse_error'],
    ['{"a":1,}', 'parse_error'],
    ["{'a':1}", 'parse_error'],
    ['{"a":NaN}', 'parse_error'],
    ['\ufeff{}', 'parse_error'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'parse_error'],
    [Buffer.from('{"a":1}', 'utf16le'), 'parse_error'],
    ['[]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"text"', 'not_an_object'],
    ['7', 'not_an_object'],
    ['true', 'not_an_object'],
    ['{}', 'required'],
    [deep('[', ']'), 'too_deep'],
    [deep('{"a":', '}'), 'too_deep'],
    [withMetadata(deep('[', ']')), 'too_deep'],
    [withMetadata('{"a":1,"a":2}'), 'duplicate_key'],
    [withMetadata('{"a":1,"\\u0061":2}'), 'duplicate_key'],
    [withMetadata('{"a":12345678901234567890,"a":12345678901234567891}'), 'duplicate_key'],
    [withMetadata('{"__proto__":{"polluted":true}}'), 'duplicate_key'],
    [withMetadata('{"\\u005f_proto__":{"polluted":true}}'), 'duplicate_key'],
    [withMetadata('{"__proto__":{"polluted":12345678901234567890}}'), 'duplicate_key'],
    [`{"__proto__":{},${JSON.stringify(accountPayload('1')).slice(1)}`, 'duplicate_key'],
    [`{"import_supplier":"TENTACLE_ENERGY",${JSON.stringify(accountPayload('1')).slice(1)}`, 'duplicate_key'],
    [withMetadata('"\\ud800"'), 'surrogate_characters_not_allowed'],
    [withMetadata('{"\\udc00":1}'), 'surrogate_characters_not_allowed'],
    [withMetadata('"a\\u0000b"'), 'null_characters_not_allowed'],
    [JSON.stringify(accountPayload('1\u0000')), 'null_characters_not_allowed'],
    [JSON.stringify(accountPayload('1', { constructor: {} })), 'unknown_field'],
    [JSON.stringify(accountPayload('x'.repeat(129))), 'max_length'],
    [JSON.stringify(accountPayload('1', { transfer_balance: 2 ** 53 })), 'invalid_amount'],
    [JSON.stringify(accountPayload('1')).replace('}', ',"transfer_balance":1e400}')],
    [
      JSON.stringify(
        accountPayload('1', { ledgers: [{ ledger_code: 'E', last_statement_closing_date: '2023-02-29' }] }),
      ),
      'invalid_date',
    ],
  ];
  for (const [body, code] of cases) expectRefused(await stageText(rehearsal, body), 400, code);
  expectNothingStored(rehearsal);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect((await stageText(rehearsal, JSON.stringify(accountPayload('1')))).status).toBe(201);
});

test('what a payload may hold comes back with every digit and every character', async () => {
  const { stateFile, ...rehearsal } = await rehearse();
  const text = withMetadata('[12345678901234567890.123456789, 1e-7, "\\ud83d\\ude00 \\u00e9 \\"x\\""]');
  const token = await rehearsal.token();
  const send = (path: string, body: string) =>
    rehearsal.send('POST', path, { ...json, authorization: `Token ${token}` }, body);
  expect((await send(`/v1/data-import/${paths.validate}`, text)).text).toContain(
    '12345678901234567890.123456789',
  );
  expect((await send(stage, text)).status).toBe(201);
  expect([...dumpAccounts(stateFile)][0]?.payload).toContain('[12345678901234567890.123456789,');
});

test('an account number may hold slashes, percent signs, dots, spaces and any script', async () => {
  const { post, get } = await rehearse();
  for (const account of [
    'a/b',
    '100%',
    '%2F',
    'a b',
    '..',
    'Ω-ключ-鍵-😀',
    "'; DROP TABLE account; --",
    '?#&=+',
    '\\"',
  ]) {
    expect((await post(paths.stage, accountPayload(account))).status).toBe(201);
    expect((await post(paths.process, processPayload(account))).status).toBe(201);
    if (account !== '..') expect((await get(statusPath(account))).body.status).toBe('COMPLETED');
  }
  const listed: { external_account_number: string }[] = (
    await get('all-account-import-processes/TENTACLE_ENERGY/')
  ).body;
  expect(listed).toHaveLength(9);
});

test('wrong paths, methods, types and senders get the right status', async () => {
  const rehearsal = await rehearse();
  const { send, get } = rehearsal;
  const token = await rehearsal.token();
  const authorized = { ...json, authorization: `Token ${token}` };
  const body = JSON.stringify(accountPayload('1'));

  expectRefused(await send('POST', '/v1/data-import/nothing/', authorized, body), 404);
  expectRefused(await send('POST', '/', authorized, body), 404);
  const noSlash = await send('POST', stage.slice(0, -1), authorized, body);
  expectRefused(noSlash, 404);
  expect(noSlash.body.detail).toContain('slash');
  expectRefused(await send('POST', `/${stage}`, authorized, body), 404);
  expectRefused(await send('POST', `${stage}/`, authorized, body), 404);
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answered = await send(method, stage, authorized);
    expectRefused(answered, 405);
    expect(answered.headers['allow']).toBe('POST');
  }
  expect((await send('POST', `/v1/data-import/${statusPath('1')}`, authorized, '{}')).headers['allow']).toBe(
    'GET',
  );
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    '',
  ])
    expectRefused(await send('POST', stage, { ...authorized, 'content-type': type }, body), 415);
  expectRefused(await send('POST', stage, { ...authorized, 'content-encoding': 'gzip' }, body), 415);
  expect(
    (await send('POST', stage, { ...authorized, 'content-type': 'Application/JSON; Charset="UTF-8"' }, body))
      .status,
  ).toBe(201);
  for (const authorization of [
    '',
    'Token',
    token,
    `Bearer ${token}`,
    `Token ${token}x`,
    `Token ${token.slice(0, -2)}`,
    'Token a.b.c',
  ]) {
    const answered = await send('POST', stage, { ...json, authorization }, body);
    expectRefused(answered, 401);
    expect(answered.headers['www-authenticate']).toBe('Token');
  }
  expectRefused(await get('account-transfer-status/TENTACLE_ENERGY/%zz/'), 400);
  expectRefused(await get('account-transfer-status/TENTACLE_ENERGY/%ff/'), 400);
  expectRefused(await get('account-transfer-status/TENTACLE_ENERGY//'), 404);
  expectRefused(await get(`account-transfer-status/TENTACLE_ENERGY/${'x'.repeat(10_000)}/`), 404);
  expectRefused(await get('account-transfer-status/TENTACLE_ENERGY/a/b/'), 404);
  const long = await get(`account-transfer-status/TENTACLE_ENERGY/${'x'.repeat(20_000)}/`);
  expect([long.status, long.body.code]).toEqual([431, 'request_header_fields_too_large']);
});

test('a body of 50 MB is refused without being held, and the platform goes on', async () => {
  const rehearsal = await rehearse();
  const before = process.memoryUsage().arrayBuffers;
  const answered = await stageText(rehearsal, Buffer.alloc(50 * 1024 * 1024, 0x20));
  expectRefused(answered, 413);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120 * 1024 * 1024);
  expectNothingStored(rehearsal);
  expect((await rehearsal.post(paths.stage, accountPayload('1'))).status).toBe(201);
});

test('what is not HTTP, and a request that is cut off, harm nobody', async () => {
  const rehearsal = await rehearse();
  const { url } = rehearsal.platform;
  const nonsense = await connectTo(url);
  nonsense.write('this is not HTTP\r\n\r\n');
  const said = await readToEnd(nonsense);
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
  expect(said).toContain('"code":"bad_request"');

  const cut = await connectTo(url);
  const head = `POST ${stage} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Token ${await rehearsal.token()}\r\n`;
  cut.write(`${head}content-length: 1000\r\n\r\n{"import_supplier":`);
  cut.destroy();
  const smuggled = await connectTo(url);
  smuggled.write(`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`);
  expect(await readToEnd(smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await rehearsal.post(paths.stage, accountPayload('1'))).status).toBe(201);
  expect(dumpRequests(rehearsal.stateFile)).toHaveLength(1);
});

test('slow senders and idle connections are let go', async () => {
  const rehearsal = await rehearse({ limits: { headMs: 60, requestMs: 120, silenceMs: 150, checkMs: 20 } });
  const { url } = rehearsal.platform;
  const token = await rehearsal.token();
  /** What is answered to a beginning; read from the start, however busy the machine is. */
  const answerTo = async (beginning: string): Promise<string> => {
    const socket = await connectTo(url);
    const answer = readToEnd(socket);
    if (beginning !== '') socket.write(beginning);
    return answer;
  };
  const [head, body, nothing] = await Promise.all([
    answerTo(`POST ${stage} HTTP/1.1\r\nhost:`),
    answerTo(
      `POST ${stage} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n` +
        `authorization: Token ${token}\r\n\r\n{`,
    ),
    answerTo(''),
  ]);
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(body).toMatch(/^HTTP\/1\.1 408 /);
  expect(nothing).not.toContain('200');
  expectNothingStored(rehearsal);
});

test('wrong keys are refused as GraphQL refuses them, with errors in an answer of status 200', async () => {
  const { send, platform } = await rehearse();
  const ask = async (query: string, variables?: unknown) =>
    send('POST', '/v1/graphql/', json, JSON.stringify({ query, variables }));
  const wrong = await ask('mutation { obtainKrakenToken(input: {APIKey: "wrong"}) { token } }');
  expect(wrong.status).toBe(200);
  expect(wrong.body.errors[0].message).toEqual(expect.any(String));
  expect(wrong.text).not.toContain('wrong');
  for (const query of [
    '',
    '{',
    'query { viewer }',
    'mutation { other }',
    'mutation { obtainKrakenToken }',
    `mutation ${'{a'.repeat(4000)}`,
    `mutation { obtainKrakenToken(input: {APIKey: "${'x'.repeat(5_000_000)}"}) { token } }`,
  ])
    expect((await ask(query)).body.errors.length).toBeGreaterThan(0);
  const inline = await ask(
    `mutation M { mine: obtainKrakenToken(input: {APIKey: "${platform.apiKey}"}) { token refreshToken payload __typename } }`,
  );
  const { token, refreshToken, payload } = inline.body.data.mine;
  expect(payload.exp - payload.iat).toBe(3600);
  const refreshed = await ask(
    'mutation ($i: ObtainJSONWebTokenInput!) { obtainKrakenToken(input: $i) { token } }',
    {
      i: { refreshToken },
    },
  );
  expect(refreshed.body.data.obtainKrakenToken.token).toEqual(expect.any(String));
  expect(
    (await ask('mutation ($i: X) { obtainKrakenToken(input: $i) { token } }', { i: { refreshToken: token } }))
      .body.errors,
  ).toHaveLength(1);
  expect((await send('POST', '/v1/graphql/', json, '[]')).status).toBe(400);
});

test('a token is good for its lifetime and not a second longer', async () => {
  const { get, clock } = await rehearse({ operator: { token: { lifetimeSeconds: 60 } } });
  expect((await get(statusPath('1'))).status).toBe(404);
  clock.advance(59_000);
  expect((await get(statusPath('1'))).status).toBe(404);
  clock.advance(1_000);
  expect((await get(statusPath('1'))).status).toBe(401);
});

test('the request log tells what was asked, and nothing of whom it was about', async () => {
  const { post, get, log, token } = await rehearse();
  await post(paths.stage, accountPayload('SECRET-ACCOUNT'));
  await get(statusPath('SECRET-ACCOUNT'));
  await get(`nowhere/SECRET-ACCOUNT/`);
  expect(log.map(({ endpoint, method, status }) => [method, endpoint, status])).toEqual([
    ['POST', 'token', 200],
    ['POST', 'stage', 201],
    ['GET', 'transferStatus', 200],
    ['GET', '', 404],
  ]);
  const text = JSON.stringify(log);
  for (const secret of ['SECRET', 'sample@', await token()]) expect(text).not.toContain(secret);
});

test('many long bodies at once take no more room than the limit, and pass one after another', async () => {
  const rehearsal = await rehearse({ limits: { heldBytes: 300_000 } });
  const long = (account: string) =>
    accountPayload(account, { metadata: [{ key: 'k', value: { long: 'x'.repeat(200_000) } }] });
  const accounts = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const first = await connectTo(rehearsal.platform.url);
  const head = `POST ${stage} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Token ${await rehearsal.token()}\r\n`;
  first.write(`${head}content-length: 300000\r\n\r\n${' '.repeat(250_000)}`);
  let answered: Answered;
  // Until the first has arrived, there is room for another.
  do answered = await rehearsal.post(paths.stage, long('1'));
  while (answered.status !== 503);
  expectRefused(answered, 503, undefined);
  first.destroy();
  for (const account of accounts) {
    do answered = await rehearsal.post(paths.stage, long(account));
    while (answered.status === 503);
    expect([200, 201]).toContain(answered.status);
  }
});
