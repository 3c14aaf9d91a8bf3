import { expect, it } from 'vitest';
import { isComposed, partitionOf, partitions } from '../../src/domain/account-key.ts';

it.each([
  ['', 129],
  ['1', 52],
  ['2', 55],
  ['A-1001', 163],
  ['A-1002', 160],
  ['1001A', 29],
  ['Zoë', 121],
  ['口座7', 80],
])('the partition of account %j is the same in every version', (account, partition) => {
  expect(partitionOf(account)).toBe(partition);
});

it('similar numbers are spread evenly over all partitions', () => {
  const counts = new Array<number>(partitions).fill(0);
  for (let number = 0; number < 256 * 100; number += 1) {
    const partition = partitionOf(`A-${1_000_000 + number}`);
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(150);
});

it.each([
  ['', true],
  ['A-1', true],
  ['A\u0000\u007f', true],
  ['\u0080A', false],
  ['A\u0080', false],
  ['Zoë', false],
])('%j has only one spelling: %s', (text, isAscii) => {
  expect(isComposed(text)).toBe(isAscii);
});
