import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { lines, project, served, summaryOf, tool, workspace, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const sample = project('fixtures/interface');
const environment = (platform: Served) => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_RETRY_BASE_MS: '5',
  MIGRATE_RETRY_CAP_MS: '50',
  MIGRATE_RETRY_ATTEMPTS: '20',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
  MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
  MIGRATE_TIMEOUTS_HEADERS_MS: '1000',
});

describe('migrate serve', () => {
  it('obeys its operator, also while it runs', async () => {
    const { directory } = space;
    const platform = await served(directory, '--set', 'suppliers.TENTACLE_ENERGY.status=Paused', '--control');
    try {
      const paused = await tool(['run', sample, '--yes', '--json'], directory, environment(platform));
      expect(paused.code).toBe(5);
      const reopened = await fetch(`${platform.url}/operator/`, {
        method: 'PATCH',
        headers: { authorization: `ApiKey ${platform.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ suppliers: { TENTACLE_ENERGY: { status: 'Ongoing' } } }),
      });
      expect(reopened.status).toBe(200);
      const run = await tool(['run', sample, '--yes', '--json'], directory, environment(platform));
      expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 50 } });
    } finally {
      await platform.stop();
    }
  });

  it('keeps a request log without customer data, and its state and key over a restart', async () => {
    const { directory } = space;
    const args = ['--state', 'state.db', '--log', 'requests.log'];
    const first = await served(directory, ...args);
    await tool(['run', sample, '--yes', '--json'], directory, environment(first));
    await first.stop();
    const log = readFileSync(join(directory, 'requests.log'), 'utf8');
    expect(log).toMatch(/"method":"POST","endpoint":"process","status":201/);
    expect(log).not.toContain('EXT-');
    expect(log).not.toContain(first.apiKey);

    const second = await served(directory, ...args);
    const again = await tool(['run', sample, '--yes', '--json'], directory, environment(second));
    await second.stop();
    expect(second.apiKey).toBe(first.apiKey);
    // The same state on another port is the same platform.
    expect(summaryOf(again.stdout)).toMatchObject({ exit: 0, requests: 0, accounts: { completed: 50 } });
  });

  it('names the line of an operator file that is wrong', async () => {
    const { directory } = space;
    writeFileSync(join(directory, 'operator.yaml'), 'teams: [MIGRATIONS]\nsupplers: {}\n');
    const { code, stderr } = await tool(['serve', '--operator', 'operator.yaml'], directory);
    expect(code).toBe(2);
    expect(stderr).toMatch(/operator\.yaml:2: Unknown key 'supplers'.*suppliers/);
    const set = await tool(['serve', '--set', 'process.cap=none'], directory);
    expect(set.code).toBe(2);
    expect(set.stderr).toContain('process.cap');
  });
});

const everyFault = `
process: { cap: 4, durationMs: 2 }
faults:
  seed: 11
  rules:
    - { kind: expire-tokens, at: [60, 200] }
    - { kind: restart, downMs: 30, at: [150] }
    - { kind: reset, when: before, rate: 0.03 }
    - { kind: reset, when: after, rate: 0.03 }
    - { kind: hang, when: after, rate: 0.005 }
    - { kind: html, status: 502, when: before, rate: 0.02 }
    - { kind: html, status: 500, when: after, rate: 0.02 }
    - { kind: truncated, rate: 0.02 }
    - { kind: malformed, rate: 0.02 }
    - { kind: throttle, rate: 0.03 }
    - { kind: burst, on: [validate], requests: 40, perMs: 200 }
    - { kind: latency, ms: 1, tailMs: 40, rate: 0.1 }
`;

describe('a run on a platform with every fault', () => {
  it('brings about exactly what a run on a sound one does', async () => {
    const { directory } = space;
    writeFileSync(join(directory, 'faults.yaml'), everyFault);
    const sound = await served(directory, '--state', 'sound.db');
    await tool(
      ['run', sample, '--yes', '--json', '--journal', 'a/journal.db'],
      directory,
      environment(sound),
    );
    await sound.stop();

    const faulty = await served(directory, '--state', 'faulty.db', '--operator', 'faults.yaml');
    const args = ['run', sample, '--yes', '--json', '--journal', 'b/journal.db'];
    let exit: unknown;
    for (let night = 1; night <= 6 && exit !== 0; night += 1) {
      const run = await tool(args, directory, environment(faulty));
      exit = summaryOf(run.stdout)['exit'];
      for (const { type, state, account } of lines(run.stdout))
        if (type === 'account' && state === 'uncertain' && typeof account === 'string')
          await ruleOn(account, directory);
    }
    await faulty.stop();
    expect(exit).toBe(0);
    expect(contents(join(directory, 'faulty.db'))).toEqual(contents(join(directory, 'sound.db')));
  });
});

/** A person's ruling: this platform recognises what it is sent again. */
async function ruleOn(account: string, directory: string): Promise<void> {
  const journal = ['--journal', 'b/journal.db'];
  const story = await tool(['show', account, '--json', ...journal], directory);
  const { steps } = summaryOf(story.stdout) as { steps: Record<string, string> };
  for (const step of Object.keys(steps).filter((name) => steps[name] === 'uncertain')) {
    const ruled = await tool(['resolve', account, '--step', step, '--as', 'repeat', ...journal], directory);
    expect(ruled.code).toBe(0);
  }
}

/** What a platform holds, without what depends on the moment. */
function contents(state: string): string[] {
  return [...dumpAccounts(state)].map(({ krakenAccountNumber, createdAt, ...account }) => {
    expect([krakenAccountNumber, createdAt]).not.toContain(null);
    return JSON.stringify(account).replaceAll(/\\"created_at\\":\\"20(2[6-9]|[3-9]\d)-[^"]+"/g, '');
  });
}
