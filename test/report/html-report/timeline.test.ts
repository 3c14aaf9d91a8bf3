import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Durations } from '../../../src/report/html-report/survey.ts';
import { marks, Timeline } from '../../../src/report/html-report/timeline.ts';

const day = 86_400_000;

it('keeps every count in few stretches without a gap, whatever time it spans', () => {
  const events = fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 60 * 365 * day }), mark: fc.constantFrom(...marks) }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(events, (all) => {
      const timeline = new Timeline();
      for (const { at, mark } of all) timeline.add(at, mark);
      const { stretches, widthMs } = timeline;
      expect(stretches.length).toBeLessThanOrEqual(96);
      for (const [index, { from }] of stretches.entries())
        expect(from).toBe(stretches[0]!.from + index * widthMs);
      for (const { at, mark } of all) {
        const stretch = stretches.find(({ from }) => from <= at && at < from + widthMs)!;
        const same = all.filter(
          (one) => one.mark === mark && Math.floor(one.at / widthMs) === stretch.from / widthMs,
        );
        expect(stretch.counts[mark]).toBe(same.length);
      }
    }),
  );
});

it('divides a short time finely', () => {
  const timeline = new Timeline();
  for (let second = 0; second < 20; second += 1) timeline.add(second * 1000, 'created');
  expect(timeline.widthMs).toBe(1000);
  expect(timeline.stretches).toHaveLength(20);
  expect(new Timeline().stretches).toEqual([]);
});

it('tells how long half of the answers took, and nearly all', () => {
  const durations = new Durations();
  for (let ms = 1; ms <= 100; ms += 1) durations.add(ms);
  expect([0.5, 0.95, 1].map((share) => durations.within(share))).toEqual([50, 95, 100]);
  durations.add(123_456);
  expect(durations.within(1)).toBe(123_000);
  expect(new Durations().within(0.5)).toBe(0);
});
