import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { contents } from './platform-contents.ts';
import { served, start, summaryOf, tool, workspace, type Served } from './tool.ts';

const accounts = 2000;
let space: ReturnType<typeof workspace>;
beforeAll(async () => {
  space = workspace();
  await tool(
    ['generate', 'export', '--accounts', String(accounts), '--seed', '11', '--shape', 'interface'],
    space.directory,
  );
});
afterAll(() => space.dispose());

const environment = (platform: Served) => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  // A killed run leaves a few process requests of unknown outcome; the platform answers within this time or never.
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '200',
});

describe('a run that is killed', () => {
  it('ends, run again, in the same contents as an undisturbed one, and repeats no request that it must not', async () => {
    const { directory } = space;
    const undisturbed = await served(directory, '--port', '0', '--state', 'undisturbed.db');
    const first = await tool(
      ['run', 'export', '--yes', '--json', '--journal', 'a/journal.db'],
      directory,
      environment(undisturbed),
    );
    await undisturbed.stop();
    expect(summaryOf(first.stdout)).toMatchObject({ exit: 0, accounts: { completed: accounts } });

    const platform = await served(directory, '--port', '0', '--state', 'disturbed.db');
    const state = join(directory, 'disturbed.db');
    const args = ['run', 'export', '--yes', '--json', '--journal', 'b/journal.db'];
    for (const share of [0.1, 0.4, 0.75]) {
      const child = start(args, directory, environment(platform));
      child.stdout?.resume();
      child.stderr?.resume();
      while (created(state) < accounts * share) await delay(50);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    const resumed = await tool(args, directory, environment(platform));
    await platform.stop();

    expect(summaryOf(resumed.stdout)).toMatchObject({
      exit: 0,
      accounts: { total: accounts, completed: accounts },
    });
    const [disturbed, whole] = [contents(state), contents(join(directory, 'undisturbed.db'))];
    expect([...disturbed.keys()]).toEqual([...whole.keys()]);
    expect(
      [...whole].filter(([account, held]) => disturbed.get(account) !== held).map(([account]) => account),
    ).toEqual([]);
    expect(new Set([...dumpAccounts(state)].map((account) => account.krakenAccountNumber)).size).toBe(
      accounts,
    );

    const requests = dumpRequests(state);
    // What is not idempotent reaches the platform once, unless a kill left it unanswered.
    const createdTwice = requests.filter(
      (request) => request.endpoint === 'process' && request.status === 201 && request.times > 1,
    );
    expect(createdTwice).toEqual([]);
    const repeated = requests.filter((request) => request.endpoint === 'process' && request.status === 400);
    expect(repeated).toEqual([]);
  }, 600_000);
});

function created(state: string): number {
  if (!existsSync(state)) return 0;
  return dumpRequests(state).filter((request) => request.endpoint === 'process' && request.status === 201)
    .length;
}
