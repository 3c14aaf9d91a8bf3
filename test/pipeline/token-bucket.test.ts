import { expect, it } from 'vitest';
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
