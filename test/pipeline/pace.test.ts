import { describe, expect, it } from 'vitest';
import type { StepName } from '../../src/domain/steps.ts';
import type { Capacity } from './simulated-platform.ts';
import { SimulatedRun, type Seen } from './simulated-run.ts';

const steps: readonly StepName[] = [
  ...(['stage', 'process', 'notes', 'transactions', 'agreements'] as const),
  ...(['billing-documents', 'statements', 'payment-instruction', 'notes'] as const),
];

/** What a run does in its first minute, and how many of its requests are left to a person. */
async function firstMinute(capacity: Partial<Capacity>): Promise<Seen & { readonly leftToAPerson: number }> {
  const run = new SimulatedRun({ travelMs: 1, jitterMs: 1, ...capacity }, { concurrency: 256 });
  run.steps = steps;
  let seen: Seen | undefined;
  await run.while(async () => {
    seen = await run.watch(60);
  });
  return { ...seen!, leftToAPerson: run.leftToAPerson };
}

describe('in its first minute, at a gateway that takes so many requests per second and answers 429 to more', () => {
  it.each([
    { perSecond: 50, burst: 1, workMs: 5, share: 0.9, refused: 3 },
    { perSecond: 50, burst: 5, workMs: 5, share: 0.9, refused: 3 },
    { perSecond: 50, burst: 20, workMs: 5, share: 0.9, refused: 4 },
    { perSecond: 50, burst: 1, workMs: 150, share: 0.85, refused: 3 },
    { perSecond: 50, burst: 5, workMs: 150, share: 0.9, refused: 3 },
    { perSecond: 50, burst: 20, workMs: 150, share: 0.9, refused: 3 },
    { perSecond: 10, burst: 5, workMs: 150, share: 0.85, refused: 5 },
    { perSecond: 500, burst: 5, workMs: 5, share: 0.85, refused: 3 },
  ])('$perSecond/s, burst $burst, $workMs ms: a run uses $share of it', async (row) => {
    const { perSecond, burst, workMs } = row;
    const seen = await firstMinute({ rate: { perSecond, burst }, workMs });
    expect(seen.perSecond).toBeGreaterThan(row.share * perSecond);
    expect(seen.refusedPercent).toBeLessThan(row.refused);
    expect(seen.leftToAPerson).toBe(0);
  });

  it('a first answer that takes far longer than the others does not hold them back', async () => {
    const cold = { rate: { perSecond: 50, burst: 1 }, workMs: 5, coldMs: 740 };
    expect((await firstMinute(cold)).perSecond).toBeGreaterThan(0.8 * 50);
  });

  it('what it refuses in a whole second does not lower the rate for long', async () => {
    const seen = await firstMinute({ window: 50, workMs: 20 });
    expect(seen.perSecond).toBeGreaterThan(0.8 * 50);
  });

  it('Retry-After: 1 does not hold the others back', async () => {
    const gateway = { status: 429, retryAfterMs: 1000 } as const;
    const seen = await firstMinute({ rate: { perSecond: 50, burst: 5 }, workMs: 5, gateway });
    expect(seen.perSecond).toBeGreaterThan(45);
    expect(seen.refusedPercent).toBeLessThan(3);
  });
});

describe('in its first minute, at a gateway that answers 503 to more than 50 requests per second', () => {
  it.each([
    { burst: 5, workMs: 5 },
    { burst: 20, workMs: 5 },
    { burst: 1, workMs: 150 },
    { burst: 20, workMs: 150 },
  ])('burst $burst, $workMs ms: few requests are left to a person', async ({ burst, workMs }) => {
    const seen = await firstMinute({ rate: { perSecond: 50, burst }, workMs, gateway: { status: 503 } });
    expect(seen.perSecond).toBeGreaterThan(0.75 * 50);
    expect(seen.refusedPercent).toBeLessThan(3);
    expect(seen.leftToAPerson).toBeLessThan(5);
  });
});

describe('in its first minute, on a platform that caps concurrent requests', () => {
  it.each([8, 64])('%d at once: a run uses 0.97 of it', async (places) => {
    const seen = await firstMinute({ places, beyond: 'refused', workMs: 50, jitterMs: 0 });
    expect(seen.perSecond).toBeGreaterThan((0.97 * places * 1000) / (50 * 1.046 + 1));
    expect(seen.refusedPercent).toBeLessThan(2);
  });

  it.each([4, 12])(
    '%d of them in process, which takes half the time: a run uses 0.9 of these',
    async (most) => {
      const seen = await firstMinute({
        ...{ places: 64, placesOf: { process: most }, beyond: 'refused', workMs: 50, jitterMs: 0 },
        workMsOf: { process: 400 },
      });
      const [process, others] = [400, 8 * 50].map((ms) => (ms * 1.046 + 1) / 1000);
      const perSecond = Math.min(most / process!, 64 / (process! + others!));
      expect(seen.perSecond).toBeGreaterThan(0.9 * 9 * perSecond);
      expect(seen.refusedPercent).toBeLessThan(2);
    },
  );
});

it('answers that time out at any load do not lower the limit for long', async () => {
  const run = new SimulatedRun(
    { workMs: 100, lostShareOf: { stage: 0.33 }, lostAfterMs: 1000 },
    { concurrency: 64 },
  );
  run.steps = ['stage'];
  await run.while(async () => {
    await run.clock.sleep(20_000);
    const seen = await run.watch(20);
    expect(Math.min(...seen.limits)).toBeGreaterThan(40);
  });
});
