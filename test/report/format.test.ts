import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatRate, formatTime, formatShare } from '../../src/report/format.ts';

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

test('calls no share nothing or everything that is neither', () => {
  expect([0, 1, 5_000, 9_999, 10_000].map((part) => formatShare(part, 10_000))).toEqual([
    ...['0 %', 'under 1 %', '50 %', '99 %', '100 %'],
  ]);
  expect([1, 20, 9_996, 9_999].map((part) => formatShare(part, 10_000, 1))).toEqual([
    ...['under 0.1 %', '0.2 %', '99.9 %', '99.9 %'],
  ]);
  expect(formatShare(0, 0)).toBe('0 %');
});
