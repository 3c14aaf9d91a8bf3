import { expect, test } from 'vitest';
import { dumpRequests } from '../../src/platform/dump.ts';
import { rehearse, type Answered, type Rehearsal } from './running-platform.ts';
import { accountPayload, extraPayload, paths, processPayload, statusPath } from './sample-payloads.ts';
import { until } from './stepping-clock.ts';

type Rule = Record<string, unknown>;

function withFaults(...rules: Rule[]): Promise<Rehearsal> {
  return rehearse({ operator: { faults: { seed: 7, rules: rules as never } } });
}

/** The status, or why there was none. */
async function outcome(answer: Promise<Answered>): Promise<number | string> {
  try {
    const { status, body, headers } = await answer;
    if (headers['content-type']?.includes('json') === true && body === undefined) return 'unreadable';
    return status;
  } catch (error) {
    if (error instanceof SyntaxError) return 'unreadable';
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

test('a connection reset before the work leaves nothing behind; a lost answer leaves its effect', async () => {
  const { post, get, stateFile } = await withFaults(
    { kind: 'reset', on: ['stage'], accounts: ['1'], at: [1] },
    { kind: 'reset', on: ['stage'], accounts: ['2'], at: [1], when: 'after' },
  );
  for (const account of ['1', '2'])
    expect(await outcome(post(paths.stage, accountPayload(account)))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  expect((await get(statusPath('1'))).status).toBe(404);
  expect((await get(statusPath('2'))).status).toBe(200);
  expect((await post(paths.stage, accountPayload('1'))).status).toBe(201);
  expect(dumpRequests(stateFile).filter(({ endpoint }) => endpoint === 'stage')).toMatchObject([
    { account: '1', status: 0, times: 1 },
    { account: '1', status: 201, times: 1 },
    { account: '2', status: 201, times: 1 },
  ]);
});

test('pages of HTML, broken and cut answers, and 429 with and without Retry-After come where they are asked for', async () => {
  const { post, get } = await withFaults(
    { kind: 'html', on: ['stage'], at: [1], status: 500 },
    { kind: 'html', on: ['stage'], at: [2], when: 'after' },
    { kind: 'malformed', on: ['stage'], at: [3] },
    { kind: 'truncated', on: ['stage'], at: [4] },
    { kind: 'throttle', on: ['stage'], at: [5], retryAfterSeconds: 2 },
    { kind: 'throttle', on: ['stage'], at: [6] },
    { kind: 'truncated', on: ['allProcesses'], at: [1] },
    { kind: 'malformed', on: ['allProcesses'], at: [2] },
  );
  const stage = (account: string) => post(paths.stage, accountPayload(account));
  const html = await stage('1');
  expect(html.status).toBe(500);
  expect(html.headers['content-type']).toContain('text/html');
  expect((await get(statusPath('1'))).status).toBe(404);
  expect((await stage('2')).status).toBe(502);
  expect((await get(statusPath('2'))).status).toBe(200);
  expect(await outcome(stage('3'))).toBe('unreadable');
  expect(await outcome(stage('4'))).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  expect((await get(statusPath('4'))).status).toBe(200);
  const throttled = await stage('5');
  expect([throttled.status, throttled.headers['retry-after']]).toEqual([429, '2']);
  expect((await stage('6')).headers['retry-after']).toBeUndefined();
  expect((await get(statusPath('5'))).status).toBe(404);
  const list = () => get('all-account-import-processes/TENTACLE_ENERGY/');
  expect(await outcome(list())).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  expect(await outcome(list())).toBe('unreadable');
  expect((await list()).body).toHaveLength(3);
});

test('a hanging or a late answer does not keep the platform from closing', async () => {
  const { post, platform, clock, log } = await withFaults(
    { kind: 'hang', on: ['stage'] },
    { kind: 'latency', on: ['notes'], ms: 60_000 },
  );
  const late = outcome(post(paths.notes, extraPayload('1', { notes: [] })));
  await until(() => clock.asleep === 1);
  const hanging = outcome(post(paths.stage, accountPayload('1')));
  await post(paths.validate, accountPayload('1'));
  await platform.close();
  for (const answer of [hanging, late]) expect(await answer).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  expect(log.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test('more requests in a burst than allowed are throttled until the time is over', async () => {
  const { post, clock } = await withFaults({ kind: 'burst', on: ['validate'], requests: 2, perMs: 1000 });
  const validate = async () => (await post(paths.validate, accountPayload('1'))).status;
  expect([await validate(), await validate(), await validate()]).toEqual([200, 200, 429]);
  clock.advance(1000);
  expect(await validate()).toBe(200);
});

test('an answer can be late, and the same account is late by the same time in every run', async () => {
  const delays: number[] = [];
  for (let run = 0; run < 2; run++) {
    const { post, clock } = await withFaults({ kind: 'latency', on: ['validate'], ms: 100, tailMs: 1000 });
    const answered = post(paths.validate, accountPayload('1'));
    await until(() => clock.asleep === 1);
    const before = clock.now();
    while (clock.asleep > 0) clock.advance(1);
    delays.push(clock.now() - before);
    expect((await answered).status).toBe(200);
  }
  expect(delays[0]).toBeGreaterThan(0);
  expect(delays[1]).toBe(delays[0]);
});

test('faults by rate meet the same accounts in whatever order they come, and a repeat draws anew', async () => {
  const accounts = Array.from({ length: 60 }, (_, at) => String(at));
  const met: string[][] = [];
  for (const order of [accounts, [...accounts].reverse()]) {
    const { post } = await withFaults({ kind: 'throttle', on: ['validate'], rate: 0.3 });
    const statuses = await Promise.all(
      order.map(
        async (account) => [account, (await post(paths.validate, accountPayload(account))).status] as const,
      ),
    );
    const struck = statuses.filter(([, status]) => status === 429).map(([account]) => account);
    met.push([...struck].sort());
    let left = struck;
    for (let attempt = 0; attempt < 20 && left.length > 0; attempt++) {
      const again = await Promise.all(
        left.map(
          async (account) => [account, (await post(paths.validate, accountPayload(account))).status] as const,
        ),
      );
      left = again.filter(([, status]) => status === 429).map(([account]) => account);
    }
    expect(left).toEqual([]);
  }
  expect(met[0]?.length).toBeGreaterThan(5);
  expect(met[0]?.length).toBeLessThan(35);
  expect(met[1]).toEqual(met[0]);
});

test('tokens expire in mid-run, and a new one works', async () => {
  const rehearsal = await withFaults({ kind: 'expire-tokens', on: ['stage'], at: [2] });
  const { post, send, platform } = rehearsal;
  expect((await post(paths.stage, accountPayload('1'))).status).toBe(201);
  expect((await post(paths.stage, accountPayload('2'))).status).toBe(401);
  expect((await post(paths.stage, accountPayload('2'))).status).toBe(401);
  const renewed = await rehearsal.freshToken();
  const headers = { 'content-type': 'application/json', authorization: `Token ${renewed}` };
  const staged = await send(
    'POST',
    `/v1/data-import/${paths.stage}`,
    headers,
    JSON.stringify(accountPayload('2')),
  );
  expect(staged.status).toBe(201);
  expect(staged.headers['x-platform-id']).toBe(platform.platformId);
});

test('a supplier is paused in mid-run, and goes on after a while', async () => {
  const { post, clock } = await withFaults({ kind: 'pause-supplier', on: ['process'], at: [2], forMs: 5000 });
  for (const account of ['1', '2']) await post(paths.stage, accountPayload(account));
  expect((await post(paths.process, processPayload('1'))).status).toBe(201);
  const paused = await post(paths.process, processPayload('2'));
  expect(paused.body.errors[0].code).toBe('import_supplier_migration_not_ongoing');
  clock.advance(5000);
  expect((await post(paths.process, processPayload('2'))).status).toBe(201);
});

test('the platform goes away in mid-run and comes back with all that it had answered', async () => {
  const { post, get, clock } = await withFaults({ kind: 'restart', on: ['process'], at: [1], downMs: 3000 });
  await post(paths.stage, accountPayload('1'));
  expect(await outcome(post(paths.process, processPayload('1')))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  await until(() => clock.asleep === 1);
  expect(await outcome(get(statusPath('1')))).toBe('ECONNREFUSED');
  clock.advance(3000);
  let status: number | string = 0;
  while (status !== 200) status = await outcome(get(statusPath('1')));
  expect((await get(statusPath('1'))).body.status).toBe('UNKNOWN');
  expect((await post(paths.process, processPayload('1'))).status).toBe(201);
});
