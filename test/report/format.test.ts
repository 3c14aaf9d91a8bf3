import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatRate, formatTime } from '../../src/report/format.ts';

test.each([
  [0, '0ms'],
  [-5, '0ms'],
  [999, '999ms'],
  [1000, '1s'],
  [4210, '4.2s'],
  [9949, '9.9s'],
  [9999, '10s'],
  [59_499, '59s'],
  [59_999, '1m'],
  [125_300, '2m 5s'],
  [3_599_999, '1h'],
  [5_400_000, '1h 30m'],
  [86_399_000, '1d'],
  [273_600_000, '3d 4h'],
])('%i ms read as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('counts, rates and times read as people write them', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect(formatRate(0.44)).toBe('0.4/s');
  expect(formatRate(1611.4)).toBe('1,611/s');
  expect(formatTime(Date.UTC(2026, 0, 5, 0, 4, 9), 'UTC')).toBe('2026-01-05 00:04:09');
  expect(formatTime(Date.UTC(2026, 6, 5, 23, 4, 9), 'Europe/London')).toBe('2026-07-06 00:04:09');
});
