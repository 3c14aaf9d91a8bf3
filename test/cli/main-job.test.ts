import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { lines, project, served, summaryOf, tool, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const samples = [
  { name: 'interface', args: [project('fixtures/interface')] },
  { name: 'flat', args: [project('fixtures/flat')] },
  {
    name: 'legacy',
    args: [project('fixtures/legacy/export'), '--mapping', project('fixtures/legacy/mapping.yaml')],
  },
];

describe.each(samples)('the $name sample', ({ args }) => {
  it('is valid, runs whole, and then has nothing left to send', async () => {
    const { directory } = space;
    const checked = await tool(['validate', ...args, '--json'], directory);
    expect(checked.code).toBe(0);
    const { accounts } = summaryOf(checked.stdout) as { accounts: number };
    expect(accounts).toBeGreaterThan(40);

    const run = await tool(['run', ...args, '--json'], directory);
    expect(run.stderr.split('\n')[0]).toMatch(/^No platform is configured: this is a rehearsal/);
    expect(summaryOf(run.stdout)).toMatchObject({
      command: 'run',
      version: 1,
      exit: 0,
      dryRun: false,
      accounts: { total: accounts, completed: accounts },
    });
    expect(lines(run.stdout).filter((line) => line['type'] === 'account')).toHaveLength(accounts);
    const onPlatform = [...dumpAccounts(join(directory, '.migrate/platform.db'))];
    expect(onPlatform.filter((account) => account.krakenAccountNumber !== null)).toHaveLength(accounts);

    const again = await tool(['run', ...args, '--json'], directory);
    expect(again.code).toBe(0);
    expect(summaryOf(again.stdout)).toMatchObject({ requests: 0, accounts: { completed: accounts } });
  });
});

describe('status, show and history', () => {
  it('tell of a run from the journal alone', async () => {
    const { directory } = space;
    await tool(['run', project('fixtures/interface')], directory);
    const status = await tool(['status', '--supplier', 'TENTACLE_ENERGY', '--json'], directory);
    expect(summaryOf(status.stdout)).toMatchObject({
      exit: 0,
      suppliers: [
        {
          supplier: 'TENTACLE_ENERGY',
          accounts: { total: 50, completed: 50 },
          steps: { process: { done: 50, failed: 0, uncertain: 0, pending: 0 } },
        },
      ],
    });
    const show = await tool(['show', 'EXT-000003', '--supplier', 'TENTACLE_ENERGY', '--json'], directory);
    expect(summaryOf(show.stdout)).toMatchObject({ account: 'EXT-000003', state: 'completed' });
    const history = await tool(['history', '--json'], directory);
    expect(lines(history.stdout)[0]).toMatchObject({ type: 'run', run: 1, exit: 0 });
  });

  it('say so when there is no journal', async () => {
    const { code, stderr } = await tool(['status'], space.directory);
    expect(code).toBe(2);
    expect(stderr).toMatch(/There is no journal at .*journal\.db/);
  });

  it('keep the journal for its owner alone', async () => {
    await tool(['run', project('fixtures/interface'), '--limit', '1'], space.directory);
    expect(statSync(join(space.directory, '.migrate')).mode & 0o777).toBe(0o700);
    expect(statSync(join(space.directory, '.migrate/journal.db')).mode & 0o777).toBe(0o600);
  });
});

describe('a dry run', () => {
  it('says what would import, creates nothing and leaves progress as it was', async () => {
    const { directory } = space;
    const run = await tool(['run', project('fixtures/interface'), '--dry-run', '--json'], directory);
    expect(run.code).toBe(0);
    expect(summaryOf(run.stdout)).toMatchObject({
      dryRun: true,
      wouldImport: 50,
      accounts: { pending: 50, total: 50 },
    });
    const onPlatform = [...dumpAccounts(join(directory, '.migrate/platform.db'))];
    expect(onPlatform.filter((account) => account.krakenAccountNumber !== null)).toHaveLength(0);
    const status = await tool(['status', '--json'], directory);
    expect(summaryOf(status.stdout)).toMatchObject({ suppliers: [{ accounts: { pending: 50 } }] });
  });
});

describe('a configured platform', () => {
  it('is asked for by name, never counts a rehearsal as done, and needs --yes without a terminal', async () => {
    const { directory } = space;
    await tool(['run', project('fixtures/interface')], directory);
    const platform = await served(directory, '--port', '0');
    try {
      const env = {
        MIGRATE_BASE_URL: platform.url,
        MIGRATE_API_KEY: platform.apiKey,
        MIGRATE_TEAM: 'MIGRATIONS',
      };
      const unasked = await tool(['run', project('fixtures/interface'), '--json'], directory, env);
      expect(unasked.code).toBe(2);
      expect(summaryOf(unasked.stdout)).toMatchObject({ type: 'summary', exit: 2 });
      expect(unasked.stderr).toContain('--yes');

      const run = await tool(['run', project('fixtures/interface'), '--json', '--yes'], directory, env);
      expect(run.stderr.split('\n')[0]).toContain(platform.url);
      expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 50 } });
      expect(summaryOf(run.stdout)['requests']).toBeGreaterThan(150);
    } finally {
      await platform.stop();
    }
  });

  it('that refuses the key ends with 4, that is not there with 5, and the key is told nowhere', async () => {
    const { directory } = space;
    const platform = await served(directory, '--port', '0');
    const wrong = {
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: 'sk_planted_secret',
      MIGRATE_TEAM: 'MIGRATIONS',
    };
    const refused = await tool(
      ['run', project('fixtures/interface'), '--json', '--yes', '--verbose'],
      directory,
      wrong,
    );
    await platform.stop();
    expect(refused.code).toBe(4);
    expect(refused.stdout + refused.stderr).not.toContain('planted');

    const retry = { MIGRATE_RETRY_ATTEMPTS: '2', MIGRATE_RETRY_BASE_MS: '1' };
    const away = await tool(['run', project('fixtures/interface'), '--json', '--yes'], directory, {
      ...wrong,
      ...retry,
    });
    expect(away.code).toBe(5);
    expect(summaryOf(away.stdout)).toMatchObject({ stopped: 'unavailable', accounts: { pending: 50 } });
  });

  it('whose supplier is paused ends with 5 and leaves the accounts as they were', async () => {
    const { directory } = space;
    await tool(['generate', 'paused', '--accounts', '5', '--supplier', 'PAUSED_ENERGY'], directory);
    const run = await tool(['run', 'paused', '--json'], directory);
    expect(run.code).toBe(5);
    expect(summaryOf(run.stdout)).toMatchObject({
      stopped: 'supplier-not-ongoing',
      accounts: { pending: 5 },
    });
  });
});
