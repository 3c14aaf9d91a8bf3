import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { contents } from './platform-contents.ts';
import { lines, ended, served, start, summaryOf, tool, workspace, type Served } from './tool.ts';

const accounts = 3000;

describe.skipIf(!hasPostgres)('three runs of one book on a journal in PostgreSQL', () => {
  let space: ReturnType<typeof workspace>;
  let server: PostgresServer;
  beforeAll(async () => {
    space = workspace();
    server = await startPostgres();
    await tool(
      ['generate', 'export', '--accounts', String(accounts), '--seed', '20', '--shape', 'interface'],
      space.directory,
    );
    await tool(
      ['generate', 'd/another', '--accounts', '10', '--seed', '21', '--shape', 'interface'],
      space.directory,
    );
    // A lost answer of these takes a person's ruling.
    for (const machine of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(space.directory, machine), { recursive: true });
      cpSync(join(space.directory, 'export'), join(space.directory, machine, 'export'), {
        recursive: true,
        filter: (file) => !file.endsWith('payment_instructions.ndjson'),
      });
    }
  });
  afterAll(async () => {
    await server.remove();
    space.dispose();
  });

  const environment = (platform: Served, database: string) => ({
    ...server.env,
    MIGRATE_JOURNAL: server.url(database),
    MIGRATE_BASE_URL: platform.url,
    MIGRATE_API_KEY: platform.apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_AGREEMENTS_MAY_REPEAT: 'true',
    MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'true',
    MIGRATE_RATE: '300',
    // A request that was lost is settled within seconds, and a lease ends five seconds after its minute.
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '1000',
    MIGRATE_TIMEOUTS_REQUEST_MS: '5000',
  });

  it('complete every account once, though one is killed and one stands still for longer than its lease', async () => {
    const { directory } = space;
    const state = join(directory, 'platform.db');
    const database = await server.makeDatabase();
    const platform = await served(directory, '--port', '0', '--state', state);
    const env = environment(platform, database);
    const args = ['run', 'export', '--yes', '--json'];
    const runs = ['a', 'b', 'c'].map((machine) => start(args, join(directory, machine), env));
    const [killed, stopped, left] = runs.map((run) => ended(run));
    const created = (): number =>
      dumpRequests(state).filter((request) => request.endpoint === 'process' && request.status === 201)
        .length;
    try {
      while (created() < accounts * 0.3) await delay(100);
      const status = await tool(['status', '--json'], join(directory, 'd'), env);
      expect(summaryOf(status.stdout)['runners']).toMatchObject([{ run: 1 }, { run: 2 }, { run: 3 }]);
      const another = await tool(['run', 'another', '--yes', '--json'], join(directory, 'd'), env);
      expect(another.code).toBe(7);
      expect(another.stderr).toMatch(
        /another run holds TENTACLE_ENERGY: process .*, and 2 other runs of the same book\. .* cannot join it, because the export, /,
      );
      const listed = join(directory, 'd', 'some.txt');
      writeFileSync(listed, 'EXT-000001\n');
      const some = await tool(['run', 'export', '--yes', '--accounts', listed], join(directory, 'd'), env);
      expect(some.code).toBe(7);
      expect(some.stderr).toContain('because a run with --accounts does not share a book.');
      /** As `history` has the three runs. */
      const states = async (): Promise<unknown> => {
        const history = await tool(['history', '--json'], join(directory, 'd'), env);
        const recorded = lines(history.stdout).filter(({ type, run }) => type === 'run' && Number(run) <= 3);
        return recorded.map(({ state }) => state).sort();
      };
      expect(await states()).toEqual(['running', 'running', 'running']);
      runs[0]?.kill('SIGKILL');
      while (created() < accounts * 0.5) await delay(100);
      expect(await states()).toEqual(['killed', 'running', 'running']);
      const survivors = await tool(['status', '--json'], join(directory, 'd'), env);
      expect(summaryOf(survivors.stdout)['runners']).toHaveLength(2);
      runs[1]?.kill('SIGSTOP');
      const ending = await left;
      expect(summaryOf(ending?.stdout ?? '')).toMatchObject({
        exit: 0,
        accounts: { total: accounts, completed: accounts },
      });
      runs[1]?.kill('SIGCONT');
      const late = await stopped;
      expect(late?.code).toBe(7);
      await killed;
    } finally {
      for (const run of runs) run.kill('SIGKILL');
    }
    const checked = await tool(
      ['reconcile', 'export', '--json', '--supplier', 'TENTACLE_ENERGY'],
      join(directory, 'd'),
      env,
    );
    expect(checked.code).toBe(0);
    await platform.stop();

    expect(new Set([...dumpAccounts(state)].map((account) => account.krakenAccountNumber)).size).toBe(
      accounts,
    );
    const requests = dumpRequests(state);
    const createdTwice = requests.filter(
      (request) => request.endpoint === 'process' && request.status === 201 && request.times > 1,
    );
    expect(createdTwice).toEqual([]);
    expect([...contents(state).keys()]).toHaveLength(accounts);
  }, 600_000);

  it('list and copy every account that is rejected, whichever of them read it', async () => {
    const { directory } = space;
    const platform = await served(directory, '--port', '0');
    const env = { ...environment(platform, await server.makeDatabase()), MIGRATE_RATE: '100' };
    const numbers = Array.from({ length: 120 }, (_, at) => `N-${at}`);
    const faulty = numbers.filter((_, at) => at % 10 === 0);
    const machines = ['e', 'f'];
    for (const machine of machines) {
      mkdirSync(join(directory, machine, 'export'), { recursive: true });
      writeFileSync(
        join(directory, machine, 'export', 'A.csv'),
        `ID,BALANCE\n${numbers.map((id) => `${id},${faulty.includes(id) ? 'never' : '1.00'}\n`).join('')}`,
      );
      writeFileSync(
        join(directory, machine, 'mapping.yaml'),
        `version: 1
tables: { accounts: { file: A.csv, key: ID } }
account: { import_supplier: { constant: TENTACLE_ENERGY }, account_type: { constant: DOMESTIC }, transfer_balance: BALANCE }
`,
      );
    }
    const args = ['run', 'export', '--yes', '--json', '--mapping', 'mapping.yaml', '--rejects', 'rejected'];
    const runs = machines.map((machine) => ended(start(args, join(directory, machine), env)));
    for (const { code, stdout } of await Promise.all(runs)) {
      expect(code).toBe(3);
      expect(summaryOf(stdout)).toMatchObject({ accounts: { total: 120, rejected: 12 } });
    }
    await platform.stop();
    for (const machine of machines) {
      const [, ...rows] = readFileSync(join(directory, machine, 'rejected', 'A.csv'), 'utf8')
        .trim()
        .split('\n');
      expect(rows.map((row) => row.split(',')[0])).toEqual(faulty);
      for (const row of rows) expect(row).toMatch(/,never,\w+ at A\.csv:\d+:BALANCE$/);
    }
  });
});
