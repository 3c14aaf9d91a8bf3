import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../src/pipeline/flow/token-bucket.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { SimulatedTime } from './simulated-time.ts';

/** When so many waiters get their tokens, in ms. */
async function taken(
  count: number,
  perSecond: number,
  change?: { readonly after: number; readonly perSecond: number },
): Promise<readonly number[]> {
  const clock = new SimulatedTime();
  const bucket = new TokenBucket(perSecond, clock);
  const since = clock.monotonic();
  const at: number[] = [];
  const { draining } = new StopControl();
  const waiters = Array.from({ length: count }, async () => {
    await bucket.take(draining);
    at.push(clock.monotonic() - since);
  });
  const changing =
    change === undefined ? undefined : clock.sleep(change.after).then(() => bucket.limitTo(change.perSecond));
  await clock.until(Promise.all([...waiters, changing]));
  return at;
}

it('a rate that falls counts at once, also for those that wait already', async () => {
  const at = await taken(40, 10, { after: 1001, perSecond: 1 });
  const first = at.filter((ms) => ms <= 1001);
  expect(first.length).toBeLessThanOrEqual(11);
  const later = at.filter((ms) => ms > 1001);
  expect(later[0]).toBeGreaterThanOrEqual(1101);
  expect((later.at(-1) ?? 0) - 1001).toBeGreaterThanOrEqual((later.length - 1) * 1000);
});

it('a rate of 0 lets nothing through until it rises, and no limit lets everything through', async () => {
  const at = await taken(5, 0, { after: 3000, perSecond: 10 });
  expect(Math.min(...at)).toBeGreaterThanOrEqual(3000);
  const free = await taken(50, 0, { after: 3000, perSecond: Infinity });
  expect(Math.min(...free)).toBeGreaterThanOrEqual(3000);
  expect(Math.max(...free)).toBeLessThanOrEqual(3300);
});

describe('requests that leave', () => {
  /** When so many leave that ask at these times, in ms. */
  async function left(perSecond: number, asks: readonly number[]): Promise<readonly number[]> {
    const clock = new SimulatedTime();
    const bucket = new TokenBucket(perSecond, clock);
    const { draining } = new StopControl();
    const at: number[] = [];
    await clock.until(
      Promise.all(
        asks.map(async (ask) => {
          await clock.sleep(ask);
          const waited = await bucket.leave(draining);
          expect(waited).toBe(clock.monotonic() - ask);
          at.push(clock.monotonic());
        }),
      ),
    );
    return at;
  }

  it('are never more in a second than the rate, whatever held them before', async () => {
    const at = await left(5, Array<number>(12).fill(100));
    expect(at).toEqual([...Array<number>(5).fill(100), ...Array<number>(5).fill(1110), 2120, 2120]);
  });

  it('are not held where the rate allows them', async () => {
    expect(await left(2, [0, 400, 1010, 1410, 2020])).toEqual([0, 400, 1010, 1410, 2020]);
  });

  it('are as seldom as a rate below one a second', async () => {
    expect(await left(0.5, [0, 0, 0])).toEqual([0, 2010, 4020]);
  });

  it('are not held where there is no rate', async () => {
    expect(await left(Infinity, [0, 0, 0])).toEqual([0, 0, 0]);
  });

  it('are held from the first second of a rate on, whether there was none before or no request', async () => {
    for (const before of [0, Infinity]) {
      const clock = new SimulatedTime();
      const bucket = new TokenBucket(before, clock);
      const { draining } = new StopControl();
      const leave = () => clock.until(bucket.leave(draining));
      for (let at = 0; at < 5; at += 1) expect(await leave()).toBe(0);
      bucket.limitTo(5);
      for (let at = 0; at < 5; at += 1) expect(await leave()).toBe(0);
      expect(await leave()).toBe(1010);
    }
  });

  it('no longer wait once the run is stopped', async () => {
    const clock = new SimulatedTime();
    const bucket = new TokenBucket(1, clock);
    const stop = new StopControl();
    await bucket.leave(stop.draining);
    const waits = bucket.leave(stop.draining);
    stop.stop('interrupt');
    expect(await waits).toBe(0);
  });
});

it('tokens come evenly', async () => {
  expect(await taken(4, 10)).toEqual([0, 101, 202, 303]);
  expect(await taken(4, 10, { after: 150, perSecond: 10 })).toEqual([0, 101, 202, 303]);
});

it('a token is waited for as long as it takes, and says so', async () => {
  const clock = new SimulatedTime();
  const { draining } = new StopControl();
  const bucket = new TokenBucket(10, clock);
  await clock.until(clock.sleep(5000));
  const take = () => clock.until(bucket.take(draining));
  expect(await take()).toEqual({ taken: true, waited: false });
  await take();
  expect(await take()).toEqual({ taken: true, waited: true });
  expect(clock.monotonic()).toBeLessThan(5303);
  bucket.limitTo(0);
  const later = clock.sleep(1000).then(() => bucket.limitTo(Infinity));
  expect(await clock.until(Promise.all([bucket.take(draining), later]))).toEqual([
    { taken: true, waited: true },
    undefined,
  ]);
});

it('a token that is not taken before a stop is none', async () => {
  const clock = new SimulatedTime();
  const bucket = new TokenBucket(1, clock);
  const stop = new StopControl();
  expect(await bucket.take(stop.draining)).toEqual({ taken: true, waited: false });
  const waits = bucket.take(stop.draining);
  stop.stop('interrupt');
  expect(await waits).toEqual({ taken: false, waited: true });
});
