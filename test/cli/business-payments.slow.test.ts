import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isJsonObject, numberText, type JsonObject } from '../../src/domain/json.ts';
import { productsContract } from '../contract/tenancy/products-contract.ts';
import { lines, served, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let platform: Served | undefined;
const at = (name: string): string => join(space.directory, name);
const supplier = 'TENTACLE_ENERGY';
let accounts: readonly string[];

beforeEach(async () => {
  space = workspace();
  writeFileSync(at('contract.json'), productsContract());
  writeFileSync(at('.migraterc'), JSON.stringify({ contract: 'contract.json' }));
  await tool(
    ['generate', 'export', '--accounts', '3', '--seed', '5', '--shape', 'interface'],
    space.directory,
  );
  for (const table of ['businesses', 'business_payment_instructions']) rmSync(at(`export/${table}.ndjson`));
  accounts = records().map((record) => numberText(record['external_account_number']) ?? '');
  write(
    'businesses',
    ...['B-1', 'B-2'].map((identifier) => ({
      import_supplier_code: supplier,
      external_business_identifier: identifier,
      business: { company_name: identifier, business_contracts: [{ identifier: `${identifier}-C` }] },
    })),
  );
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

function records(): readonly JsonObject[] {
  return readFileSync(at('export/accounts.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line): readonly JsonObject[] => {
      const record: unknown = JSON.parse(line);
      return isJsonObject(record) ? [record] : [];
    });
}

function write(table: string, ...rows: readonly JsonObject[]): void {
  writeFileSync(at(`export/${table}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

function payment(business: string, reference: string, ...of: readonly (string | undefined)[]): JsonObject {
  return {
    ...{ import_supplier_code: supplier, external_business_identifier: business },
    ...{ vendor: 'STRIPE', reference, type: 'CARD' },
    accounts: of.map((external_account_number = '') => ({ external_account_number })),
  };
}

async function serve(...rules: JsonObject[]): Promise<void> {
  await platform?.stop();
  const operator = { otherSuppliers: 'Ongoing', faults: { seed: 1, rules } };
  writeFileSync(at('operator.json'), JSON.stringify(operator));
  platform = await served(
    space.directory,
    ...['--port', '0', '--state', 'state.db', '--operator', 'operator.json'],
  );
}

const migrate = (...args: string[]): Promise<Ended> =>
  tool([...args, '--json'], space.directory, {
    MIGRATE_BASE_URL: platform?.url ?? '',
    MIGRATE_API_KEY: platform?.apiKey ?? '',
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '100',
    MIGRATE_RETRY_BASE_MS: '5',
  });
const run = (): Promise<Ended> => migrate('run', 'export', '--yes');
const itemsOf = ({ stdout }: Ended): unknown =>
  lines(stdout).find(({ type, step }) => type === 'items' && step === 'business-payment-instructions');

/** What the platform's state says. */
function stateOf(sql: string): readonly unknown[] {
  const db = new Database(at('state.db'), { readonly: true });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}

/** The businesses whose payment instruction the platform has. */
const paid = (): readonly unknown[] =>
  stateOf("SELECT item FROM added_item WHERE step = 'business-payment-instructions' ORDER BY item");

/** The place of an endpoint's last request. */
const lastOf = (endpoint: string): number =>
  Number(stateOf(`SELECT max(id) FROM request WHERE endpoint = '${endpoint}'`)[0]);

it('payment instructions of businesses are sent after their accounts, once', async () => {
  write(
    'business_payment_instructions',
    payment('B-1', 'REF-1', accounts[0]),
    payment('B-2', 'REF-2', accounts[1]),
  );
  await serve();
  expect(summaryOf((await migrate('plan', 'export')).stdout)['before']).toContainEqual(
    expect.objectContaining({ step: 'business-payment-instructions', due: 2 }),
  );
  expect((await migrate('validate', 'export')).code).toBe(0);
  expect(await run()).toMatchObject({ code: 0 });
  expect(paid()).toEqual([`${supplier}/B-1`, `${supplier}/B-2`]);
  expect(await run()).toMatchObject({ code: 0 });
  expect(lastOf('process')).toBeLessThan(lastOf('added'));
});

it('one that names an account which is not completed waits, and leaves with a later run', async () => {
  write(
    'business_payment_instructions',
    payment('B-1', 'REF-1', accounts[0]),
    payment('B-2', 'REF-2', accounts[1]),
  );
  const good = records();
  write(
    'accounts',
    ...good.map((record, index) => (index === 1 ? { ...record, transfer_balance: 'x' } : record)),
  );
  await serve();
  const first = await run();
  expect(first.code).toBe(3);
  expect(itemsOf(first)).toMatchObject({ done: 1, waiting: 1, failed: 0 });
  expect(paid()).toEqual([`${supplier}/B-1`]);
  write('accounts', ...good);
  expect(await run()).toMatchObject({ code: 0 });
  expect(paid()).toEqual([`${supplier}/B-1`, `${supplier}/B-2`]);
});

it('one that names an account which no export has is told by the end of the run', async () => {
  write('business_payment_instructions', payment('B-1', 'REF-1', 'NOBODY'));
  await serve();
  const ended = await run();
  expect(ended.code).toBe(3);
  expect(summaryOf(ended.stdout)['stopReason']).toBe('step-not-done');
  expect(ended.stderr).toContain(`1 waiting for accounts (${supplier}/B-1)`);
  expect(await run()).toMatchObject({ code: 3 });
});

it("is sent again after the platform's own 500, refused with its words, and uncertain after a lost answer", async () => {
  write(
    'business_payment_instructions',
    payment('B-1', 'INTERMITTENT-1', accounts[0]),
    payment('B-2', 'UNKNOWN-2', accounts[1]),
  );
  await serve();
  const refused = await run();
  expect(refused.code).toBe(3);
  expect(itemsOf(refused)).toMatchObject({ done: 1, refused: 1, uncertain: 0 });
  expect(summaryOf((await migrate('status')).stdout)['addedSteps']).toContainEqual(
    expect.objectContaining({
      unfinished: [{ item: `${supplier}/B-2`, state: 'refused', code: 'payment_instruction_not_found' }],
    }),
  );
  write('business_payment_instructions', payment('B-2', 'REF-2', accounts[1]));
  await serve({ kind: 'reset', when: 'after', on: ['added'], accounts: ['B-2'], at: [1] });
  const lost = await run();
  expect(lost.code).toBe(8);
  expect(itemsOf(lost)).toMatchObject({ uncertain: 1 });
  expect(
    await migrate('resolve', `${supplier}/B-2`, '--step', 'business-payment-instructions', '--as', 'done'),
  ).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
});
