import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { isJsonObject, stringifyJson, type JsonObject } from '../../src/domain/json.ts';
import { productsContract } from '../contract/tenancy/products-contract.ts';
import { lines, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let platform: Served | undefined;
const at = (name: string): string => join(space.directory, name);
const supplier = 'TENTACLE_ENERGY';
let accounts: string[];

beforeEach(async () => {
  space = workspace();
  writeFileSync(at('contract.json'), productsContract());
  writeFileSync(at('.migraterc'), JSON.stringify({ contract: 'contract.json' }));
  await tool(
    ['generate', 'export', '--accounts', '3', '--seed', '5', '--shape', 'interface'],
    space.directory,
  );
  for (const table of ['businesses', 'business_payment_instructions']) rmSync(at(`export/${table}.ndjson`));
  // The first two belong to businesses.
  accounts = [];
  const records = readFileSync(at('export/accounts.ndjson'), 'utf8').trim().split('\n');
  const named = records.map((record, index) => {
    const account: unknown = JSON.parse(record);
    if (!isJsonObject(account)) throw new Error('no account');
    accounts.push(stringifyJson(account['external_account_number'] ?? '').slice(1, -1));
    const contract = ['C-1', 'C-2'][index];
    return JSON.stringify(
      contract === undefined
        ? account
        : { ...account, business: { business_contract_identifiers: [contract] } },
    );
  });
  writeFileSync(at('export/accounts.ndjson'), `${named.join('\n')}\n`);
  writeBusinesses(business('B-1', 'C-1'), business('B-2', 'C-2'));
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

function business(identifier: string, contract: string): JsonObject {
  return {
    import_supplier_code: supplier,
    external_business_identifier: identifier,
    business: { company_name: identifier, business_contracts: [{ identifier: contract }] },
  };
}

function writeBusinesses(...businesses: JsonObject[]): void {
  writeFileSync(at('export/businesses.ndjson'), businesses.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

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
});
const run = (): Promise<Ended> => tool(['run', 'export', '--yes', '--json'], space.directory, environment());
const taken = (item: string): number =>
  dumpRequests(at('state.db'))
    .filter(({ endpoint, account, status }) => endpoint === 'added' && account === item && status === 201)
    .reduce((sum, { times }) => sum + times, 0);
const created = (): string[] =>
  [...dumpAccounts(at('state.db'))].flatMap((one) => (one.krakenAccountNumber === null ? [] : [one.account]));

it.each(['interface', 'flat'])(
  'generated businesses (%s) pass a rehearsal with their accounts',
  async (shape) => {
    const made = ['generate', shape, '--accounts', '12', '--shape', shape, '--supplier', 'OTHER'];
    expect(await tool(made, space.directory)).toMatchObject({ code: 0 });
    const ended = await tool(['run', shape, '--json'], space.directory);
    expect(ended.code).toBe(0);
    for (const step of ['businesses', 'business-payment-instructions'])
      expect(lines(ended.stdout)).toContainEqual(expect.objectContaining({ type: 'items', step, done: 2 }));
  },
);

it('a mapping of a database has the fields and the items of the contract', async () => {
  const db = new Database(at('old.db'));
  db.exec("CREATE TABLE k (nr, frame); INSERT INTO k VALUES ('1', 'C-1'); CREATE TABLE f (firm, frame)");
  db.exec("INSERT INTO f VALUES ('B-1', 'C-1')");
  db.close();
  writeFileSync(
    at('m.yaml'),
    `version: 1
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM k, key: nr }
  firms: { query: SELECT * FROM f, key: firm }
account:
  import_supplier: { constant: ${supplier} }
  business: { business_contract_identifiers: [frame] }
items:
  businesses:
    from: firms
    each:
      import_supplier_code: { constant: ${supplier} }
      business: { business_contracts: [{ identifier: frame }] }
`,
  );
  const ended = await tool(['plan', '--mapping', 'm.yaml', '--json'], space.directory);
  expect(ended.stderr).not.toContain('error');
  expect(summaryOf(ended.stdout)['before']).toEqual([
    expect.objectContaining({ step: 'businesses', due: 1 }),
  ]);
});

it('businesses are sent before the accounts that name their contracts', async () => {
  await serve();
  const plan = () => tool(['plan', 'export', '--json'], space.directory, environment());
  expect(summaryOf((await plan()).stdout)['before']).toEqual([
    { step: 'businesses', due: 2, done: 0, uncertain: 0, refused: 0 },
  ]);
  expect(await run()).toMatchObject({ code: 0 });
  expect(summaryOf((await plan()).stdout)['before']).toMatchObject([{ due: 0, done: 2 }]);
  expect([taken('B-1'), taken('B-2'), created().length]).toEqual([1, 1, 3]);
  expect(await run()).toMatchObject({ code: 0 });
  expect(taken('B-1')).toBe(1);
});

it('an account whose business was refused is rejected with its cell, and taken up again once that is corrected', async () => {
  const { import_supplier_code: _code, ...other } = business('B-1', 'C-1');
  writeBusinesses({ ...other, import_supplier_code: supplier, colour: 'red' }, business('B-2', 'C-2'));
  await serve();
  const plan = await tool(['plan', 'export', '--json'], space.directory, environment());
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { new: 2, blocked: 1 } });
  expect(lines(plan.stdout)).toContainEqual(
    expect.objectContaining({ account: accounts[0], state: 'rejected', code: 'item_refused' }),
  );
  const ended = await run();
  expect(ended.code).toBe(3);
  expect(lines(ended.stdout)).toContainEqual(
    expect.objectContaining({
      ...{ type: 'problem', account: accounts[0], code: 'item_refused', file: 'accounts.ndjson' },
      path: 'business.business_contract_identifiers.0',
    }),
  );
  expect(created().sort()).toEqual(accounts.slice(1).sort());
  writeBusinesses(business('B-1', 'C-1'), business('B-2', 'C-2'));
  await tool(['retry', '--code', 'item_refused', '--supplier', supplier], space.directory, environment());
  expect(await run()).toMatchObject({ code: 0 });
  expect([taken('B-1'), taken('B-2'), created().length]).toEqual([1, 1, 3]);
});

it('a business that has arrived keeps no account back, whatever its row says the next night', async () => {
  await serve();
  writeFileSync(at('some.txt'), `${accounts[2] ?? ''}\n`);
  const some = ['run', 'export', '--yes', '--json', '--accounts', 'some.txt'];
  expect(await tool(some, space.directory, environment())).toMatchObject({ code: 0 });
  expect([taken('B-1'), created().length]).toEqual([1, 1]);
  writeBusinesses({ ...business('B-1', 'C-1'), colour: 'red' }, business('B-2', 'C-2'));
  const ended = await run();
  expect(lines(ended.stdout)).not.toContainEqual(expect.objectContaining({ code: 'item_refused' }));
  expect([taken('B-1'), created().length]).toEqual([1, 3]);
});

it('the accounts of a business with a lost answer wait for a ruling, and the others go on', async () => {
  await serve({ kind: 'reset', when: 'after', on: ['added'], accounts: ['B-1'], at: [1] });
  const ended = await run();
  expect(ended.code).toBe(8);
  expect(summaryOf(ended.stdout)).toMatchObject({
    ...{ stopReason: 'step-uncertain', workLeft: true, accounts: { pending: 1, completed: 2, total: 3 } },
  });
  expect(created()).not.toContain(accounts[0]);
  const ruling = ['resolve', `${supplier}/B-1`, '--step', 'businesses', '--as', 'done'];
  expect(await tool(ruling, space.directory, environment())).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
  expect([taken('B-1'), created().length]).toEqual([1, 3]);
});

it('a run that is killed before the answer leaves the business to a person, and sends it no second time', async () => {
  writeBusinesses(business('B-1', 'C-1'));
  await serve({ kind: 'hang', when: 'after', on: ['added'], accounts: ['B-1'] });
  const killed = start(['run', 'export', '--yes'], space.directory, environment());
  while (taken('B-1') === 0) await delay(20);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await serve();
  expect(await run()).toMatchObject({ code: 8 });
  expect([taken('B-1'), created().length]).toEqual([1, 2]);
});

it('flat CSV has the contracts of businesses in a file of its own', async () => {
  rmSync(at('export/businesses.ndjson'));
  writeFileSync(
    at('export/businesses.csv'),
    `import_supplier_code,external_business_identifier,business.company_name\n${supplier},B-1,One\n${supplier},B-2,Two\n`,
  );
  writeFileSync(
    at('export/business_contracts.csv'),
    'external_business_identifier,identifier,signed_at_date\nB-1,C-1,2020-01-31\nB-2,C-2,2021-02-28\n',
  );
  await serve();
  const ended = await run();
  expect(ended.stderr).not.toContain('error');
  expect(ended).toMatchObject({ code: 0 });
  expect([taken('B-1'), taken('B-2'), created().length]).toEqual([1, 1, 3]);
});

it('a row of no business holds the businesses, and the accounts whose business is not there yet', async () => {
  rmSync(at('export/businesses.ndjson'));
  writeFileSync(
    at('export/businesses.csv'),
    `import_supplier_code,external_business_identifier,business.company_name\n${supplier},B-1,One\n`,
  );
  const contracts = 'external_business_identifier,identifier,signed_at_date\nB-1,C-1,2020-01-31\n';
  writeFileSync(at('export/business_contracts.csv'), contracts);
  writeFileSync(at('some.txt'), `${accounts[0] ?? ''}\n`);
  await serve();
  const some = ['run', 'export', '--yes', '--json', '--accounts', 'some.txt'];
  expect(await tool(some, space.directory, environment())).toMatchObject({ code: 0 });
  const records = readFileSync(at('export/accounts.ndjson'), 'utf8').trim().split('\n');
  const { business: _none, ...third } = JSON.parse(records[2] ?? '') as JsonObject;
  writeFileSync(at('export/accounts.ndjson'), [...records.slice(0, 2), JSON.stringify(third)].join('\n'));
  // The second account has the contract of a business that is missing.
  writeFileSync(at('export/business_contracts.csv'), `${contracts}B-2,C-2,2021-02-28\n`);
  const place = { file: 'business_contracts.csv', line: 3, column: 'external_business_identifier' };
  const orphan = expect.objectContaining({ code: 'orphan_row', ...place });
  const checked = await tool(['validate', 'export', '--json'], space.directory);
  expect(lines(checked.stdout)).toContainEqual(orphan);
  expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3 });
  const plan = await tool(['plan', 'export', '--json'], space.directory, environment());
  expect(summaryOf(plan.stdout)['before']).toMatchObject([{ due: 0, done: 1 }]);
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { new: 1, blocked: 1, done: 1 } });
  const ended = await run();
  expect(ended.code).toBe(3);
  expect(lines(ended.stdout)).toContainEqual(orphan);
  expect(summaryOf(ended.stdout)).toMatchObject({ stopReason: 'step-not-done', accounts: { pending: 1 } });
  const again = await tool(['run', 'export', '--yes'], space.directory, environment());
  expect(again.stdout).toContain('business_contracts.csv:3:external_business_identifier');
  expect(created().sort()).toEqual([accounts[0], accounts[2]].sort());
  writeFileSync(at('export/businesses.csv'), `${supplier},B-2,Two\n`, { flag: 'a' });
  expect(await run()).toMatchObject({ code: 0 });
  expect([taken('B-1'), taken('B-2'), created().length]).toEqual([1, 1, 3]);
});
