import { expect, it } from 'vitest';
import { clientOver } from '../../src/client/create-client.ts';
import type { WireRequest } from '../../src/client/http-exchange.ts';
import { runMigration } from '../../src/pipeline/run/run-migration.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { empty, exchanged, json, type HttpReply } from './crash/http.ts';
import { inMemoryJournal } from './crash/in-memory.ts';
import { Life, World } from './crash/world.ts';
import { Heap } from './heap.ts';
import { defaultSettings, planOf, pulled } from './harness.ts';

const minute = 60_000;
const { PACE_ACCOUNTS = '600' } = process.env;
const accounts = Number(PACE_ACCOUNTS);
/** More tasks than that are refused with 429. */
const cap = Math.round((accounts * 2) / 3);

it('thousands of tasks are asked about seldom, and submitted as fast as the platform takes them', async () => {
  const world = new World();
  const life = new Life();
  const tasks = new Map<string, { readonly since: number; readonly takesMs: number; seenAt?: number }>();
  let [polls, most, refused] = [0, 0, 0];
  const ends = new Heap<number>((one, other) => one < other);
  const pending = (): number => {
    while ((ends.first ?? Infinity) <= world.now) ends.pop();
    return ends.size;
  };
  const answer = ({ method, path, body = '' }: WireRequest): HttpReply => {
    if (path.endsWith('/validate/')) return json(200, {});
    if (method === 'POST') {
      const { payload } = JSON.parse(body.toString()) as { payload: { external_account_number: string } };
      if (pending() >= cap) {
        refused += 1;
        return json(429, { detail: 'No.', code: 'too_many_requests', errors: [] });
      }
      const n = tasks.size;
      const takesMs = ((n * 37) % 100) * 6_000;
      tasks.set(payload.external_account_number, { since: world.now, takesMs });
      ends.push(world.now + takesMs);
      most = Math.max(most, pending());
      return empty(201);
    }
    const account = path.split('/').at(-2) ?? '';
    const task = tasks.get(account);
    if (task === undefined) return json(404, { detail: 'No.', code: 'not_found' });
    polls += 1;
    const isDone = task.since + task.takesMs <= world.now;
    if (isDone) task.seenAt ??= world.now;
    return json(200, {
      status: isDone ? 'PROCESSED' : 'PENDING',
      kraken_identifier: isDone ? `A-${account}` : null,
    });
  };
  const client = clientOver(
    {
      exchange: (request) => {
        world.stir();
        return Promise.resolve(exchanged(answer(request)));
      },
      close: () => Promise.resolve(),
    },
    'https://platform.example',
    { credentials: { token: 'token' }, clock: world.clock(life), importKind: 'v2' },
  );
  const settings = {
    ...defaultSettings,
    concurrency: 64,
    retry: { ...defaultSettings.retry, throttledAttempts: 10_000 },
    importKind: 'v2' as const,
    schedule: { mostPending: cap, pollMs: minute, waitMs: 60 * minute },
  };
  const plans = Array.from({ length: accounts }, (_, n) => planOf(String(n)));
  const result = await runMigration(
    {
      ...{ plans: pulled(plans, settings), export: 'export', place: '/export', faults: 0 },
      ...{ platform: 'p', platformLabel: 'p', settings },
      boot: { id: 'boot', at: world.wallAtStart },
      lease: {
        owner: { host: 'h', pid: 1, processStart: '1' },
        isDead: () => true,
        leaseMs: 60_000,
        requestMs: 30_000,
      },
    },
    {
      client,
      journal: await inMemoryJournal()(),
      clock: world.clock(life),
      random: () => 0.5,
      stop: new StopControl(),
      emit: () => undefined,
    },
  );
  expect(result.accounts).toMatchObject({ total: accounts, completed: accounts });
  const minutes = [...tasks.values()].reduce(
    (sum, { since, takesMs, seenAt = since + takesMs }) => sum + (seenAt - since) / minute,
    0,
  );
  expect(polls / minutes).toBeLessThanOrEqual(1.2);
  expect(most).toBeGreaterThan(0.95 * cap);
  expect(refused).toBe(0);
}, 3_600_000);
