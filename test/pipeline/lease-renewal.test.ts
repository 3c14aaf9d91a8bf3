import { describe, expect, it } from 'vitest';
import type { PlatformClient } from '../../src/client/platform-client.ts';
import type { Journal, LeaseOwner } from '../../src/journal/journal.ts';
import { isFreshSince, Leases } from '../../src/pipeline/run/leases.ts';
import { ownClock } from './own-clock.ts';

const owner: LeaseOwner = { host: 'here', pid: 1, processStart: 'a' };
const held = { held: true, owner, since: 1, expiresAt: 2 } as const;
const [leaseMs, requestMs] = [900, 50];

/** The leases of a run, and what was asked of its journal. `lost`: whose renewal is refused. */
function leases({ isHeld = false, brokenRelease = false } = {}) {
  const clock = ownClock(1000);
  const asked: string[] = [];
  const told: string[] = [];
  const lost = new Set<string>();
  let epoch = 4;
  const gate: { renewing: Promise<void> | undefined } = { renewing: undefined };
  const journal = {
    takeLease: ({ supplier, group }: { supplier: string; group?: number }, now: number, until: number) => {
      asked.push(`take ${supplier} ${now} ${until}${group === undefined ? '' : ` ${group}`}`);
      return Promise.resolve(isHeld ? held : { held: false, epoch: (epoch += 1) });
    },
    renewLease: async (platform: string, supplier: string, of: number, now: number, until: number) => {
      await gate.renewing;
      asked.push(`renew ${platform} ${supplier} ${of} ${now} ${until}`);
      return !lost.has(supplier);
    },
    releaseLease: (platform: string, supplier: string, of: number) => {
      asked.push(`release ${platform} ${supplier} ${of}`);
      return brokenRelease ? Promise.reject(new Error('journal gone')) : Promise.resolve();
    },
  } as unknown as Journal;
  const settings = { owner, isDead: () => false, leaseMs, requestMs };
  const all = new Leases(journal, 'p', settings, clock, (supplier) => void told.push(supplier));
  return { all, clock, asked, told, lost, gate };
}

const sent: string[] = [];
const says = (what: string) => () => {
  sent.push(what);
  return Promise.resolve({ kind: 'ok', status: 200, body: what });
};
const client = {
  ...{ address: 'https://platform.example', post: says('post') },
  added: { post: says('added'), check: says('check'), ask: says('ask') },
  meterPoints: { statuses: says('statuses'), register: says('register') },
  ...{ transferStatus: says('status'), taskStatus: says('task') },
} as unknown as PlatformClient;

const key = { supplier: 'S', account: '1' };
/** Every request that must not leave once the lease is another's. */
const requests: readonly [string, (guarded: PlatformClient) => Promise<unknown>][] = [
  ['post', (guarded) => guarded.post('notes', '{}')],
  ['added', (guarded) => guarded.added.post({} as never, {} as never, {} as never, {} as never)],
  ['check', (guarded) => guarded.added.check({} as never, {} as never, {} as never, {} as never)],
  ['ask', (guarded) => guarded.added.ask({} as never, {} as never, {} as never)],
  ['register', (guarded) => guarded.meterPoints.register(key, {})],
  ['status', (guarded) => guarded.transferStatus(key)],
  ['task', (guarded) => guarded.taskStatus(key)],
];

describe('the lease of a supplier', () => {
  it('is taken once for a run, until the longest request after it', async () => {
    const { all, asked } = leases();
    expect(all.has('S')).toBe(false);
    expect(await Promise.all([all.take('S'), all.take('S')])).toEqual([undefined, undefined]);
    expect(await all.take('S')).toBeUndefined();
    expect(asked).toEqual(['take S 1000 1950']);
    expect([all.has('S'), all.has('T')]).toEqual([true, false]);
  });

  it('of another run is told with its holder', async () => {
    const { all, asked } = leases({ isHeld: true });
    expect(await all.take('S')).toEqual(held);
    expect(all.has('S')).toBe(false);
    await all.release();
    expect(asked).toEqual(['take S 1000 1950']);
  });

  it('is given back with the others, and renewed no more', async () => {
    const { all, asked } = leases();
    await all.take('S');
    await all.take('T');
    await all.release();
    await all.release();
    expect(asked.slice(2)).toEqual(['release p S 5', 'release p T 6']);
    await all.keepAlive();
    expect(asked).toHaveLength(4);
  });

  it('that cannot be given back says why', async () => {
    const { all } = leases({ brokenRelease: true });
    await all.take('S');
    await expect(all.release()).rejects.toThrow('journal gone');
  });

  it('is given back only after a renewal that is under way', async () => {
    const { all, asked, clock, gate } = leases();
    await all.take('S');
    clock.pass(leaseMs);
    let renewed: () => void = () => undefined;
    gate.renewing = new Promise((resolve) => (renewed = resolve));
    const sending = all.guard(client).transferStatus(key);
    const releasing = all.release();
    renewed();
    await Promise.all([sending, releasing]);
    expect(asked.map((one) => one.split(' ')[0])).toEqual(['take', 'renew', 'release']);
  });

  it('is renewed three times within its time', async () => {
    const { all, asked, clock } = leases();
    await all.take('S');
    const alive = all.keepAlive();
    while (clock.slept.length < 3) await new Promise((resolve) => setImmediate(resolve));
    await all.release();
    await alive;
    expect(clock.slept.slice(0, 3)).toEqual([300, 300, 300]);
    expect(asked.slice(0, 3)).toEqual(['take S 1000 1950', 'renew p S 5 1300 2250', 'renew p S 5 1600 2550']);
  });
});

describe('a request', () => {
  it.each(requests)('leaves at once while the lease is fresh: %s', async (name, send) => {
    const { all, asked, clock } = leases();
    await all.take('S');
    clock.pass(leaseMs - 1);
    sent.length = 0;
    expect(await send(all.guard(client))).toMatchObject({ kind: 'ok', body: name });
    expect([sent, asked.length]).toEqual([[name], 1]);
  });

  it.each(requests)('leaves after the journal has confirmed the lease: %s', async (name, send) => {
    const { all, asked, clock } = leases();
    await all.take('S');
    clock.pass(leaseMs);
    expect(await send(all.guard(client))).toMatchObject({ kind: 'ok', body: name });
    expect(asked[1]).toBe('renew p S 5 1900 2850');
    expect(await send(all.guard(client))).toMatchObject({ kind: 'ok' });
    expect(asked).toHaveLength(2);
  });

  it.each(requests)('does not leave once another run has the lease: %s', async (_name, send) => {
    const { all, clock, lost, told } = leases();
    await all.take('S');
    clock.pass(leaseMs);
    lost.add('S');
    sent.length = 0;
    expect(await send(all.guard(client))).toEqual({ kind: 'not-sent', cause: 'lease_lost' });
    expect([sent, told]).toEqual([[], ['S']]);
  });

  it('that only reads leaves whoever has the lease', async () => {
    const { all, clock, lost } = leases();
    await all.take('S');
    clock.pass(leaseMs);
    lost.add('S');
    const { meterPoints } = all.guard(client);
    expect(await meterPoints.statuses([] as never, {})).toMatchObject({ body: 'statuses' });
  });

  it('leaves where nothing was taken', async () => {
    const { all, asked } = leases();
    expect(await all.guard(client).transferStatus(key)).toMatchObject({ kind: 'ok' });
    expect(asked).toEqual([]);
  });

  it('waits for the oldest lease, and renews each of them', async () => {
    const { all, asked, clock } = leases();
    await all.take('S');
    clock.pass(500);
    await all.take('T');
    clock.pass(400);
    const both = [all.guard(client).transferStatus(key), all.guard(client).taskStatus(key)];
    await Promise.all(both);
    expect(asked.slice(2)).toEqual(['renew p S 5 1900 2850', 'renew p T 6 1900 2850']);
  });

  it('leaves by the lease of a shared book, which replaces that of its suppliers', async () => {
    const { all, asked } = leases();
    let isFresh = true;
    let turns = 0;
    all.shareBy({
      group: 3,
      get isFresh() {
        return isFresh;
      },
      turn: () => Promise.resolve((turns += 1) < 2 && (isFresh = true)),
    });
    await all.take('S');
    expect([asked, all.has('S')]).toEqual([['take S 1000 1950 3'], true]);
    expect(await all.guard(client).transferStatus(key)).toMatchObject({ kind: 'ok' });
    expect(turns).toBe(0);
    isFresh = false;
    expect(await all.guard(client).transferStatus(key)).toMatchObject({ kind: 'ok' });
    isFresh = false;
    expect(await all.guard(client).transferStatus(key)).toMatchObject({ cause: 'lease_lost' });
    await all.release();
    expect(asked).toHaveLength(1);
  });
});

describe('a lease is fresh', () => {
  const clock = (wall: number, monotonic: number) => ({ now: () => wall, monotonic: () => monotonic });

  it.each<[string, number, number, boolean]>([
    ['when it was renewed', 100, 5, true],
    ['until its time is up', 109, 14, true],
    ['not after that', 110, 14, false],
    ['not after a suspended machine', 110, 5, false],
    ['not by a clock that was set back', 99, 5, false],
    ['not by a clock that was set, once its time has passed', 100, 15, false],
  ])('%s', (_when, wall, monotonic, isFresh) => {
    expect(isFreshSince({ wall: 100, monotonic: 5 }, clock(wall, monotonic), 10)).toBe(isFresh);
  });
});
