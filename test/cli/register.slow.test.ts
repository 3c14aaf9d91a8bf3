import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { dumpRequests } from '../../src/platform/dump.ts';
import { withRegistration } from '../contract/tenancy/registration-contract.ts';
import { lines, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let platform: Served | undefined;
const at = (name: string): string => join(space.directory, name);

beforeEach(async () => {
  space = workspace();
  writeFileSync(at('contract.json'), withRegistration());
  writeFileSync(at('.migraterc'), 'contract: contract.json\n');
  await tool(
    ['generate', 'export', '--accounts', '12', '--seed', '3', '--shape', 'interface'],
    space.directory,
  );
  await serve();
  expect(await migrate('run', 'export', '--yes')).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

/** The platform, which has what the contract has; `rules`: its faults. */
async function serve(rules: JsonObject[] = [], registration: JsonObject = {}): Promise<void> {
  await platform?.stop();
  const operator = { otherSuppliers: 'Ongoing', registration, faults: { seed: 1, rules } };
  writeFileSync(at('operator.json'), JSON.stringify(operator));
  platform = await served(
    space.directory,
    ...['--port', '0', '--state', 'state.db', '--operator', 'operator.json'],
  );
}

const environment = (): Record<string, string> => ({
  MIGRATE_BASE_URL: platform?.url ?? '',
  MIGRATE_API_KEY: platform?.apiKey ?? '',
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_RETRY_BASE_MS: '5',
});

const migrate = (...args: string[]): Promise<Ended> =>
  tool([...args, '--json'], space.directory, environment());
const register = (...args: string[]): Promise<Ended> => migrate('register', '--yes', ...args);

/** How often each account was marked. */
function marked(): readonly number[] {
  const db = new Database(at('state.db'), { readonly: true });
  try {
    return db.prepare<[], number>('SELECT requests FROM registration').pluck().all();
  } finally {
    db.close();
  }
}

it('asks before it marks, marks each account once, and the statuses tell', async () => {
  const unattended = await migrate('register');
  expect(unattended.code).toBe(2);
  expect(unattended.stderr + unattended.stdout).toContain('12 completed accounts');
  expect(marked()).toEqual([]);
  const dry = summaryOf((await register('--dry-run')).stdout);
  expect(dry).toMatchObject({ done: 0, dryRun: true });
  expect(summaryOf((await register('--limit', '2')).stdout)).toMatchObject({ done: 2, earlier: 0 });
  const due = Number(dry['due']);
  expect(summaryOf((await register()).stdout)).toMatchObject({ done: due - 2, earlier: 2, exit: 0 });
  expect(summaryOf((await register()).stdout)).toMatchObject({ done: 0, earlier: due });
  expect(new Set(marked())).toEqual(new Set([1]));
  const statuses = await migrate('meterpoints', '--csv', 'points.csv');
  expect(Object.keys(summaryOf(statuses.stdout)['statuses'] as JsonObject)).toEqual([
    'REGISTRATION_REQUESTED',
  ]);
  const [head, first] = readFileSync(at('points.csv'), 'utf8').split('\n');
  expect(head).toBe('import_supplier,external_account_number,mpxn,status');
  expect(first).toMatch(/,REGISTRATION_REQUESTED$/);
  for (const args of [['status'], ['reconcile', 'export']])
    expect(summaryOf((await migrate(...args)).stdout)['addedSteps']).toMatchObject([
      { step: 'registration', items: { done: due, uncertain: 0 } },
    ]);
});

it('a command that is killed before the answer leaves the account to its statuses, and marks nothing twice', async () => {
  await serve([{ kind: 'hang', when: 'after', on: ['sendRegistration'] }], { delayMs: 3_600_000 });
  const killed = start(['register', '--yes'], space.directory, environment());
  const asked = (): boolean =>
    dumpRequests(at('state.db')).some(({ endpoint }) => endpoint === 'sendRegistration');
  while (!asked() && marked().length === 0) await delay(20);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await serve([], { delayMs: 3_600_000 });
  const unknown = await register('--limit', '1');
  expect(unknown.code).toBe(8);
  expect(lines(unknown.stdout)).toContainEqual(
    expect.objectContaining({ type: 'registration', state: 'uncertain', code: 'lost_answer' }),
  );
  await serve();
  const moved = await register();
  expect(moved.code).toBe(0);
  expect(summaryOf(moved.stdout)).toMatchObject({ uncertain: 0, refused: 0 });
  expect(new Set(marked())).toEqual(new Set([1]));
});

it('a ruling sends again what is uncertain, by its name or by a list of accounts', async () => {
  await serve([{ kind: 'reset', when: 'before', on: ['sendRegistration'], at: [1, 2] }]);
  const uncertain = async () => {
    const lost = await register('--limit', '1');
    expect(lost.code).toBe(8);
    return lines(lost.stdout).filter(({ state }) => state === 'uncertain');
  };
  const ruled = (...of: string[]): Promise<Ended> =>
    migrate('resolve', ...of, '--step', 'registration', '--as', 'repeat');
  const [first] = await uncertain();
  const { account, supplier } = first ?? {};
  expect(await ruled(`${String(supplier)}/${String(account)}`)).toMatchObject({ code: 0 });
  await uncertain();
  writeFileSync(at('list.txt'), `${String(account)}\nNOBODY\n`);
  const byList = await ruled('--accounts', 'list.txt');
  expect(byList.code).toBe(0);
  expect(summaryOf(byList.stdout)).toMatchObject({ items: 1, left: 1 });
  expect(byList.stderr).toContain('NOBODY');
  writeFileSync(at('list.txt'), 'NOBODY\n');
  expect(await ruled('--accounts', 'list.txt')).toMatchObject({ code: 2 });
  expect(await register()).toMatchObject({ code: 0 });
  expect(new Set(marked())).toEqual(new Set([1]));
});

it('a contract without registration has none', async () => {
  writeFileSync(at('contract.json'), withRegistration({ has: false }));
  for (const command of ['register', 'meterpoints']) {
    const refused = await migrate(command);
    expect(refused.code).toBe(2);
    expect(refused.stderr + refused.stdout).toContain('has no meter point statuses');
  }
});
