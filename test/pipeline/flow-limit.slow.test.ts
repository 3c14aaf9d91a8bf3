import { describe, expect, it } from 'vitest';
import { SimulatedRun, type Seen } from './simulated-run.ts';

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** What is seen of a run after 30 seconds, for a quarter of a minute. */
async function settled(run: SimulatedRun): Promise<Seen> {
  let seen: Seen | undefined;
  await run.while(async () => {
    await run.clock.sleep(30_000);
    seen = await run.watch(15);
  });
  return seen!;
}

/** Of arrivals in their order, the most within any second. */
function mostInASecond(arrivals: readonly number[]): number {
  let first = 0;
  return arrivals.reduce((most, at, index) => {
    while (arrivals[first]! <= at - 1000) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

describe.each([12, 200])('a platform that takes %d requests at once', (places) => {
  it('and answers 429 to more is used to nine tenths, with less than one refusal in a hundred', async () => {
    const run = new SimulatedRun({ places, beyond: 'refused' });
    const seen = await settled(run);
    expect(seen.perSecond).toBeGreaterThan(0.9 * run.platform.mostPerSecond);
    expect(seen.refusedPercent).toBeLessThan(1);
    expect(mean(seen.limits)).toBeGreaterThan(0.9 * places);
    expect(mean(seen.limits)).toBeLessThan(1.25 * places);
    expect(seen.reasons).toContain('throttled');
  });

  it('and lets more wait is used to nine tenths, and is left with little waiting', async () => {
    const run = new SimulatedRun({ places, beyond: 'waits' });
    const seen = await settled(run);
    expect(seen.perSecond).toBeGreaterThan(0.9 * run.platform.mostPerSecond);
    expect(mean(seen.limits)).toBeLessThan(1.7 * places);
    expect(seen.reasons).toContain('latency');
  });
});

describe.each([8, 32, 200])(
  'in its first minute, with a platform that takes %d requests at once',
  (places) => {
    it.each([
      ['refused', 50],
      ['refused', 200],
      ['waits', 50],
      ['waits', 200],
    ] as const)('(more: %s; %d ms), a run does 0.96 of what can be done', async (beyond, workMs) => {
      const run = new SimulatedRun({ places, beyond, workMs }, { concurrency: 256 });
      await run.while(async () => {
        const { perSecond } = await run.watch(60);
        const { mostPerSecond, mostPerSecondUnrefused } = run.platform;
        const most = beyond === 'waits' ? mostPerSecond : mostPerSecondUnrefused;
        expect(perSecond).toBeGreaterThan(0.96 * most);
      });
    });
  },
);

describe('a cap on accounts in process', () => {
  it('is found with a handful of refusals, and is not tried again and again', async () => {
    const run = new SimulatedRun({ places: 12, beyond: 'refused', workMs: 1000 }, {}, true);
    await run.while(async () => {
      const first = await run.watch(30);
      expect(first.refused).toBeLessThan(10);
      const then = await run.watch(120);
      expect(then.perSecond).toBeGreaterThan(0.9 * run.platform.mostPerSecond);
      expect(then.refusedPercent).toBeLessThan(1);
    });
  });

  it('leaves few accounts waiting for it, however many places there are', async () => {
    const run = new SimulatedRun(
      { places: 4, beyond: 'refused', workMs: 1000 },
      { concurrency: 1000, processConcurrency: 4 },
      true,
    );
    await run.while(async () => {
      await run.clock.sleep(20_000);
      expect(run.open).toBeLessThan(40);
    });
  });
});

describe('when the platform changes in mid-run', () => {
  it('what it takes less is given up at once, and taken up again when it takes more', async () => {
    const run = new SimulatedRun({ places: 100, beyond: 'refused' });
    await run.while(async () => {
      await run.clock.sleep(20_000);
      run.platform.capacity.places = 10;
      await run.clock.sleep(5_000);
      const less = await run.watch(10);
      expect(less.perSecond).toBeGreaterThan(0.75 * run.platform.mostPerSecond);
      expect(less.refusedPercent).toBeLessThan(5);
      run.platform.capacity.places = 100;
      await run.clock.sleep(20_000);
      expect((await run.watch(10)).perSecond).toBeGreaterThan(0.85 * run.platform.mostPerSecond);
    });
  });

  it('the same where what is too much waits', async () => {
    const run = new SimulatedRun({ places: 100, beyond: 'waits' });
    await run.while(async () => {
      await run.clock.sleep(20_000);
      run.platform.capacity.places = 10;
      await run.clock.sleep(20_000);
      const less = await run.watch(10);
      expect(less.perSecond).toBeGreaterThan(0.9 * run.platform.mostPerSecond);
      expect(less.limits.at(-1)).toBeLessThan(30);
      run.platform.capacity.places = 100;
      await run.clock.sleep(20_000);
      expect((await run.watch(10)).perSecond).toBeGreaterThan(0.9 * run.platform.mostPerSecond);
    });
  });

  it('a platform that is slower for reasons of its own is pressed no less for long', async () => {
    const run = new SimulatedRun({}, { concurrency: 64 });
    await run.while(async () => {
      await run.clock.sleep(10_000);
      run.platform.capacity.workMs = 300;
      await run.clock.sleep(30_000);
      expect(mean((await run.watch(10)).limits)).toBeGreaterThan(48);
    });
  });
});

describe('a platform that takes everything', () => {
  it('is given as many requests as the ceiling allows, and that is said', async () => {
    const run = new SimulatedRun({ workMs: 20 }, { concurrency: 64 });
    await run.while(async () => {
      await run.clock.sleep(2_000);
      const seen = await run.watch(5);
      expect(new Set(seen.limits)).toEqual(new Set([64]));
      expect(seen.reasons).toEqual(new Set(['ceiling']));
    });
  });

  it('is given as many again within a second when other runs leave their part', async () => {
    const run = new SimulatedRun({ workMs: 20 }, { concurrency: 64 });
    await run.while(async () => {
      for (const [most, part] of [
        [64, 0],
        [64, 1],
        [32, 3],
        [64, 32],
      ] as const) {
        run.limitTo(part);
        await run.clock.sleep(5_000);
        run.limitTo(most);
        await run.clock.sleep(1_000);
        expect(new Set((await run.watch(3)).limits)).toEqual(new Set([most]));
      }
    });
  });

  it('is not pressed beyond what it takes when other runs leave their part', async () => {
    const run = new SimulatedRun({ places: 12, beyond: 'refused' }, { concurrency: 64 });
    await run.while(async () => {
      await run.clock.sleep(20_000);
      for (let time = 0; time < 5; time += 1) {
        run.limitTo(4);
        await run.clock.sleep(5_000);
        run.limitTo(64);
        await run.clock.sleep(5_000);
      }
      expect(run.platform.refused / run.platform.answered).toBeLessThan(0.02);
    });
  });

  it('is given as many with a journal that takes longer than the platform', async () => {
    const run = new SimulatedRun({ workMs: 20 }, { concurrency: 64 }, false, () => 100);
    await run.while(async () => {
      await run.clock.sleep(10_000);
      expect(new Set((await run.watch(5)).limits)).toEqual(new Set([64]));
    });
  });

  it('but for stray refusals is not given less because of them', async () => {
    const run = new SimulatedRun({ strayShare: 0.05, workMs: 50 }, { concurrency: 64 });
    const seen = await settled(run);
    expect(mean(seen.limits)).toBeGreaterThan(48);
  });

  it('is asked no oftener than the rate, evenly, and that is said', async () => {
    const run = new SimulatedRun({ workMs: 20 }, { concurrency: 64, rate: 40 });
    const seen = await settled(run);
    expect(seen.perSecond).toBeCloseTo(40, 0);
    expect(seen.reasons).toEqual(new Set(['rate']));
    expect(mostInASecond(run.platform.arrivals)).toBeLessThanOrEqual(40);
  });

  it('nor when a journal that hung lets all that it held go at once', async () => {
    const hung = (at: number): number => (at >= 30_000 && at < 35_000 ? 35_000 - at : 0);
    const run = new SimulatedRun({ workMs: 1500 }, { concurrency: 200, rate: 40 }, false, hung);
    const seen = await settled(run);
    expect(seen.perSecond).toBeGreaterThan(20);
    expect(mostInASecond(run.platform.arrivals)).toBeLessThanOrEqual(40);
  });
});
