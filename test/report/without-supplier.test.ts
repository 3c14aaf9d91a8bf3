import { describe, expect, it } from 'vitest';
import { withoutSupplierIn } from '../../src/report/without-supplier.ts';
import type { RunEntry } from '../../src/journal/journal.ts';

/** Runs of these exports, newest first, each with so many accounts that name no import supplier. */
function runs(...read: readonly (readonly [path: string, accounts: number])[]): RunEntry[] {
  return read.map(
    ([path, withoutSupplier]) => ({ dryRun: false, export: path, end: { withoutSupplier } }) as RunEntry,
  );
}

describe('accounts without an import supplier', () => {
  it('are counted once for an export that has another date in its name each night', () => {
    for (const [tonight, before] of [
      ['night-20261129.csv', 'night-20261128.csv'],
      ['2026-11-29/book', '2026-11-28/book'],
      ['book_2026-11-29T0200.zip', 'book_2026-11-28T0215.zip'],
    ] as const)
      expect(withoutSupplierIn(runs([tonight, 3], [before, 5]))).toEqual({ accounts: 3, export: tonight });
  });

  it('are counted for each of two exports whose names differ in a number that is no date', () => {
    expect(withoutSupplierIn(runs(['region-1.csv', 3], ['region-2.csv', 5]))).toEqual({
      accounts: 8,
      export: 'region-1.csv',
    });
    expect(withoutSupplierIn(runs(['plant-1100.csv', 1], ['plant-1200.csv', 1]))).toMatchObject({
      accounts: 2,
    });
  });
});
