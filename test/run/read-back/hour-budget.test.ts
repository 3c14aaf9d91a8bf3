import { expect, it } from 'vitest';
import { HourBudget } from '../../../src/run/read-back/hour-budget.ts';

function budget(perHour: number | undefined, recorded = 0) {
  const time = { now: 0 };
  const asked: number[] = [];
  const readBack = {
    pointsSince: (at: number) => {
      asked.push(at);
      return Promise.resolve(recorded);
    },
  };
  const clock = { now: () => 1_800_000_000_000 + time.now, monotonic: () => time.now };
  return { time, asked, budget: new HourBudget({ readBack }, clock, perHour) };
}

it('what was spent counts for an hour, and so does what was spent before', async () => {
  const { time, budget: points } = budget(100, 60);
  expect(await points.begins()).toBe(true);
  points.ended(50);
  expect(await points.begins()).toBe(false);
  time.now = 3_600_001;
  expect(await points.begins()).toBe(true);
});

it('readings that have begun count before they have ended', async () => {
  const { budget: points } = budget(150);
  expect(await points.begins()).toBe(true);
  expect(await points.begins()).toBe(true);
  expect(await points.begins()).toBe(false);
  points.ended(10);
  expect(await points.begins()).toBe(true);
});

it('without a limit nothing is asked', async () => {
  const { asked, budget: points } = budget(undefined);
  expect(await points.begins()).toBe(true);
  expect(asked).toEqual([]);
});
