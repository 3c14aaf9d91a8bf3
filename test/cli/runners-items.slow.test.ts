import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { asksForProducts, productsContract, productsStep } from '../contract/tenancy/products-contract.ts';
import { withRegistration } from '../contract/tenancy/registration-contract.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { ended, served, start, summaryOf, tool, workspace, type Served } from './tool.ts';

const accounts = 60;
const products = ['HEAT-1', 'HEAT-2', 'HEAT-3'];

describe.skipIf(!hasPostgres)('two runs of one book on a journal in PostgreSQL', () => {
  let space: ReturnType<typeof workspace>;
  let server: PostgresServer;
  let platform: Served | undefined;
  const at = (name: string): string => join(space.directory, name);
  beforeAll(async () => {
    space = workspace();
    server = await startPostgres();
    const pathsOf = (text: string): JsonObject => {
      const document: unknown = JSON.parse(text);
      return isJsonObject(document) && isJsonObject(document['paths']) ? document['paths'] : {};
    };
    const paths = { ...pathsOf(withRegistration()), ...pathsOf(productsContract()) };
    const contract = { ...(JSON.parse(productsContract()) as JsonObject), paths };
    writeFileSync(at('contract.json'), JSON.stringify(contract));
    const profile = { contract: '../contract.json', steps: [productsStep(asksForProducts)] };
    writeFileSync(at('.migraterc'), JSON.stringify({ ...profile, contract: 'contract.json' }));
    const size = ['--accounts', String(accounts), '--seed', '20', '--shape', 'interface'];
    await tool(['generate', 'export', ...size], space.directory);
    writeFileSync(
      at('export/products.csv'),
      ['code,name', ...products.map((code) => `${code},${code}`)].join('\n'),
    );
    for (const machine of ['a', 'b']) {
      mkdirSync(at(machine));
      writeFileSync(at(`${machine}/.migraterc`), JSON.stringify(profile));
      cpSync(at('export'), at(`${machine}/export`), { recursive: true });
    }
  });
  afterAll(async () => {
    await platform?.stop();
    await server.remove();
    space.dispose();
  });

  const serve = async (...rules: JsonObject[]): Promise<Served> => {
    writeFileSync(at('operator.json'), JSON.stringify({ faults: { seed: 1, rules } }));
    const port = platform === undefined ? '0' : new URL(platform.url).port;
    await platform?.stop();
    const place = ['--port', port, '--state', 'state.db', '--operator', 'operator.json'];
    return (platform = await served(space.directory, ...place));
  };
  const sent = (endpoint: string): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const { endpoint: own, account, status, times } of dumpRequests(at('state.db')))
      if (own === endpoint && (status === 201 || status === 200))
        found.set(account, (found.get(account) ?? 0) + times);
    return found;
  };

  it('send each item once and register each account once, though one is killed during both', async () => {
    const { apiKey, url } = await serve({
      kind: 'hang',
      when: 'after',
      on: ['added'],
      accounts: ['HEAT-2'],
      at: [1],
    });
    const database = await server.makeDatabase();
    const env = {
      ...server.env,
      MIGRATE_JOURNAL: server.url(database),
      ...{ MIGRATE_BASE_URL: url, MIGRATE_API_KEY: apiKey, MIGRATE_TEAM: 'MIGRATIONS' },
      ...{ MIGRATE_AGREEMENTS_MAY_REPEAT: 'true', MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'true' },
      ...{ MIGRATE_PATIENCE_QUIET_PERIOD_MS: '500', MIGRATE_TIMEOUTS_REQUEST_MS: '5000' },
    };
    const args = ['run', 'export', '--yes', '--json'];
    const killed = start(args, at('a'), env);
    while ((sent('added').get('HEAT-2') ?? 0) === 0) await delay(20);
    const other = ended(start(args, at('b'), env));
    killed.kill('SIGKILL');
    const both = await Promise.all([tool(args, at('a'), env), other]);
    for (const { code, stderr } of both) expect(code, stderr.slice(-600)).toBe(0);
    expect(summaryOf((await tool(args, at('a'), env)).stdout)).toMatchObject({
      accounts: { completed: accounts },
    });
    // A business and its payment instruction have one name.
    const businesses = Array.from({ length: accounts / 10 }, (_, n) => [`BUS-00000${n + 1}`, 2] as const);
    expect(sent('added')).toEqual(new Map([...products.map((code) => [code, 1] as const), ...businesses]));
    expect([...dumpAccounts(at('state.db'))].filter((one) => one.krakenAccountNumber !== null)).toHaveLength(
      accounts,
    );

    const register = ['register', '--yes', '--json'];
    const first = start(register, at('a'), env);
    const gone = ended(first);
    const marked = (): number[] => {
      const db = new Database(at('state.db'), { readonly: true });
      const rows = db.prepare('SELECT requests FROM registration').pluck().all() as number[];
      db.close();
      return rows;
    };
    while (marked().length === 0) await delay(20);
    first.kill('SIGKILL');
    await gone;
    const two = await Promise.all(['a', 'b'].map((machine) => tool(register, at(machine), env)));
    expect(two.map(({ code }) => code)).toContain(0);
    const again = await tool(register, at('b'), env);
    expect(again.code, again.stdout.slice(-600)).toBe(0);
    expect(new Set(marked())).toEqual(new Set([1]));
  });
});
