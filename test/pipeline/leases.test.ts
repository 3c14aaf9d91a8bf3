import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformClient } from '../../src/client/platform-client.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import type { LeaseSettings } from '../../src/pipeline/run/leases.ts';
import { runMigration, type RunResult } from '../../src/pipeline/run/run-migration.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { crashingJournal, type Fate } from './crash/crashing-journal.ts';
import { Life, World } from './crash/world.ts';
import { defaultSettings, ok, planOf, pulled, Harness } from './harness.ts';

const leaseMs = 60_000;
const requestMs = 30_000;
const plans = [planOf('1', { notes: [{ notes: [{ body: 'one' }] }] }), planOf('2')];

let harness: Harness;
let world: World;
beforeEach(() => {
  harness = new Harness();
  world = new World();
});
afterEach(() => harness.dispose());

/** A run of its own process on the shared journal; `life` is how it is stopped for a while. */
async function run(
  host: string,
  client: PlatformClient,
  life = new Life(),
  isDead = false,
  fate: Fate = () => undefined,
): Promise<RunResult> {
  const opened = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: true });
  const journal = crashingJournal(opened, world, life, fate);
  const lease: LeaseSettings = {
    owner: { host, pid: 1, processStart: host },
    isDead: () => isDead,
    leaseMs,
    requestMs,
  };
  try {
    return await runMigration(
      {
        export: 'export',
        place: '/export',
        faults: 0,
        lease,
        plans: pulled(plans, defaultSettings),
        platform: 'https://platform.example',
        platformLabel: 'https://platform.example',
        settings: defaultSettings,
      },
      {
        client,
        journal,
        clock: world.clock(life),
        random: () => 0.5,
        stop: new StopControl(),
        emit: () => undefined,
      },
    );
  } finally {
    await journal.close();
  }
}

/** The scripted platform, behind a client whose process stops at its n-th request: before it leaves, or after its effect. */
function stoppingAt(n: number, when: 'before' | 'after', life: Life): PlatformClient {
  const client = harness.platform.client();
  let sent = 0;
  return {
    ...client,
    post: async (endpoint, body, options) => {
      sent += 1;
      if (sent === n && when === 'before') life.stop();
      if (when === 'before') await life.breath();
      const answer = await client.post(endpoint, body, options);
      if (sent === n && when === 'after') life.stop();
      await life.breath();
      return answer;
    },
  };
}

const processed = () => harness.platform.times('process');
const journaled = async (account: string) => {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const entry = await journal.find('https://platform.example', { supplier: 'TENTACLE_ENERGY', account });
  await journal.close();
  return entry;
};

describe('a run that was stopped for longer than its lease', () => {
  it('goes on when nobody has taken its accounts over', async () => {
    const life = new Life();
    const stalled = run('here', stoppingAt(3, 'after', life), life);
    await life.fallen;
    world.now += 10 * leaseMs;
    world.wake(life);
    expect(await stalled).toMatchObject({ exit: 0, accounts: { completed: 2 } });
  });

  it('writes and sends nothing more when another has, and ends with exit 7', async () => {
    const life = new Life();
    // Stopped after the platform created the first account, before its answer is recorded.
    const stalled = run('here', stoppingAt(3, 'after', life), life);
    await life.fallen;
    world.now += leaseMs + requestMs;
    const completed = { status: 'COMPLETED' as const, krakenAccountNumber: 'A-1' };
    harness.platform.answers('transferStatus', ok(completed, 200));
    expect(await run('there', harness.platform.client())).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    const asked = harness.platform.asked.length;
    const before = [await journaled('1'), await journaled('2')];

    world.wake(life);
    expect(await stalled).toMatchObject({
      exit: 7,
      stop: { reason: 'lease-lost', detail: 'TENTACLE_ENERGY' },
    });
    expect(harness.platform.asked).toHaveLength(asked);
    expect([await journaled('1'), await journaled('2')]).toEqual(before);
    expect(processed()).toBe(2);
  });

  it('asks the journal before it sends, not only before it writes', async () => {
    const life = new Life();
    // Stopped between the intent to create the account and the request itself.
    const stalled = run('here', harness.platform.client(), life, false, (point) => {
      if (point.startsWith('after intend process')) life.stop();
    });
    await life.fallen;
    world.now += leaseMs + requestMs;
    await run('there', harness.platform.client());
    world.wake(life);
    expect(await stalled).toMatchObject({ exit: 7, stop: { reason: 'lease-lost' } });
    expect(processed()).toBe(2);
  });

  it('asks the journal too where its clock was set ahead, and then further back', async () => {
    const life = new Life();
    const stalled = run('here', harness.platform.client(), life, false, (point) => {
      if (point.startsWith('after intend process')) life.stop();
    });
    await life.fallen;
    world.wallAtStart += leaseMs + requestMs;
    await run('there', harness.platform.client());
    world.wallAtStart -= 2 * (leaseMs + requestMs);
    world.wake(life);
    expect(await stalled).toMatchObject({ exit: 7, stop: { reason: 'lease-lost' } });
    expect(processed()).toBe(2);
  });
});

describe('a second run', () => {
  async function whileAnotherStands(elapsed: number, isDead = false): Promise<RunResult> {
    const life = new Life();
    void run('here', stoppingAt(3, 'after', life), life);
    await life.fallen;
    world.now += elapsed;
    life.kill();
    const completed = { status: 'COMPLETED' as const, krakenAccountNumber: 'A-1' };
    harness.platform.answers('transferStatus', ok(completed, 200));
    return run('there', harness.platform.client(), new Life(), isDead);
  }

  it('waits out the lease of another machine, and the longest request after it', async () => {
    expect(await whileAnotherStands(leaseMs + requestMs - 1)).toMatchObject({
      exit: 7,
      requests: 0,
      stop: { reason: 'held' },
      heldBy: { owner: { host: 'here' } },
    });
    expect(processed()).toBe(1);
  });

  it('takes over once that time is up, and settles first what the other left open', async () => {
    expect(await whileAnotherStands(leaseMs + requestMs)).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(harness.platform.asked.map(({ endpoint }) => endpoint)[3]).toBe('transferStatus');
    expect(processed()).toBe(2);
  });

  it('takes over at once from a process of this machine that is gone', async () => {
    expect(await whileAnotherStands(1, true)).toMatchObject({ exit: 0, accounts: { completed: 2 } });
  });
});
