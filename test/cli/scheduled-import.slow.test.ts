import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scheduledContract } from '../contract/tenancy/scheduled-contract.ts';
import { dumpAccounts, dumpRequests, dumpTasks } from '../../src/platform/dump.ts';
import { lines, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 6;
let space: ReturnType<typeof workspace>;
let platform: Served | undefined;
const at = (name: string): string => join(space.directory, name);
const state = (): string => at('state.db');

beforeEach(async () => {
  space = workspace();
  await tool(
    ['generate', 'export', '--accounts', String(accounts), '--seed', '11', '--shape', 'interface'],
    space.directory,
  );
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

/** The platform with scheduled import; `operator`: its settings. */
async function serve(operator: Record<string, unknown> = {}): Promise<void> {
  await platform?.stop();
  writeFileSync(at('operator.json'), JSON.stringify(operator));
  const { directory } = space;
  const files = ['--state', 'state.db', '--operator', 'operator.json'];
  platform = await served(directory, '--port', '0', '--extended', ...files);
}

const environment = (more: Record<string, string> = {}) => ({
  MIGRATE_BASE_URL: platform?.url ?? '',
  MIGRATE_API_KEY: platform?.apiKey ?? '',
  MIGRATE_IMPORT: 'v2',
  MIGRATE_SCHEDULE_POLL_MS: '50',
  MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '200',
  MIGRATE_PATIENCE_LAGGING_MS: '200',
  ...more,
});

const run = (more: Record<string, string> = {}, ...args: string[]): Promise<Ended> =>
  tool(['run', 'export', '--yes', '--json', ...args], space.directory, environment(more));

const numberOf = (index: number): string => {
  const [line] = readFileSync(at('export/accounts.ndjson'), 'utf8').split('\n').slice(index);
  return String((JSON.parse(line ?? '') as Record<string, unknown>)['external_account_number']);
};

const submitted = (): number =>
  dumpRequests(state())
    .filter(({ endpoint, status }) => endpoint === 'schedule' && status === 201)
    .reduce((sum, { times }) => sum + times, 0);

const doubled = (): number => dumpTasks(state()).reduce((sum, task) => sum + task.doubled, 0);

async function reconciled(): Promise<void> {
  const { code, stdout } = await tool(
    ['reconcile', 'export', '--supplier', 'TENTACLE_ENERGY', '--json'],
    space.directory,
    environment(),
  );
  expect(summaryOf(stdout)).toMatchObject({ matches: true, differences: 0 });
  expect(code).toBe(0);
}

describe('scheduled import', () => {
  it('creates every account by a task, adds its history, and reconciles', async () => {
    await serve({ scheduler: { fromMs: 100, toMs: 400 } });
    const ended = await run();
    expect(summaryOf(ended.stdout)).toMatchObject({
      exit: 0,
      accounts: { total: accounts, completed: accounts },
    });
    expect([submitted(), doubled()]).toEqual([accounts, 0]);
    const asked = new Set(dumpRequests(state()).map(({ endpoint }) => endpoint));
    expect([asked.has('stage'), asked.has('process'), asked.has('validate')]).toEqual([false, false, false]);
    expect(asked.has('transactions')).toBe(true);
    await reconciled();
    expect(summaryOf((await run()).stdout)).toMatchObject({ exit: 0, requests: 0 });
  }, 60_000);

  it('ends while tasks are pending, and the next run asks and submits nothing', async () => {
    await serve({ scheduler: { fromMs: 3_600_000, toMs: 3_600_000 } });
    const first = await run({ MIGRATE_SCHEDULE_WAIT_MS: '0' });
    expect(summaryOf(first.stdout)).toMatchObject({
      exit: 6,
      stopReason: 'scheduled',
      workLeft: true,
      accounts: { scheduled: accounts, completed: 0 },
    });
    const status = await tool(['status', '--json'], space.directory, environment());
    expect(summaryOf(status.stdout)['suppliers']).toMatchObject([{ accounts: { scheduled: accounts } }]);
    const plan = await tool(['plan', 'export', '--json'], space.directory, environment());
    expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { unfinished: accounts } });
    const listed = await tool(['list', '--state', 'scheduled', '--json'], space.directory, environment());
    expect(lines(listed.stdout)).toHaveLength(accounts + 1);

    await serve({ scheduler: { fromMs: 3_600_000, toMs: 3_600_000, speed: 1 } });
    expect(summaryOf((await run({ MIGRATE_SCHEDULE_WAIT_MS: '0' })).stdout)).toMatchObject({ exit: 6 });
    expect(submitted()).toBe(accounts);

    await serve({ now: new Date(Date.now() + 7_200_000).toISOString().replace(/\.\d+Z$/, 'Z') });
    const last = await run({ MIGRATE_SCHEDULE_WAIT_MS: '0' });
    expect(summaryOf(last.stdout)).toMatchObject({ accounts: { completed: accounts } });
    expect([submitted(), doubled()]).toEqual([accounts, 0]);
    await reconciled();
  }, 90_000);

  it('submits no more than may be pending, and the rest in later runs', async () => {
    await serve({ scheduler: { fromMs: 3_600_000, toMs: 3_600_000 } });
    const few = { MIGRATE_SCHEDULE_MOST_PENDING: '2', MIGRATE_SCHEDULE_WAIT_MS: '0' };
    const first = await run(few);
    expect(summaryOf(first.stdout)).toMatchObject({
      exit: 6,
      accounts: { scheduled: 2, pending: accounts - 2 },
    });
    expect(submitted()).toBe(2);
    await serve();
    const { MIGRATE_SCHEDULE_WAIT_MS: _, ...patient } = few;
    await serve({ now: new Date(Date.now() + 7_200_000).toISOString().replace(/\.\d+Z$/, 'Z') });
    await run(patient);
    expect(summaryOf((await run(patient)).stdout)).toMatchObject({
      exit: 0,
      accounts: { completed: accounts },
    });
    expect([submitted(), doubled()]).toEqual([accounts, 0]);
  }, 90_000);

  it('is resumed after a kill between submission and status, without a second submission', async () => {
    await serve({ scheduler: { fromMs: 1500, toMs: 1500 } });
    const child = start(['run', 'export', '--yes', '--json'], space.directory, environment());
    child.stdout?.resume();
    child.stderr?.resume();
    while (!existsSync(state()) || submitted() === 0) await delay(5);
    child.kill('SIGKILL');
    await once(child, 'close');
    const resumed = await run();
    expect(summaryOf(resumed.stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
    expect([submitted(), doubled()]).toEqual([accounts, 0]);
    await reconciled();
  }, 60_000);

  it.each(['before', 'after'] as const)(
    'settles a lost answer by the status: the connection was closed %s the submission had its effect',
    async (when) => {
      await serve({
        scheduler: { fromMs: 300, toMs: 600 },
        faults: { seed: 7, rules: [{ kind: 'reset', on: ['schedule'], at: [1, 2, 3], when }] },
      });
      const ended = await run();
      expect(summaryOf(ended.stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
      expect(doubled()).toBe(0);
      expect([...dumpAccounts(state())]).toHaveLength(accounts);
    },
    60_000,
  );

  it('leads a task that errors late to the cell, and submits the corrected data once', async () => {
    const account = numberOf(0);
    await serve({
      scheduler: {
        fromMs: 100,
        toMs: 100,
        outcomes: [
          {
            status: 'ERRORED',
            accounts: [account],
            submissions: [1],
            code: 'invalid_address',
            detail: 'billing_address.postal_code: this is not known',
          },
        ],
      },
    });
    const first = await run();
    expect(summaryOf(first.stdout)).toMatchObject({
      exit: 3,
      accounts: { completed: accounts - 1, rejected: 1 },
    });
    expect(lines(first.stdout)).toContainEqual(
      expect.objectContaining({
        type: 'problem',
        account,
        code: 'invalid_address',
        path: 'billing_address.postal_code',
        file: 'accounts.ndjson',
        line: 1,
      }),
    );
    expect(summaryOf((await run()).stdout)).toMatchObject({ exit: 3 });
    expect(submitted()).toBe(accounts);
    const text = readFileSync(at('export/accounts.ndjson'), 'utf8');
    writeFileSync(at('export/accounts.ndjson'), text.replace('"locality":"', '"locality":"New '));
    const last = await run();
    expect(lines(last.stdout).filter(({ type }) => type === 'problem')).toEqual([]);
    expect(summaryOf(last.stdout)).toMatchObject({ accounts: { completed: accounts } });
    expect(doubled()).toBe(0);
  }, 90_000);

  it('submits a cancelled task again in the next run', async () => {
    await serve({
      scheduler: { outcomes: [{ status: 'CANCELLED', accounts: [numberOf(1)], submissions: [1] }] },
    });
    const first = await run();
    expect(summaryOf(first.stdout)).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(lines(first.stdout)).toContainEqual(
      expect.objectContaining({ type: 'account', account: numberOf(1), code: 'import_cancelled' }),
    );
    expect(summaryOf((await run()).stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
    expect([submitted(), doubled()]).toEqual([accounts + 1, 0]);
    await reconciled();
  }, 60_000);

  it('leaves to a person what the platform acknowledged and has forgotten', async () => {
    await serve({
      scheduler: { outcomes: [{ status: 'FORGOTTEN', accounts: [numberOf(2)], submissions: [1] }] },
    });
    const first = await run();
    expect(summaryOf(first.stdout)).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(submitted()).toBe(accounts);
    const ruling = [
      'resolve',
      numberOf(2),
      '--supplier',
      'TENTACLE_ENERGY',
      '--step',
      'process',
      '--as',
      'repeat',
    ];
    const ruled = await tool([...ruling, '--json'], space.directory, environment());
    expect(ruled).toMatchObject({ code: 0, stderr: '' });
    expect(summaryOf((await run()).stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
    expect(doubled()).toBe(0);
  }, 60_000);

  it('waits for a status that no contract names', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    await serve({ scheduler: { pendingWord: 'QUEUED' } });
    const first = await run({ MIGRATE_SCHEDULE_START: soon, MIGRATE_SCHEDULE_WAIT_MS: '300' });
    expect(summaryOf(first.stdout)).toMatchObject({ exit: 6, accounts: { scheduled: accounts } });
    const second = await run({ MIGRATE_SCHEDULE_START: soon, MIGRATE_SCHEDULE_WAIT_MS: '0' }, '--verbose');
    expect(summaryOf(second.stdout)).toMatchObject({ exit: 6, accounts: { scheduled: accounts } });
    expect(second.stderr).toContain('has a status that no contract names');
    expect(submitted()).toBe(accounts);
  }, 60_000);

  it('rehearses with a task of its own, which creates nothing', async () => {
    await serve({
      scheduler: { outcomes: [{ status: 'ERRORED', accounts: [numberOf(0)], code: 'invalid' }] },
    });
    const dry = await run({}, '--dry-run');
    expect(summaryOf(dry.stdout)).toMatchObject({ dryRun: true, wouldImport: accounts - 1 });
    expect([...dumpAccounts(state())]).toEqual([]);
    await serve();
    expect(summaryOf((await run()).stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
  }, 60_000);

  it('is what a run does where the contract has nothing else', async () => {
    writeFileSync(at('contract.json'), scheduledContract(true));
    await platform?.stop();
    platform = await served(
      space.directory,
      '--port',
      '0',
      '--contract',
      'contract.json',
      '--state',
      'state.db',
    );
    const { MIGRATE_IMPORT: _, ...bare } = environment({ MIGRATE_CONTRACT: 'contract.json' });
    const checked = await tool(['validate', 'export', '--json'], space.directory, bare);
    expect(summaryOf(checked.stdout)).toMatchObject({ valid: accounts });
    const ended = await tool(['run', 'export', '--yes', '--json'], space.directory, bare);
    expect(summaryOf(ended.stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });
    expect([submitted(), doubled()]).toEqual([accounts, 0]);
    const refused = await tool(['run', 'export', '--yes'], space.directory, {
      ...bare,
      MIGRATE_IMPORT: 'v1',
    });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('has no paths for import: v1');
  }, 60_000);

  it.each([
    ['v1', accounts],
    ['v2', 0],
  ])('checks accounts by what the contract says of import: %s', async (kind, valid) => {
    const contract = JSON.parse(scheduledContract()) as { paths: Record<string, unknown> };
    for (const [path, item] of Object.entries(contract.paths))
      if (path.startsWith('/v2/'))
        contract.paths[path] = JSON.parse(
          JSON.stringify(item).replace(
            /"payload":(\{[^}]*\})/,
            '"payload":{"allOf":[$1],"required":["brand"]}',
          ),
        );
    writeFileSync(at('contract.json'), JSON.stringify(contract));
    const env = { MIGRATE_CONTRACT: 'contract.json', MIGRATE_IMPORT: kind };
    const checked = await tool(['validate', 'export', '--json'], space.directory, env);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts, valid });
  });

  it('does not continue a book that was begun in the other way, unless it is told to', async () => {
    await serve();
    const v1 = await run({ MIGRATE_IMPORT: 'v1', MIGRATE_TEAM: 'MIGRATIONS' }, '--limit', '2');
    expect(summaryOf(v1.stdout)).toMatchObject({ exit: 6 });
    const refused = await run();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('was begun with import: v1');
    expect(summaryOf((await run({}, '--adopt')).stdout)).toMatchObject({
      exit: 0,
      accounts: { completed: accounts },
    });
  }, 60_000);

  it.each([
    ['2024-01-01T22:00:00Z', '', '', 'has passed'],
    ['', new Date(Date.now() + 5 * 86_400_000).toISOString(), '', 'more than four days ahead'],
    ['2026-01-01T22:00:00', '', '', 'a time with its zone'],
  ])('refuses a schedule that the platform would refuse: %s %s', async (from, to, window, words) => {
    await serve();
    const ended = await run({
      ...(from === '' ? {} : { MIGRATE_SCHEDULE_START: from }),
      ...(to === '' ? {} : { MIGRATE_SCHEDULE_END: to }),
      ...(window === '' ? {} : { MIGRATE_WINDOW: window }),
    });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
    expect(existsSync(state()) ? submitted() : 0).toBe(0);
  });
});
