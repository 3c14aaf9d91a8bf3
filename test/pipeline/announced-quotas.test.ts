import { expect, it } from 'vitest';
import { AnnouncedQuotas } from '../../src/pipeline/flow/announced-quotas.ts';
import { SimulatedRun } from './simulated-run.ts';

const mostMs = 300_000;

it('a limit that two endpoints count together is one of all requests', () => {
  const quotas = new AnnouncedQuotas();
  quotas.hear('stage', [{ name: 'a', limit: 100, windowMs: 10_000, remaining: 60 }], 0, mostMs);
  expect(quotas.of('stage').perSecond).toBe(10);
  quotas.hear('notes', [{ name: 'a', limit: 100, windowMs: 10_000, remaining: 59 }], 10, mostMs);
  expect(quotas.of('stage').perSecond).toBe(Infinity);
  expect(quotas.of(undefined).perSecond).toBe(10);
});

it('a limit that each endpoint counts by itself is one of each', () => {
  const quotas = new AnnouncedQuotas();
  quotas.hear('stage', [{ name: 'a', limit: 100, windowMs: 10_000, remaining: 20 }], 0, mostMs);
  quotas.hear('notes', [{ name: 'a', limit: 100, windowMs: 10_000, remaining: 99 }], 10, mostMs);
  expect(quotas.of(undefined).perSecond).toBe(Infinity);
  expect([quotas.of('stage').perSecond, quotas.of('notes').perSecond]).toEqual([10, 10]);
});

it('a daily quota is no rate, and nothing is sent until its reset once it is used up', () => {
  const quotas = new AnnouncedQuotas();
  const daily = { name: 'day', limit: 1000, windowMs: 86_400_000 };
  quotas.hear('stage', [{ ...daily, remaining: 3, resetMs: 5000 }], 0, mostMs);
  expect(quotas.of('stage')).toEqual({ perSecond: Infinity, holdUntil: 0 });
  quotas.hear('stage', [{ ...daily, remaining: 0, resetMs: 60_000 }], 100, mostMs);
  expect(quotas.of('stage').holdUntil).toBe(60_100);
});

it('a run that is told the limit from the first answer is refused nothing', async () => {
  const quotas = [{ name: 'a', limit: 50, windowMs: 1000 }];
  const run = new SimulatedRun({
    ...{ rate: { perSecond: 50, burst: 20 }, workMs: 20, travelMs: 1, jitterMs: 1, quotas },
  });
  await run.while(async () => {
    const seen = await run.watch(30);
    expect(seen.refused).toBeLessThan(3);
    expect(seen.perSecond).toBeGreaterThan(45);
  });
});
