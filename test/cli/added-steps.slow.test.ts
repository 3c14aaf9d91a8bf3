import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { asksForProducts, productsContract, productsStep } from '../contract/tenancy/products-contract.ts';
import { lines, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let platform: Served | undefined;
const at = (name: string): string => join(space.directory, name);

beforeEach(async () => {
  space = workspace();
  writeFileSync(at('contract.json'), productsContract());
  await tool(
    ['generate', 'export', '--accounts', '3', '--seed', '5', '--shape', 'interface'],
    space.directory,
  );
  writeItems('{"code":"HEAT-1","name":"Heat","standing_charge":"1.20"}\n{"code":"HEAT-2","name":"Heat 2"}\n');
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

function writeItems(text: string, file = 'products.ndjson'): void {
  mkdirSync(at('export'), { recursive: true });
  writeFileSync(at(join('export', file)), text);
}

function configure(...steps: JsonObject[]): void {
  writeFileSync(at('.migraterc'), JSON.stringify({ contract: 'contract.json', steps }));
}

/** The platform; `rules`: its faults. */
async function serve(...rules: JsonObject[]): Promise<void> {
  await platform?.stop();
  writeFileSync(
    at('operator.json'),
    JSON.stringify({ otherSuppliers: 'Ongoing', faults: { seed: 1, rules } }),
  );
  platform = await served(
    space.directory,
    '--port',
    '0',
    '--state',
    'state.db',
    '--operator',
    'operator.json',
  );
}

const environment = (): Record<string, string> => ({
  MIGRATE_BASE_URL: platform?.url ?? '',
  MIGRATE_API_KEY: platform?.apiKey ?? '',
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '100',
  MIGRATE_RETRY_BASE_MS: '5',
  MIGRATE_TIMEOUTS_HEADERS_MS: '20000',
});

const run = (...args: string[]): Promise<Ended> =>
  tool(['run', 'export', '--yes', '--json', ...args], space.directory, environment());

/** How often an item was taken in. */
const taken = (item: string): number =>
  dumpRequests(at('state.db'))
    .filter(
      ({ endpoint, account, status }) =>
        endpoint === 'added' && account === item && status < 300 && status > 0,
    )
    .reduce((sum, { times }) => sum + times, 0);
const created = (): number =>
  [...dumpAccounts(at('state.db'))].filter((one) => one.krakenAccountNumber !== null).length;

const lostOf = (item: string): JsonObject => ({
  kind: 'reset',
  when: 'after',
  on: ['added'],
  accounts: [item],
  at: [1],
});

describe('steps that a profile adds before the accounts', () => {
  it('each item is sent once, before any account, and a later run sends nothing', async () => {
    configure(productsStep());
    await serve();
    const first = await run();
    expect(first).toMatchObject({ code: 0 });
    expect(lines(first.stdout).find(({ type }) => type === 'items')).toEqual({
      ...{ type: 'items', step: 'products', done: 2, refused: 0, failed: 0, uncertain: 0, waiting: 0 },
    });
    expect([taken('HEAT-1'), taken('HEAT-2'), created()]).toEqual([1, 1, 3]);
    writeItems(
      '{"code":"HEAT-3","name":"Heat 3"}\n{"code":"HEAT-1","name":"Heat","standing_charge":"1.20"}\n',
    );
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), taken('HEAT-3')]).toEqual([1, 1]);
    const status = await tool(['status', '--json'], space.directory, environment());
    expect(summaryOf(status.stdout)['addedSteps']).toMatchObject([
      { step: 'products', items: { done: 3, uncertain: 0 }, unfinished: [] },
    ]);
  });

  it('a rehearsal has the step too, from flat CSV with a child file, and checks it first', async () => {
    writeItems('code,name,standing_charge\nHEAT-1,Heat,1.20\n', 'products.csv');
    writeItems('', 'products.ndjson');
    rmSync(at('export/products.ndjson'));
    writeItems('code,name,rate\nHEAT-1,day,0.31\nHEAT-1,night,0.22\n', 'bands.csv');
    configure(productsStep({ check: '/v1/data-import/validate-products/' }));
    const ended = await tool(['run', 'export', '--json'], space.directory, { MIGRATE_RETRY_BASE_MS: '5' });
    expect(ended).toMatchObject({ code: 0 });
    expect(lines(ended.stdout)).toContainEqual(expect.objectContaining({ type: 'items', done: 1 }));
  });

  it('an item after the accounts that names no import supplier finds those that it names', async () => {
    configure(productsStep({ after: 'accounts', accounts: 'bands.name' }));
    const numbers = readFileSync(at('export/accounts.ndjson'), 'utf8').match(/EXT-\d+/g) ?? [];
    const named = (code: string, name = ''): string =>
      `${JSON.stringify({ code, name: 'Heat', bands: [{ name }] })}\n`;
    writeItems(named('HEAT-1', numbers[0]) + named('HEAT-2', 'NOBODY'));
    await serve();
    expect(lines((await run()).stdout)).toContainEqual(
      expect.objectContaining({ type: 'items', done: 1, waiting: 1 }),
    );
  });

  it('an item that the contract refuses is told with its cell, and no account is sent', async () => {
    writeItems('{"code":"HEAT-1","name":"Heat"}\n{"code":"HEAT-2","nam":"Heat 2"}\n');
    configure(productsStep());
    await serve();
    const checked = await tool(['validate', 'export', '--json'], space.directory, environment());
    expect(checked.code).toBe(3);
    expect(lines(checked.stdout)).toContainEqual(
      expect.objectContaining({
        code: 'required',
        path: 'name',
        file: 'products.ndjson',
        line: 2,
        account: null,
      }),
    );
    const ended = await run();
    expect(ended.code).toBe(3);
    expect(summaryOf(ended.stdout)).toMatchObject({ stopReason: 'step-not-done', workLeft: true });
    expect([taken('HEAT-1'), taken('HEAT-2'), created()]).toEqual([1, 0, 0]);
  });

  it('an item that the platform refuses stops the run until it is corrected', async () => {
    configure(productsStep());
    await serve();
    await run();
    writeFileSync(
      at('.migraterc'),
      JSON.stringify({ contract: 'contract.json', steps: [productsStep()], journal: 'other.db' }),
    );
    writeItems('{"code":"HEAT-1","name":"Another"}\n');
    const ended = await run();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('HEAT-1: already_exists');
    expect(lines(ended.stdout)).toContainEqual(
      expect.objectContaining({ code: 'already_exists', path: 'code', file: 'products.ndjson', line: 1 }),
    );
  });

  it.each([
    ['a connection that breaks', {}],
    ['a 500', { kind: 'html', status: 500 }],
    ['a page of a gateway', { kind: 'html', status: 502 }],
  ])('%s after the platform stored an item leaves it to a person, by default', async (_, fault) => {
    configure(productsStep());
    await serve({ ...lostOf('HEAT-1'), ...fault });
    const first = await run();
    expect(first.code).toBe(8);
    expect(summaryOf(first.stdout)).toMatchObject({ stopReason: 'step-uncertain' });
    expect((await run()).code).toBe(8);
    expect([taken('HEAT-1'), taken('HEAT-2'), created()]).toEqual([1, 1, 0]);
    const status = await tool(['status'], space.directory, environment());
    expect(status.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Step products: 2 items, 1 done, 1 uncertain. Not done: HEAT-1',
    );
    const ruling = ['resolve', 'HEAT-1', '--step', 'products', '--as', 'done'];
    expect((await tool(ruling, space.directory, environment())).code).toBe(0);
    expect((await tool(ruling, space.directory, environment())).stderr).toContain(
      'no item HEAT-1 of products',
    );
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), created()]).toEqual([1, 3]);
  });

  it('a ruling that it never arrived sends the item again', async () => {
    configure(productsStep());
    await serve({ ...lostOf('HEAT-1'), when: 'before' });
    expect((await run()).code).toBe(8);
    await tool(['resolve', 'HEAT-1', '--step', 'products', '--as', 'repeat'], space.directory, environment());
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), created()]).toEqual([1, 3]);
  });

  it('a lost answer is asked for where the step says so, and the item is never sent twice', async () => {
    configure(productsStep(asksForProducts));
    await serve(lostOf('HEAT-1'), { ...lostOf('HEAT-2'), when: 'before' });
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), taken('HEAT-2'), created()]).toEqual([1, 1, 3]);
  });

  it('a lost answer is repeated where the platform recognises what it has', async () => {
    configure(productsStep({ whenLost: 'repeat' }));
    await serve(lostOf('HEAT-1'));
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), created()]).toEqual([2, 3]);
  });

  it.each([
    ['person', {}, 8, 1],
    ['ask', asksForProducts, 0, 1],
    ['repeat', { whenLost: 'repeat' }, 0, 2],
  ] as const)('a run that is killed before the answer is resumed: %s', async (_, step, code, times) => {
    writeItems('{"code":"HEAT-1","name":"Heat"}\n');
    configure(productsStep(step));
    await serve({ kind: 'hang', when: 'after', on: ['added'], accounts: ['HEAT-1'] });
    const killed = start(['run', 'export', '--yes'], space.directory, environment());
    while (taken('HEAT-1') === 0) await delay(20);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await serve();
    expect(await run()).toMatchObject({ code });
    expect(taken('HEAT-1')).toBe(times);
    expect(created()).toBe(code === 0 ? 3 : 0);
  });

  it('after an older journal was restored, nothing is sent that may have been sent since', async () => {
    configure(productsStep());
    await serve();
    writeItems('{"code":"HEAT-1","name":"Heat"}\n');
    expect(await run()).toMatchObject({ code: 0 });
    expect(await tool(['journal', 'backup', 'copy.db'], space.directory, environment())).toMatchObject({
      code: 0,
    });
    writeItems('{"code":"HEAT-1","name":"Heat"}\n{"code":"HEAT-2","name":"Heat 2"}\n');
    expect(await run()).toMatchObject({ code: 0 });
    expect(
      await tool(['journal', 'restore', 'copy.db', '--yes'], space.directory, environment()),
    ).toMatchObject({
      code: 0,
    });
    const ended = await run();
    expect(ended.code).toBe(8);
    expect(ended.stderr).toContain('HEAT-2: journal_restored');
    expect([taken('HEAT-1'), taken('HEAT-2')]).toEqual([1, 1]);
    configure(productsStep(asksForProducts));
    await serve();
    await tool(['resolve', 'HEAT-2', '--step', 'products', '--as', 'repeat'], space.directory, environment());
    const again = await tool(['journal', 'restore', 'copy.db', '--yes'], space.directory, environment());
    expect(again.stderr).toBe('');
    expect(await run()).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), taken('HEAT-2')]).toEqual([1, 1]);
  });

  it('an item with a line break in what identifies it is refused before anything is sent', async () => {
    writeItems('{"code":"HEAT\\n1","name":"Heat"}\n');
    configure(productsStep());
    await serve();
    const ended = await run();
    expect(ended.code).toBe(3);
    expect(lines(ended.stdout)).toContainEqual(
      expect.objectContaining({ code: 'malformed_item', path: 'code' }),
    );
  });

  it('runs of two import suppliers at once send an item once', async () => {
    configure(productsStep());
    await serve({ kind: 'latency', on: ['added'], ms: 300, tailMs: 300 });
    const both = await Promise.all([run('--supplier', 'TENTACLE_ENERGY'), run('--supplier', 'OTHER_ENERGY')]);
    expect(both.map(({ code }) => code)).not.toContain(1);
    expect([taken('HEAT-1'), taken('HEAT-2')]).toEqual([1, 1]);
  });

  it('a dry run sends no item, only its check', async () => {
    configure(productsStep({ check: '/v1/data-import/validate-products/' }));
    await serve();
    await run('--dry-run');
    expect(taken('HEAT-1')).toBe(0);
    expect(dumpRequests(at('state.db')).filter(({ endpoint }) => endpoint === 'addedCheck')).toHaveLength(2);
  });

  it('a step that the contract does not describe is refused before anything is sent', async () => {
    configure(productsStep({ path: '/v1/data-import/create-produce/' }));
    const ended = await tool(['run', 'export'], space.directory, {});
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('the contract has no request POST /v1/data-import/create-produce/');
    configure(productsStep({ whenLost: 'ask', ask: '/v1/data-import/produce/{identity}/' }));
    const asking = await tool(['run', 'export'], space.directory, {});
    expect(asking.code).toBe(2);
    expect(asking.stderr).toContain('the contract has no request GET /v1/data-import/produce/{identity}/');
  });

  it('items of another import supplier are left to its run', async () => {
    writeItems('{"import_supplier_code":"OTHER","area":"1"}\n{"area":"2"}\n', 'areas.ndjson');
    configure({ name: 'areas', path: '/v1/data-import/areas/', table: 'areas', identity: 'area' });
    await serve();
    writeItems('');
    rmSync(at('export/products.ndjson'));
    expect(await run('--supplier', 'TENTACLE_ENERGY')).toMatchObject({ code: 0 });
    expect([taken('1'), taken('2')]).toEqual([0, 1]);
  });

  it('nothing of the export is sent for a supplier that none of its accounts has', async () => {
    configure(productsStep());
    await serve();
    expect(await run('--supplier', 'TENTACLE_ENERGI')).toMatchObject({ code: 2 });
    expect([taken('HEAT-1'), taken('HEAT-2'), created()]).toEqual([0, 0, 0]);
    const morning = await tool(['morning', '--json'], space.directory, environment());
    expect(summaryOf(morning.stdout)).toMatchObject({ reason: 'not-begun' });
    expect(await run('--supplier', 'TENTACLE_ENERGY')).toMatchObject({ code: 0 });
    expect([taken('HEAT-1'), created()]).toEqual([1, 3]);
  });
});
