// Between the tool and the platform stands infrastructure: nothing that it answers rejects or doubles an account.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType } from './endings.ts';
import { contents } from './platform-contents.ts';
import { served, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 40;
const supplier = 'TENTACLE_ENERGY';
const space = workspace();
const path = (name: string): string => join(space.directory, name);
/** What an undisturbed platform holds of each account. */
let whole: Map<string, string>;

const run = ({ url, apiKey }: Served, settings: Record<string, string> = {}): Promise<Ended> =>
  tool(['run', 'export', '--yes', '--json'], space.directory, {
    MIGRATE_BASE_URL: url,
    MIGRATE_API_KEY: apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_AGREEMENTS_MAY_REPEAT: 'true',
    MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'true',
    MIGRATE_PAYMENT_REFUSAL_AFTER500: 'true',
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
    MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
    MIGRATE_RETRY_BASE_MS: '5',
    MIGRATE_RETRY_CAP_MS: '50',
    MIGRATE_JOURNAL: `${new URL(url).port}.journal`,
    ...settings,
  });

/** A platform with these faults. */
async function faulty(name: string, rules: readonly object[]): Promise<Served> {
  writeFileSync(path(`${name}.yaml`), JSON.stringify({ faults: { seed: 7, rules } }));
  return served(space.directory, '--state', `${name}.db`, '--operator', `${name}.yaml`);
}

beforeAll(async () => {
  await generateExport({ directory: path('export'), accounts, seed: 29, shape: 'interface', supplier });
  const calm = await served(space.directory, '--state', 'calm.db');
  const undisturbed = await run(calm);
  await calm.stop();
  concluded(undisturbed, 'run', 0);
  whole = contents(path('calm.db'));
});
afterAll(() => space.dispose());

const posts = [
  ...['validate', 'stage', 'process', 'notes', 'transactions'],
  ...['agreements', 'billingDocuments', 'statements', 'paymentInstruction'],
];

it('a gateway that answers in JSON, before or after the effect, leaves every account whole or unknown', async () => {
  const statuses = [
    400, 402, 404, 405, 408, 409, 410, 412, 413, 415, 418, 422, 423, 425, 451, 499, 500, 502, 503,
  ];
  const bodies = ['spring', 'kong', 'code', 'error', 'errors', 'problem', 'detail'];
  const rules = statuses.flatMap((status, n) =>
    ['before', 'after'].map((when) => ({
      kind: 'gateway_json',
      on: posts,
      rate: 0.005,
      status,
      body: bodies[n % bodies.length],
      when,
    })),
  );
  const platform = await faulty('gateway', rules);
  const states = new Set<unknown>();
  for (let runs = 0; runs < 3; runs += 1) {
    const { stdout } = await run(platform);
    for (const { state } of linesOfType(stdout, 'account')) states.add(state);
  }
  await platform.stop();
  expect(states.has('rejected')).toBe(false);
  expect(states.has('skipped')).toBe(false);
  expect(contents(path('gateway.db'))).toEqual(whole);
});

it('servers that are behind, and a token that they do not know yet, only cost time', async () => {
  const platform = await faulty('lag', [
    { kind: 'token_lag', ms: 400 },
    { kind: 'lag', ms: 300 },
  ]);
  const ended = await run(platform);
  await platform.stop();
  concluded(ended, 'run', 0);
  expect(contents(path('lag.db'))).toEqual(whole);
});

it('a maintenance page with the status of success, and connections that cannot be opened, only cost time', async () => {
  const platform = await faulty('maintenance', [
    { kind: 'page_200_for', at: [60], forMs: 300 },
    { kind: 'new_connections_fail', at: [200], forMs: 600 },
  ]);
  const ended = await run(platform);
  const again = await run(platform);
  await platform.stop();
  for (const { state } of linesOfType(ended.stdout, 'account')) expect(state).toBe('completed');
  concluded(again, 'run', 0);
  expect(contents(path('maintenance.db'))).toEqual(whole);
});

it('one account and one endpoint that are denied fail alone, and are named', async () => {
  const platform = await faulty('denied', [
    { kind: 'deny_one', accounts: ['EXT-000003'] },
    { kind: 'deny_step', on: ['agreements'] },
  ]);
  const { stdout } = await run(platform);
  await platform.stop();
  expect(stdout).toContain('agreements: 403');
  const ended = linesOfType(stdout, 'account');
  expect(ended.find(({ account }) => account === 'EXT-000003')).toMatchObject({
    state: 'failed',
    code: 'http_403',
  });
  expect(ended.some(({ state }) => state === 'completed')).toBe(true);
  expect(ended.some(({ state }) => state === 'rejected' || state === 'uncertain')).toBe(false);
});
