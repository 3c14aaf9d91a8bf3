import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { connectTo } from './raw-connection.ts';
import { rehearse, type Rehearsal } from './running-platform.ts';
import { accountPayload, extraPayload, paths, processPayload, statusPath } from './sample-payloads.ts';
import { until } from './stepping-clock.ts';

type Rule = Record<string, unknown>;

function withFaults(...rules: Rule[]): Promise<Rehearsal> {
  return rehearse({ operator: { faults: { seed: 7, rules: rules as never } } });
}

/** A connection that is written by hand: what comes is kept as it comes. */
async function rawConnection({ platform, token }: Rehearsal) {
  const socket = await connectTo(platform.url);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  const authorization = `authorization: Token ${await token()}`;
  return {
    socket,
    heard: () => heard,
    post: (path: string, body: unknown) => {
      const text = JSON.stringify(body);
      socket.write(
        `POST /v1/data-import/${path} HTTP/1.1\r\nhost: platform\r\n${authorization}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    },
  };
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}

test('a page with any status comes in the place of the answer, before or after the effect', async () => {
  const { post, get, stateFile } = await withFaults(
    { kind: 'page', on: ['stage'], at: [1] },
    { kind: 'page', on: ['stage'], at: [2], status: 202 },
    { kind: 'page', on: ['stage'], at: [3], status: 204 },
    { kind: 'page', on: ['stage'], at: [4], status: 206 },
    { kind: 'page', on: ['stage'], at: [5], body: 'error' },
    { kind: 'page', on: ['stage'], at: [6], body: 'empty' },
    { kind: 'page', on: ['stage'], at: [7], status: 403, when: 'after' },
  );
  const pages = [];
  for (const account of ['1', '2', '3', '4', '5', '6', '7']) {
    const { status, text, headers } = await post(paths.stage, accountPayload(account));
    pages.push([status, headers['content-type'], text.slice(0, 20)]);
  }
  const html = ['text/html; charset=utf-8', '<!DOCTYPE html>\n<htm'];
  expect(pages).toEqual([
    [200, ...html],
    [202, 'application/json', '{"queued":true}'],
    [204, undefined, ''],
    [206, ...html],
    [200, 'application/json', '{"status":"error"}'],
    [200, undefined, ''],
    [403, ...html],
  ]);
  expect((await get(statusPath('6'))).status).toBe(404);
  expect((await get(statusPath('7'))).status).toBe(200);
  // A page that says 200 must not look like an effect to those who compare what was done.
  const staged = dumpRequests(stateFile).filter(({ endpoint }) => endpoint === 'stage');
  expect(staged.filter(({ status }) => status !== 0)).toMatchObject([{ account: '7', status: 201 }]);
});

test('an answer that goes astray is the last one to another account, with or without the effect', async () => {
  const { post, get } = await withFaults(
    { kind: 'astray', on: ['process'], at: [1, 3] },
    { kind: 'astray', on: ['process'], at: [4], when: 'after' },
  );
  for (const account of ['1', '2', '3']) await post(paths.stage, accountPayload(account));
  const first = await post(paths.process, processPayload('1'));
  const second = await post(paths.process, processPayload('2'));
  expect(first.body.kraken_account_number).not.toBe(second.body.kraken_account_number);
  expect((await post(paths.process, processPayload('3'))).body).toEqual(second.body);
  expect((await get(statusPath('3'))).body.status).toBe('UNKNOWN');
  expect((await post(paths.process, processPayload('3'))).body).toEqual(second.body);
  expect((await get(statusPath('3'))).body.status).toBe('COMPLETED');
});

test('an answer sent twice is what the next request on its connection gets, though its own effect is there', async () => {
  const rehearsal = await withFaults({ kind: 'double_answer', on: ['stage'], at: [1] });
  const { post, heard } = await rawConnection(rehearsal);
  const answers = () => heard().split('HTTP/1.1 ').slice(1);
  const accountIn = (answer = '') => /"external_account_number":"(\w+)"/.exec(answer)?.[1];
  post(paths.stage, accountPayload('1'));
  await until(() => answers().length === 1);
  post(paths.stage, accountPayload('2'));
  await until(() => answers().length === 3);
  expect(answers().map(accountIn)).toEqual(['1', '1', '2']);
  expect(answers()[1]).toContain('x-platform-id');
  post(paths.stage, accountPayload('3'));
  await until(() => answers().length === 4);
  expect(accountIn(answers()[3])).toBe('3');
});

test('an effect comes after the connection was closed, or after a gateway gave up', async () => {
  const { post, get, clock, stateFile } = await withFaults(
    { kind: 'late_effect', on: ['stage'], at: [1], afterMs: 3000 },
    { kind: 'late_effect', on: ['stage'], at: [2], status: 504, afterMs: 60_000 },
  );
  await expect(post(paths.stage, accountPayload('1'))).rejects.toThrow();
  const gateway = await post(paths.stage, accountPayload('2'));
  expect([gateway.status, gateway.headers['content-type']]).toEqual([504, 'text/html; charset=utf-8']);
  for (const account of ['1', '2']) expect((await get(statusPath(account))).status).toBe(404);
  clock.advance(3000);
  await until(() => [...dumpAccounts(stateFile)].length === 1);
  clock.advance(57_000);
  await until(() => [...dumpAccounts(stateFile)].length === 2);
});

test('a platform that is closed takes an effect that was still to come with it', async () => {
  const { post, platform, stateFile, log } = await withFaults({ kind: 'late_effect', on: ['stage'] });
  await expect(post(paths.stage, accountPayload('1'))).rejects.toThrow();
  await platform.close();
  expect([...dumpAccounts(stateFile)]).toEqual([]);
  expect(log.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test('a gateway gives up after the effect', async () => {
  const { post, get } = await withFaults(
    { kind: 'gateway_after', on: ['stage'], at: [1] },
    { kind: 'gateway_after', on: ['stage'], at: [2], status: 504 },
  );
  for (const [account, status] of [
    ['1', 502],
    ['2', 504],
  ] as const) {
    const answered = await post(paths.stage, accountPayload(account));
    expect([answered.status, answered.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect((await get(statusPath(account))).status).toBe(200);
  }
});

test.each(['head', 'body'] as const)('an answer drips from its %s on, to its end', async (from) => {
  const rehearsal = await withFaults({ kind: 'drip', on: ['stage'], from, everyMs: 10 });
  const { clock } = rehearsal;
  const { socket, heard, post } = await rawConnection(rehearsal);
  post(paths.stage, accountPayload('1'));
  await until(() => clock.asleep === 1);
  for (let length = 0; !socket.closed; length += 1) {
    if (from === 'head') expect(heard().length).toBeLessThanOrEqual(length);
    clock.advance(10);
    await until(() => clock.asleep === 1 || socket.closed);
  }
  const [head = '', body = ''] = heard().split('\r\n\r\n');
  expect(head).toContain(`content-length: ${body.length}`);
  expect(JSON.parse(body)).toMatchObject({ external_account_number: '1' });
});

test.each(['head', 'body'] as const)('a %s drips without end until the other side leaves', async (from) => {
  const rehearsal = await withFaults({ kind: 'drip', on: ['stage'], from, endless: true });
  const { clock, log } = rehearsal;
  const { socket, heard, post } = await rawConnection(rehearsal);
  post(paths.stage, accountPayload('1'));
  for (let bytes = 0; bytes < 500; bytes += 1) {
    await until(() => clock.asleep === 1);
    clock.advance(1000);
  }
  await until(() => (from === 'body' ? /} +$/ : /xxxx$/).test(heard()));
  expect(heard()).not.toContain('content-length');
  expect(log.some(({ endpoint }) => endpoint === 'stage')).toBe(false);
  socket.destroy();
  await closed(socket);
  while (!log.some(({ endpoint, status }) => endpoint === 'stage' && status === 0)) {
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test.each([
  [100, 'Continue'],
  [102, 'Processing'],
  [103, 'Early Hints'],
])('an answer comes behind interim answers %i that nobody asked for', async (status, words) => {
  const rehearsal = await withFaults({ kind: 'interim', on: ['stage'], status, times: 2 });
  const { heard, post } = await rawConnection(rehearsal);
  post(paths.stage, accountPayload('1'));
  await until(() => rehearsal.clock.asleep === 1);
  rehearsal.clock.advance(1000);
  await until(() => heard().endsWith('}'));
  const answers = heard().split('HTTP/1.1 ').slice(1);
  expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual([
    `${status} ${words}`,
    `${status} ${words}`,
    '201 Created',
  ]);
});

test('interim answers without end keep a client waiting until the platform closes', async () => {
  const rehearsal = await withFaults({ kind: 'interim', on: ['token'], at: [2], endless: true });
  const { clock, platform, log } = rehearsal;
  await rehearsal.token();
  const asking = rehearsal.freshToken();
  for (let times = 0; times < 100; times += 1) {
    await until(() => clock.asleep === 1);
    clock.advance(1000);
  }
  const outcome = expect(asking).rejects.toThrow();
  await platform.close();
  await outcome;
  expect(log.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test('a fault of a proxy at an endpoint that adds to an account is told by its contents', async () => {
  const { post, stateFile } = await withFaults({ kind: 'page', on: ['notes'], at: [1] });
  await post(paths.stage, accountPayload('1'));
  await post(paths.process, processPayload('1'));
  expect((await post(paths.notes, extraPayload('1', { notes: [{ body: 'hello' }] }))).status).toBe(200);
  expect([...dumpAccounts(stateFile)][0]?.notes).toEqual([]);
});

test('a gateway answers in JSON, a server is behind, a token is not known yet, and access is denied', async () => {
  const { post, get } = await withFaults(
    { kind: 'gateway_json', on: ['validate'], at: [1], status: 408, body: 'spring' },
    { kind: 'gateway_json', on: ['stage'], accounts: ['2'], when: 'after' },
    { kind: 'deny_one', accounts: ['3'] },
    { kind: 'deny_step', on: ['agreements'] },
    { kind: 'lag', ms: 60_000 },
  );
  expect(await post(paths.validate, accountPayload('1'))).toMatchObject({
    status: 408,
    body: { error: 'Error' },
  });
  expect(await post(paths.stage, accountPayload('2'))).toMatchObject({
    status: 409,
    body: { message: expect.any(String) as string },
  });
  expect(await get(statusPath('2'))).toMatchObject({ status: 200, body: { status: 'UNKNOWN' } });
  expect(await post(paths.stage, accountPayload('3'))).toMatchObject({ status: 403 });
  expect(await post(paths.stage, accountPayload('1'))).toMatchObject({ status: 201 });
  expect(await post(paths.process, processPayload('1'))).toMatchObject({
    status: 404,
    body: { code: 'import_process_does_not_exist' },
  });
  expect(
    await post(
      paths.agreements,
      extraPayload('1', { agreements: [{ effective_from: '2023-01-01', tariff_code: 'OLD' }] }),
    ),
  ).toMatchObject({
    status: 403,
    body: { code: 'permission_denied' },
  });
});

test('a maintenance page is answered to everything for a while', async () => {
  const { post, clock } = await withFaults({ kind: 'page_200_for', on: ['validate'], at: [2], forMs: 1000 });
  const validated = async (): Promise<unknown> => (await post(paths.validate, accountPayload('1'))).body;
  const sound = expect.objectContaining({ external_account_number: '1' }) as unknown;
  expect(await validated()).toEqual(sound);
  expect(await validated()).not.toEqual(sound);
  expect(await validated()).not.toEqual(sound);
  clock.advance(1000);
  expect(await validated()).toEqual(sound);
});

test('no new connection is accepted for a while, and open ones are answered', async () => {
  const { platform, clock, token } = await withFaults({
    ...{ kind: 'new_connections_fail', on: ['transferStatus'], at: [2], forMs: 60_000 },
  });
  const authorization = `Token ${await token()}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (over: Agent): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const url = `${platform.url}/v1/data-import/${statusPath('1')}`;
      get(url, { agent: over, headers: { authorization } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      }).on('error', reject);
    });
  const open = [await ask(agent), await ask(agent), await ask(agent)];
  expect(open).toEqual([404, 404, 404]);
  await expect(ask(new Agent())).rejects.toThrow('ECONNREFUSED');
  await until(() => clock.asleep === 1);
  clock.advance(60_000);
  let isOpen = false;
  while (!isOpen)
    isOpen = await ask(new Agent()).then(
      () => true,
      () => false,
    );
  agent.destroy();
});

test('a token that was just issued is refused for a while', async () => {
  const { get } = await withFaults({ kind: 'token_lag', ms: 60_000 });
  expect(await get(statusPath('1'))).toMatchObject({ status: 401 });
});
